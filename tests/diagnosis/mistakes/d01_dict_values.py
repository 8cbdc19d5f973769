# rule: D01
# line: 6
import torch
stats = {"mean": torch.tensor([0.5, 0.5]), "std": torch.tensor([0.2, 0.3])}
image = torch.rand(10, 2).cuda()
normal = (image - stats["mean"]) / stats["std"]
print(normal.shape)

# rule: D30
# line: 4
import torch
m = torch.Tensor([[1, 2], [3, 4]], device="cuda")
print(m.sum().item())

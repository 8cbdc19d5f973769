# rule: D30
# line: 4
import torch
x = torch.FloatTensor([1.0, 2.0], device="cuda")
print(x.sum().item())

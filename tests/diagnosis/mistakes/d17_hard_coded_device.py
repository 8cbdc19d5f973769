# rule: D17
# line: 5
# machine: cpu
import torch
x = torch.ones(3, device="cuda")
print(x.sum().item())

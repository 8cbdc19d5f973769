# machine: cpu
import torch
try:
    x = torch.ones(2, device="cuda")
except (RuntimeError, AssertionError):
    x = torch.ones(2)
print(x.device)

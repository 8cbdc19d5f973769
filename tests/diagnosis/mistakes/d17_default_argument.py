# rule: D17
# line: 5
# machine: cpu
import torch
def batch(n, device="cuda"):
    return torch.rand(n, 2, device=device)
print(batch(4).shape)

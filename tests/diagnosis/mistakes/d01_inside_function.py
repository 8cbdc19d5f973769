# rule: D01
# line: 8
import torch
def blend(a, b, t):
    return a * (1 - t) + b * t
left = torch.zeros(3, 3, device="cuda")
right = torch.ones(3, 3)
out = blend(left, right, 0.25)
print(out.mean().item())

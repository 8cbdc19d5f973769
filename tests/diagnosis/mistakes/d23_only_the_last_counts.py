# rule: D23
# line: 12
import torch

torch.manual_seed(0)
a = torch.randn(6, 6, device="cuda")
v = torch.ones(6, device="cuda")
m = a @ a.T
for _ in range(150):
    v = m @ v
    v = v / v.norm()
    estimate = (v @ m @ v).item()
print("largest eigenvalue", estimate > 0)

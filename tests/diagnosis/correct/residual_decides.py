import torch
torch.manual_seed(0)
a = torch.eye(6, device="cuda") * 2 + 0.01
b = torch.ones(6, device="cuda")
x = torch.zeros(6, device="cuda")
residual, steps = 1.0, 0
while residual > 1e-6 and steps < 500:
    r = b - a @ x
    x = x + 0.05 * r
    residual = r.norm().item()
    steps += 1
print("solved", residual <= 1e-6, steps > 100)

import torch
v = torch.arange(100.0, device="cuda")
s = 0.0
for value in v.tolist():
    s += value
print(s)

import torch
v = torch.arange(200.0)
s = 0.0
for i in range(200):
    s += v[i].item()
print(s)

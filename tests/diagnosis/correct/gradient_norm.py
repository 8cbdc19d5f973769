import torch
from torch import nn
m = nn.Linear(5, 5).cuda()
m(torch.ones(1, 5, device="cuda")).sum().backward()
total = 0.0
for p in m.parameters():
    total += p.grad.norm().item() ** 2
print(total ** 0.5 > 0)

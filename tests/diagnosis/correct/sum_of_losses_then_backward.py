import torch
from torch import nn
encoder = nn.Linear(4, 4).cuda()
heads = nn.ModuleList([nn.Linear(4, 1) for _ in range(3)]).cuda()
x = torch.randn(2, 4, device="cuda")
for step in range(3):
    total = 0
    h = encoder(x)
    for head in heads:
        total += head(h).pow(2).mean()
    total.backward()
print(encoder.weight.grad.shape)

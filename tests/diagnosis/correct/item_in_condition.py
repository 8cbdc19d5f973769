import torch
from torch import nn
net = nn.Linear(3, 1).cuda()
patience, best = 0, float("inf")
for epoch in range(10):
    val = net(torch.ones(2, 3, device="cuda")).pow(2).mean().item()
    if val < best:
        best, patience = val, 0
    else:
        patience += 1
print(patience)

import torch
from torch import nn
m = nn.Linear(4, 3).cuda()
hits = torch.zeros((), device="cuda")
for _ in range(5):
    x = torch.randn(8, 4, device="cuda")
    y = torch.randint(3, (8,), device="cuda")
    hits += (m(x).argmax(dim=1) == y).float().sum()
print(hits.item() <= 40)

import torch
from torch import nn
model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1)).cuda()
penalty = 0
for p in model.parameters():
    penalty = penalty + p.pow(2).sum()
print(penalty.item() > 0)

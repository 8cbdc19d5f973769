# rule: D02
# line: 7
import torch
from torch import nn
mlp = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
points = torch.randn(7, 3, device="cuda")
print(mlp(points).shape)

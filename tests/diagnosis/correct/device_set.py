import torch
from torch import nn
m = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2)).cuda()
print({p.device for p in m.parameters()} == {torch.device("cuda:0")})

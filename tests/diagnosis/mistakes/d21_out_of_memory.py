# rule: D21
# line: 10
# memory: 64
import torch
from torch import nn
net = nn.Sequential(nn.Linear(512, 2048), nn.ReLU(), nn.Linear(2048, 512)).cuda()
score = 0
for i in range(40):
    x = torch.randn(512, 512, device="cuda")
    score += net(x).pow(2).mean()
print(float(score) > 0)

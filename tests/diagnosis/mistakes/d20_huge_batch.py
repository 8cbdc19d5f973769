# rule: D20
# line: 7
# memory: 64
import torch
from torch import nn
net = nn.Linear(1024, 1024).cuda()
x = torch.randn(20000, 1024, device="cuda")
print(net(x).shape)

# rule: D17
# line: 6
# machine: cpu
import torch
from torch import nn
net = nn.Linear(2, 2).cuda()
x = torch.ones(1, 2).cuda()
print(net(x).shape)

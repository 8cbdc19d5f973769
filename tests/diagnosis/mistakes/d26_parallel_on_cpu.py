# rule: D26
# line: 6
# machine: cuda:2
import torch
from torch import nn
net = nn.DataParallel(nn.Linear(4, 2))
print(net(torch.ones(6, 4)).shape)

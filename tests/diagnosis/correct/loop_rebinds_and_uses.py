import torch
from torch import nn
net = nn.Linear(2, 1).cuda()
data = [torch.ones(1, 2), torch.zeros(1, 2)]
for x in data:
    x = x.cuda()
    print(net(x).shape)

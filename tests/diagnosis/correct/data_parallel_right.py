# machine: cuda:2
import torch
from torch import nn
net = nn.DataParallel(nn.Linear(4, 2).cuda())
out = net(torch.randn(6, 4).cuda())
print(out.device, out.shape)
torch.nn.Linear(4, 2).load_state_dict(net.module.state_dict())

# rule: D05
# line: 6
import torch
from torch import nn
net = nn.Linear(2, 2).cuda()
count = sum(p.numel() for p in net.to("cpu").parameters())
print(count, net(torch.ones(1, 2, device="cuda")).shape)

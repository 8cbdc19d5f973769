# rule: D27
# line: 7
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
net = nn.Linear(2, 2).cuda()
ddp = DDP(net, device_ids=[0])
print(ddp)

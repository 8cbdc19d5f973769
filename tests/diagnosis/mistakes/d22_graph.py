# rule: D22
# line: 8
import torch
from torch import nn
net = nn.Linear(256, 256).cuda()
x = torch.randn(512, 256, device="cuda")
loss = net(x).pow(2).mean()
del x
torch.cuda.empty_cache()
print(torch.cuda.memory_allocated() > 0)

import torch
from torch import nn
net = nn.Linear(2, 2)
net.to("cuda")
net.cuda()
print(net(torch.ones(1, 2, device="cuda")).device)

# rule: D18
# line: 5
import torch
from torch import nn
device = torch.device("cuda:1")
net = nn.Linear(2, 2).to(device)
print(net(torch.ones(1, 2, device=device)).shape)

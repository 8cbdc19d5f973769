# rule: D14
# line: 9
import torch
from torch import nn
net = nn.Linear(3, 1)
opt = torch.optim.Adam(net.parameters())
net(torch.ones(2, 3)).sum().backward()
opt.step()
net.to("cuda")
opt.zero_grad()
net(torch.ones(2, 3, device="cuda")).sum().backward()
opt.step()
print("ok")

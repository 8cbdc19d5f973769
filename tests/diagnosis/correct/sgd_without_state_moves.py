import torch
from torch import nn
m = nn.Linear(3, 1)
opt = torch.optim.SGD(m.parameters(), lr=0.1)
m(torch.ones(2, 3)).sum().backward()
opt.step()
m.cuda()
opt.zero_grad()
m(torch.ones(2, 3).cuda()).sum().backward()
opt.step()
print(m.weight.device)

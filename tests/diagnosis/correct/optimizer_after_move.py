import torch
from torch import nn
m = nn.Linear(2, 2)
m = m.to("cuda")
opt = torch.optim.Adam(m.parameters())
m(torch.ones(1, 2, device="cuda")).sum().backward()
opt.step()
print(next(m.parameters()).device)

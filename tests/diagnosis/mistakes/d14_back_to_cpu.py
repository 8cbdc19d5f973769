# rule: D14
# line: 9
import torch
from torch import nn
lin = nn.Linear(2, 2).cuda()
adam = torch.optim.Adam(lin.parameters())
lin(torch.ones(1, 2).cuda()).sum().backward()
adam.step()
lin.cpu()
adam.zero_grad()
lin(torch.ones(1, 2)).sum().backward()
adam.step()
print("ok")

# machine: cpu
import torch
from torch import nn
net = nn.Linear(3, 1)
opt = torch.optim.Adam(net.parameters())
seen = 0
for _ in range(4):
    x = torch.randn(5, 3)
    loss = net(x).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    seen += x.size(0)
print(seen)

# rule: D04
# line: 11
import torch
from torch import nn
dev = torch.device("cuda")
net = nn.Linear(5, 3).to(dev)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    x = torch.randn(6, 5)
    y = torch.randint(0, 3, (6,), device=dev)
    x.to(dev)
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("ok")

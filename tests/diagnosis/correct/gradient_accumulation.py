import torch
from torch import nn
net = nn.Linear(3, 1).to("cuda")
opt = torch.optim.SGD(net.parameters(), lr=0.1)
steps = 4
opt.zero_grad()
for i in range(8):
    x = torch.randn(5, 3, device="cuda")
    loss = net(x).pow(2).mean() / steps
    loss.backward()
    if (i + 1) % steps == 0:
        opt.step()
        opt.zero_grad()
print("done")

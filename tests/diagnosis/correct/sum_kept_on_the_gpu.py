import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(3, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x = torch.randn(16, 3, device="cuda")
total = torch.zeros((), device="cuda")
for _ in range(600):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    total += loss.detach()
print("mean loss", total.item() / 600)

import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(2, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.05)
x = torch.randn(8, 2, device="cuda")
smooth = 1.0
for step in range(130):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    smooth = 0.9 * smooth + 0.1 * loss.item()
    if smooth < 1e-9:
        print("flat at", step)
print("done")

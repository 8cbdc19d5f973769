import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(4, 2).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.05)
x, y = torch.randn(160, 4), torch.randint(0, 2, (160,))
for epoch in range(3):
    total, right = 0.0, 0
    for i in range(0, 160, 2):
        xb, yb = x[i:i + 2].cuda(), y[i:i + 2].cuda()
        out = net(xb)
        loss = nn.functional.cross_entropy(out, yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
        right += (out.argmax(1) == yb).sum().item()
    print(epoch, total > 0, right)

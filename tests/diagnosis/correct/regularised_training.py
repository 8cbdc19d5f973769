import torch
from torch import nn
model = nn.Linear(4, 1).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.05)
for i in range(5):
    x = torch.randn(8, 4, device="cuda")
    loss = model(x).pow(2).mean()
    for p in model.parameters():
        loss = loss + 1e-3 * p.abs().sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item() > 0)

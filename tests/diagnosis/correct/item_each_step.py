import torch
from torch import nn
m = nn.Linear(3, 1).cuda()
opt = torch.optim.SGD(m.parameters(), lr=0.01)
best = float("inf")
for step in range(60):
    loss = m(torch.randn(4, 3, device="cuda")).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    value = loss.item()
    best = min(best, value)
print(best >= 0)

# rule: D21
# line: 14
import torch
from torch import nn
model = nn.Linear(4, 1).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.01)
total = 0
for step in range(10):
    x = torch.randn(8, 4, device="cuda")
    loss = model(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    total += loss
print(float(total) / 10)

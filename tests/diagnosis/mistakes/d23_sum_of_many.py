# rule: D23
# line: 16
import torch
from torch import nn
torch.manual_seed(3)
model = nn.Linear(3, 1).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.01)
x = torch.randn(16, 3).cuda()
y = x[:, :1] * 2
running = 0.0
for it in range(600):
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    running += loss.item()
print(running / 600 > 0)

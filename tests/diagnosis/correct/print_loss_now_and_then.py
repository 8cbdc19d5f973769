import torch
from torch import nn
m = nn.Linear(3, 1).cuda()
for step in range(40):
    loss = m(torch.randn(4, 3, device="cuda")).pow(2).mean()
    loss.backward()
    if step % 10 == 0:
        print(step, loss.item() >= 0)

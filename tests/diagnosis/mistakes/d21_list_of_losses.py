# rule: D21
# line: 10
import torch
from torch import nn
m = nn.Linear(3, 1).cuda()
history = []
for i in range(6):
    loss = m(torch.randn(2, 3, device="cuda")).square().mean()
    loss.backward()
    history.append(loss)
print(len(history))

# rule: D21
# line: 11
import torch
from torch import nn
net = nn.Linear(2, 1).cuda()
smooth = 0.0
for i in range(8):
    loss = net(torch.randn(4, 2, device="cuda")).pow(2).mean()
    net.zero_grad()
    loss.backward()
    smooth = 0.9 * smooth + 0.1 * loss
print(float(smooth) >= 0)

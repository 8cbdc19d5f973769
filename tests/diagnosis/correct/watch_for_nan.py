import math
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(4, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.05)
x = torch.randn(32, 4, device="cuda")
for step in range(150):
    loss = net(x).pow(2).mean()
    value = loss.item()
    if not math.isfinite(value):
        raise RuntimeError(f"diverged in step {step}")
    opt.zero_grad()
    loss.backward()
    opt.step()
print("trained")

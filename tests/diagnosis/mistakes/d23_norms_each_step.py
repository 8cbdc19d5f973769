# rule: D23
# line: 14
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 1)).to("cuda")
opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
x = torch.randn(20, 6, device="cuda")
for step in range(1, 151):
    opt.zero_grad()
    net(x).pow(2).mean().backward()
    total = torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    print("gradient norm:", total)
    opt.step()

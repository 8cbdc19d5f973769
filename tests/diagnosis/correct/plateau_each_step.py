import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(3, 1).to("cuda")
opt = torch.optim.SGD(net.parameters(), lr=0.1)
plan = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=10)
x = torch.randn(16, 3, device="cuda")
for _ in range(120):
    loss = net(x).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    plan.step(loss.item())
print(opt.param_groups[0]["lr"] <= 0.1)

import torch
from torch import nn
net = nn.Linear(4, 2).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.5, momentum=0.9)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.1)
for epoch in range(4):
    opt.zero_grad()
    net(torch.ones(3, 4, device="cuda")).pow(2).sum().backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    sched.step()
print(opt.param_groups[0]["lr"] < 0.5)

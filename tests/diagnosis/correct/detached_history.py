import torch
from torch import nn
model = nn.Linear(2, 1).cuda()
losses = []
running = torch.zeros((), device="cuda")
for i in range(6):
    loss = model(torch.ones(3, 2, device="cuda")).square().mean()
    loss.backward()
    losses.append(loss.detach())
    running += loss.detach()
print(torch.stack(losses).mean().item(), running.item())

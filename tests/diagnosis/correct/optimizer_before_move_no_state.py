import torch
from torch import nn
m = nn.Linear(2, 2)
opt = torch.optim.Adam(m.parameters(), lr=0.01)
m.to("cuda")
for _ in range(3):
    opt.zero_grad()
    m(torch.ones(4, 2, device="cuda")).mean().backward()
    opt.step()
print(opt.state[m.weight]["exp_avg"].device)

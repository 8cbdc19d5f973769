import torch
from torch import nn
m = nn.Linear(2, 1)
opt = torch.optim.Adam(m.parameters())
m(torch.ones(1, 2)).sum().backward(); opt.step()
m.to("cuda")
opt.load_state_dict(opt.state_dict())
opt.zero_grad()
m(torch.ones(1, 2, device="cuda")).sum().backward(); opt.step()
print(opt.state[m.weight]["exp_avg"].device)

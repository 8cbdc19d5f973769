import torch
from torch import nn
model = nn.Linear(128, 128).cuda()
opt = torch.optim.Adam(model.parameters())
model(torch.ones(1, 128, device="cuda")).sum().backward()
opt.step()
del model, opt
torch.cuda.empty_cache()
print(torch.cuda.memory_reserved() >= 0)

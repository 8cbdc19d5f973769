import torch
from torch import nn
model = nn.Linear(3, 1).cuda()
loss = model(torch.ones(4, 3, device="cuda")).mean()
loss.backward()
model = model.cpu()
state = model.state_dict()
print(model(torch.ones(1, 3)).shape, sorted(state))

import torch
from torch import nn
model = nn.Sequential(nn.Linear(2, 2))
net = model.to("cuda")
x = torch.ones(1, 2, device="cuda")
print(net is model, (net(x) - model(x)).abs().sum().item())

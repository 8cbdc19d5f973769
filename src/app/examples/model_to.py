import torch
import torch.nn as nn

model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
weight = model[0].weight

moved = model.to("cuda")          # a module moves in place ...
print(moved is model)             # True
print(weight.device)              # ... and its parameters are the same objects, elsewhere

x = torch.randn(8, 16)
y = x.to("cuda")                  # a tensor does not: `x` stays
print(x.device, model(y).shape)

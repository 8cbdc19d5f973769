import torch
from torch import nn
torch.set_default_device("cuda")
m = nn.Linear(2, 2)
x = torch.ones(1, 2)
print(m(x).device)

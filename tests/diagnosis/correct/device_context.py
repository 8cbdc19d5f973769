import torch
from torch import nn
with torch.device("cuda"):
    model = nn.Linear(3, 3)
    data = torch.zeros(2, 3)
print(model(data).device)

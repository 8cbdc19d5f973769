# rule: D19
# line: 8
import torch
from torch import nn
device = torch.device("cuda")
model = nn.Linear(2, 2).to(device)
for p in model.parameters():
    assert p.device == device
print("all there")

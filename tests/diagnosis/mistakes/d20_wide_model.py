# rule: D20
# line: 8
# memory: 48
import torch
from torch import nn
layers = [nn.Linear(2048, 2048) for _ in range(6)]
model = nn.Sequential(*layers)
model.to("cuda")
print(sum(p.numel() for p in model.parameters()))

# rule: D12
# line: 7
import torch
from torch import nn
stats = {}
for name, p in nn.Linear(3, 2).named_parameters():
    stats[name] = p.numpy().mean()
print(sorted(stats))

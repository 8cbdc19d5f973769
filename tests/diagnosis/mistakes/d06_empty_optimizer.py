# rule: D06
# line: 8
import torch
import torch.nn as nn
class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [nn.Linear(2, 2), nn.Linear(2, 1)]
    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x
opt = torch.optim.Adam(Bag().parameters(), lr=1e-3)
print(len(opt.param_groups))

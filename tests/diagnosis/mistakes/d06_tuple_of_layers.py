# rule: D06
# line: 8
import torch
from torch import nn
class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.branches = (nn.Linear(3, 2), nn.Linear(3, 2))
    def forward(self, x):
        return sum(b(x) for b in self.branches)
m = Branches().cuda()
print(m(torch.ones(1, 3, device="cuda")).shape)

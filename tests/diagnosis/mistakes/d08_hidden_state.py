# rule: D08
# line: 12
import torch
from torch import nn
class Cell(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.i2h = nn.Linear(d, h)
        self.h2h = nn.Linear(h, h)
    def forward(self, seq):
        h = torch.zeros(seq.size(0), self.h)
        for t in range(seq.size(1)):
            h = torch.tanh(self.i2h(seq[:, t]) + self.h2h(h))
        return h
cell = Cell(3, 5).cuda()
print(cell(torch.randn(2, 4, 3, device="cuda")).shape)

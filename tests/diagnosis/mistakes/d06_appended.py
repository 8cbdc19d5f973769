# rule: D06
# line: 8
import torch
from torch import nn
class Tower(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.blocks = []
        for a, b in zip(sizes, sizes[1:]):
            self.blocks.append(nn.Sequential(nn.Linear(a, b), nn.ReLU()))
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
tower = Tower([2, 4, 3]).to("cuda")
print(tower(torch.rand(1, 2, device="cuda")).shape)

import torch
from torch import nn
class Multi(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList(nn.Linear(4, 2) for _ in range(4))
    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)
m = Multi().cuda()
print(m(torch.ones(2, 4, device="cuda")).shape)

# rule: D02
# line: 14
import torch
from torch import nn
class Twin(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(6, 4), nn.Tanh())
    def forward(self, a, b):
        return (self.enc(a) - self.enc(b)).norm(dim=1)
twin = Twin().cuda()
pairs = [(torch.randn(3, 6), torch.randn(3, 6))]
for first, second in pairs:
    dist = twin(first, second)
    print(dist.shape)

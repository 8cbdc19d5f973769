import torch
from torch import nn
class Norm(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("mean", torch.zeros(n))
        self.register_buffer("scale", torch.ones(n))
    def forward(self, x):
        return (x - self.mean) / self.scale
m = Norm(3).cuda()
print(m(torch.ones(2, 3, device="cuda")).sum().item())

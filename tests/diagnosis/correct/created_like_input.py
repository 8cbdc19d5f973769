import torch
from torch import nn
class Noise(nn.Module):
    def forward(self, x):
        eps = torch.randn(x.shape, device=x.device)
        zeros = torch.zeros_like(x)
        ones = x.new_ones(x.size(0), 1)
        return x + eps * zeros + ones
print(Noise()(torch.ones(2, 2, device="cuda")).mean().item())

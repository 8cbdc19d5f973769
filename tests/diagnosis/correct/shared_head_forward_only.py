import torch
from torch import nn
class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(3, 3)
    def forward(self, x):
        parts = []
        for i in range(x.size(1)):
            parts.append(torch.relu(self.proj(x[:, i])))
        return torch.stack(parts, 1)
print(Shared().to("cuda")(torch.randn(2, 5, 3, device="cuda")).shape)

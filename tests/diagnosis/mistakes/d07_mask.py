# rule: D07
# line: 9
import torch
from torch import nn
class Gate(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)
        self.mask = torch.tensor([1.0, 0.0] * (n // 2))
    def forward(self, x):
        return self.fc(x) * self.mask
g = Gate(4).cuda()
print(g(torch.ones(2, 4, device="cuda")).shape)

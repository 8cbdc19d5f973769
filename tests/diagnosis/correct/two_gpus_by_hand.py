# machine: cuda:2
import torch
from torch import nn
class Split(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8).to("cuda:0")
        self.second = nn.Linear(8, 2).to("cuda:1")
    def forward(self, x):
        h = torch.relu(self.first(x.to("cuda:0")))
        return self.second(h.to("cuda:1"))
m = Split()
out = m(torch.randn(3, 4))
out.sum().backward()
print(out.device, m.first.weight.grad.device)

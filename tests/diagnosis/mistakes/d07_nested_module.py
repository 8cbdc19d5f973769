# rule: D07
# line: 8
import torch
from torch import nn
class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.shift = torch.ones(5)
    def forward(self, x):
        return x + self.shift
class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.fc = nn.Linear(5, 1)
    def forward(self, x):
        return self.fc(self.inner(x))
device = "cuda"
model = Outer().to(device)
x = torch.zeros(2, 5).to(device)
print(model(x).shape)

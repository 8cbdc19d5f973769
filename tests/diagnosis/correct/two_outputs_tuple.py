import torch
from torch import nn
class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(2, 2), nn.Linear(2, 3)
    def forward(self, x):
        return self.a(x), self.b(x)
left, right = Pair().to("cuda")(torch.ones(1, 2).to("cuda"))
print(left.shape, right.shape)

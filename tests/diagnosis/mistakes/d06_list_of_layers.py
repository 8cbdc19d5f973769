# rule: D06
# line: 8
import torch
from torch import nn
class Deep(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layers = [nn.Linear(4, 4) for _ in range(n)]
        self.last = nn.Linear(4, 2)
    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.last(x)
net = Deep(3).cuda()
print(net(torch.randn(5, 4, device="cuda")).shape)

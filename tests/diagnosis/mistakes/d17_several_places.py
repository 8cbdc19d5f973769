# rule: D17
# line: 12
# machine: cpu
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
    def forward(self, x):
        return self.fc(x)
net = Net().to("cuda:0")
x = torch.randn(1, 2).to("cuda:0")
print(net(x).shape)

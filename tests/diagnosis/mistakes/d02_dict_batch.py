# rule: D02
# line: 15
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.b = nn.Linear(4, 1)
    def forward(self, x):
        return self.b(torch.relu(self.a(x)))
net = Net().to("cuda")
loader = [{"x": torch.randn(2, 3), "y": torch.randn(2, 1)} for _ in range(3)]
for batch in loader:
    pred = net(batch["x"])
    loss = (pred - batch["y"]).pow(2).mean()
    loss.backward()
print("ok")

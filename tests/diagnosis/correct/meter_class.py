import torch
from torch import nn
class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0
    def update(self, value, n=1):
        self.total += value * n
        self.count += n
m = nn.Linear(3, 1).cuda()
meter = Meter()
for _ in range(4):
    loss = m(torch.randn(2, 3, device="cuda")).pow(2).mean()
    loss.backward()
    meter.update(loss.item(), 2)
print(meter.total / meter.count > 0)

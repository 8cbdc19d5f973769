# rule: D21
# line: 10
import torch
from torch import nn
class AverageMeter:
    def __init__(self):
        self.sum = 0
        self.n = 0
    def update(self, value, k):
        self.sum += value * k
        self.n += k
    def avg(self):
        return float(self.sum) / self.n
net = nn.Linear(2, 1).cuda()
meter = AverageMeter()
for _ in range(5):
    loss = net(torch.ones(3, 2, device="cuda")).pow(2).mean()
    loss.backward()
    meter.update(loss, 3)
print(meter.avg() >= 0)

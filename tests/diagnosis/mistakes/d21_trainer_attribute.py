# rule: D21
# line: 13
import torch
from torch import nn
class Trainer:
    def __init__(self):
        self.net = nn.Linear(2, 1).cuda()
        self.running = 0.0
    def fit(self, n):
        for _ in range(n):
            loss = self.net(torch.randn(3, 2, device="cuda")).pow(2).mean()
            loss.backward()
            self.running = self.running + loss
        return self.running / n
print(float(Trainer().fit(6)) >= 0)

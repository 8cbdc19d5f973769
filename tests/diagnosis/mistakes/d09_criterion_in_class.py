# rule: D09
# line: 8
import torch
from torch import nn
class Task:
    def __init__(self):
        self.net = nn.Linear(2, 3).cuda()
        self.loss = nn.CrossEntropyLoss(weight=torch.ones(3))
    def step(self, x, y):
        return self.loss(self.net(x), y)
t = Task()
print(t.step(torch.ones(2, 2).cuda(), torch.tensor([0, 2]).cuda()).item() > 0)

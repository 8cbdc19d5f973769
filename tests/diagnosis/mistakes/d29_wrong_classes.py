# rule: D29
# line: 14
import torch
from torch import nn
class Head(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.fc = nn.Linear(3, classes)
    def forward(self, x):
        return self.fc(x)
net = Head(4).cuda()
lossf = nn.CrossEntropyLoss()
x, y = torch.ones(2, 3).cuda(), torch.tensor([3, 4]).cuda()
loss = lossf(net(x), y)
loss.backward()
torch.cuda.synchronize()

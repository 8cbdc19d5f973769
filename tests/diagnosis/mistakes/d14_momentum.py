# rule: D14
# line: 12
import torch
from torch import nn
model = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
def step(x):
    optimizer.zero_grad()
    model(x).mean().backward()
    optimizer.step()
step(torch.rand(4, 2))
model = model.cuda()
step(torch.rand(4, 2).cuda())
print("ok")

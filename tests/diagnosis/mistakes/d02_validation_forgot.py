# rule: D02
# line: 14
import torch
from torch import nn
device = torch.device("cuda")
net = nn.Linear(3, 2).to(device)
train = [(torch.randn(4, 3), torch.randint(0, 2, (4,)))]
valid = [(torch.randn(4, 3), torch.randint(0, 2, (4,)))]
for x, y in train:
    x, y = x.to(device), y.to(device)
    nn.functional.cross_entropy(net(x), y).backward()
with torch.no_grad():
    for x, y in valid:
        acc = (net(x).argmax(1) == y).float().mean()
print(acc.item() >= 0)

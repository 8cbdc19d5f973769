# rule: D09
# line: 7
import torch
from torch import nn
device = torch.device("cuda")
weights = torch.tensor([0.2, 0.8])
criterion = nn.CrossEntropyLoss(weight=weights)
net = nn.Linear(3, 2).to(device)
x = torch.randn(6, 3, device=device)
y = torch.randint(0, 2, (6,), device=device)
loss = criterion(net(x), y)
loss.backward()
print(loss.item() > 0)

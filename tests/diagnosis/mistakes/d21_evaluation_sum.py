# rule: D21
# line: 12
import torch
from torch import nn
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)).cuda()
criterion = nn.CrossEntropyLoss()
net.eval()
val_loss = 0
for _ in range(5):
    x = torch.randn(6, 4, device="cuda")
    y = torch.randint(0, 2, (6,), device="cuda")
    val_loss += criterion(net(x), y)
print(val_loss.item() / 5 > 0)

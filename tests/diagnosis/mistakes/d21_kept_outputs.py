# rule: D21
# line: 15
import torch
from torch import nn
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1)).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
all_preds = []
for epoch in range(4):
    x = torch.randn(6, 3, device="cuda")
    pred = net(x)
    loss = pred.square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    all_preds.append(pred)
print(torch.cat(all_preds).shape)

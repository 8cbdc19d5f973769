import torch
from torch import nn
net = nn.Linear(3, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
preds, targets = [], []
for _ in range(5):
    x = torch.randn(4, 3, device="cuda")
    out = net(x)
    loss = out.pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    preds.append(out.detach().cpu())
    targets.append(torch.zeros(4, 1))
print(torch.cat(preds).shape, torch.cat(targets).shape)

# rule: D11
# line: 8
import torch
from torch import nn
net = nn.Linear(2, 1).cuda()
with torch.no_grad():
    preds = net(torch.ones(3, 2, device="cuda"))
print(preds.squeeze(1).numpy().shape)

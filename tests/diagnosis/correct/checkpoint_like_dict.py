import copy
import torch
from torch import nn
model = nn.Linear(2, 1).cuda()
best = None
for i in range(3):
    loss = model(torch.randn(4, 2, device="cuda")).pow(2).mean()
    if best is None or loss.item() < best[0]:
        best = (loss.item(), copy.deepcopy(model.state_dict()))
print(best[0] >= 0)

# rule: D20
# line: 10
# memory: 64
import torch
from torch import nn
model = nn.Linear(2048, 2048).cuda()
opt = torch.optim.Adam(model.parameters())
loss = model(torch.randn(4, 2048, device="cuda")).sum()
loss.backward()
opt.step()
print("stepped")

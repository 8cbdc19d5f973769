# rule: D24
# line: 8
import torch
from torch import nn
net = nn.Linear(8, 2).cuda()
for _ in range(3):
    batch = torch.randn(16, 8)
    out = net(batch.pin_memory().to("cuda", non_blocking=True))
print(out.shape)

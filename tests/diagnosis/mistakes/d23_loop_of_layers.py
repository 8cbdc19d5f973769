# rule: D23
# line: 11
import time
import torch
from torch import nn
net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 64)).cuda()
x = torch.randn(32, 64, device="cuda")
begin = time.perf_counter()
for _ in range(10):
    y = net(x)
end = time.perf_counter()
print((end - begin) / 10 >= 0)

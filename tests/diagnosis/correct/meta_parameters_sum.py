import torch
from torch import nn
net = nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 2)).to("cuda")
count = 0
bytes_ = 0
for p in net.parameters():
    count += p.numel()
    bytes_ += p.nbytes
print(count, bytes_)

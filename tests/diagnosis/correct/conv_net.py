import torch
from torch import nn
net = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(4 * 4 * 4, 2)).cuda()
img = torch.randn(2, 1, 8, 8).cuda()
print(net(img).shape)

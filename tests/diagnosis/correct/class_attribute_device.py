import torch
from torch import nn
class Config:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    batch = 4
net = nn.Sequential(nn.Linear(3, 3), nn.Tanh()).to(Config.device)
print(net(torch.zeros(Config.batch, 3, device=Config.device)).device)

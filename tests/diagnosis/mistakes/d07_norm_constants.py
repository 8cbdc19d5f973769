# rule: D07
# line: 8
import torch
from torch import nn
class Normalise(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.tensor([0.1, 0.2, 0.3]).view(1, 3, 1, 1)
    def forward(self, img):
        return img - self.mean
pipeline = nn.Sequential(Normalise(), nn.Conv2d(3, 2, 3)).cuda()
print(pipeline(torch.rand(1, 3, 6, 6, device="cuda")).shape)

# rule: D03
# line: 13
import torch
from torch import nn
class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose2d(4, 2, 2, stride=2)
    def forward(self, z):
        return self.up(z)
dec = Decoder().to("cuda")
z = torch.zeros(1, 4, 3, 3)
print(dec(z).shape)

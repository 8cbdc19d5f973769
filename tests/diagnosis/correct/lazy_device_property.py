import torch
from torch import nn
class Base(nn.Module):
    @property
    def device(self):
        return next(self.parameters()).device
class Net(Base):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(6, 3)
    def forward(self, n):
        ids = torch.arange(n, device=self.device)
        return self.emb(ids)
print(Net().cuda()(4).shape)

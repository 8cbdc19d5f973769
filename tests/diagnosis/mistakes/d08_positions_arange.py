# rule: D08
# line: 11
import torch
from torch import nn
class WithPos(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(10, 4)
        self.pos = nn.Embedding(8, 4)
    def forward(self, ids):
        where = torch.arange(ids.size(1))
        return self.tok(ids) + self.pos(where)
m = WithPos().to("cuda")
print(m(torch.randint(0, 10, (2, 6), device="cuda")).shape)

# rule: D06
# line: 9
import torch
from torch import nn
class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 3)
        self.heads = {"a": nn.Linear(3, 1), "b": nn.Linear(3, 2)}
    def forward(self, x, which):
        return self.heads[which](self.body(x))
m = Heads().to("cuda")
print(m(torch.ones(2, 3).cuda(), "b").shape)

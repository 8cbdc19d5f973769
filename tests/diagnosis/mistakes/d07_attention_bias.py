# rule: D07
# line: 10
import torch
from torch import nn
class Attend(nn.Module):
    def __init__(self, dim, size):
        super().__init__()
        self.q = nn.Linear(dim, dim)
        self.k = nn.Linear(dim, dim)
        self.bias = torch.zeros(size, size).fill_diagonal_(-1e4)
    def forward(self, x):
        score = self.q(x) @ self.k(x).transpose(1, 2)
        return (score + self.bias).softmax(-1) @ x
att = Attend(4, 3).cuda()
print(att(torch.randn(2, 3, 4, device="cuda")).shape)

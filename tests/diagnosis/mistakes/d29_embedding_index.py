# rule: D29
# line: 6
import torch
from torch import nn
emb = nn.Embedding(5, 2).cuda()
vec = emb(torch.tensor([1, 7], device="cuda"))
print(vec.sum().item())

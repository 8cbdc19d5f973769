import torch
from torch import nn

layer = nn.Embedding(4, 2)
print(layer(torch.tensor([1])).shape)
sparse = nn.Embedding(4, 2, sparse=True)

import torch
from torch import nn
emb = nn.Embedding(10, 4).cuda()
ids = torch.tensor([[1, 2], [3, 4]])
ids = ids.cuda()
print(emb(ids).shape)

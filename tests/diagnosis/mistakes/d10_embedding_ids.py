# rule: D10
# line: 7
import torch
from torch import nn
emb = nn.Embedding(50, 8).to("cuda")
tokens = torch.tensor([[3, 4, 9], [1, 1, 0]])
vectors = emb(tokens)
print(vectors.shape)

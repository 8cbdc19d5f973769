# rule: D12
# line: 6
import torch
from torch import nn
layer = nn.Linear(2, 2)
matrix = layer.weight.numpy()
print(matrix.shape)

# rule: D13
# line: 5
import torch
from torch import nn
scale = nn.Parameter(torch.ones(3)).to("cuda")
optimizer = torch.optim.Adam([scale], lr=0.1)
loss = (scale * 2).sum()
loss.backward()
optimizer.step()
print(scale.shape)

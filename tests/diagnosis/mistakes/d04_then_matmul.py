# rule: D04
# line: 7
import torch
from torch import nn
model = nn.Linear(4, 2).cuda()
batch = torch.randn(3, 4)
batch.cuda()
print(model(batch).shape)

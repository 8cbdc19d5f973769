# rule: D03
# line: 7
import torch
from torch import nn
layer = nn.Conv1d(2, 4, 3)
audio = torch.randn(1, 2, 50, device="cuda")
print(layer(audio).shape)

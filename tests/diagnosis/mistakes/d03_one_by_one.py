# rule: D03
# line: 7
import torch
from torch import nn
squeeze = nn.Conv2d(4, 2, 1).to("cuda")
feature_map = torch.zeros(2, 4, 5, 5)
print(squeeze(feature_map).shape)

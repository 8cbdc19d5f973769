# rule: D26
# line: 7
import torch
from torch import nn
saved = nn.DataParallel(nn.Linear(2, 1)).state_dict()
fresh = nn.Linear(2, 1)
fresh.load_state_dict(saved)
print(fresh.weight.shape)

# rule: D26
# line: 7
import torch
from torch import nn
checkpoint = nn.Linear(3, 2).state_dict()
wrapped = nn.DataParallel(nn.Linear(3, 2))
wrapped.load_state_dict(checkpoint)
print(sorted(wrapped.state_dict()))

# rule: D15
# line: 8
# machine: cpu
# fixture: gpu_state
import torch
from torch import nn
net = nn.Linear(2, 1)
state = torch.load("FIXTURE", weights_only=True)
net.load_state_dict(state)
print(net.weight.device)

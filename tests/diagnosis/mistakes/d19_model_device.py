# rule: D19
# line: 8
import torch
from torch import nn
DEVICE = torch.device("cuda")
net = nn.Linear(2, 2).to(DEVICE)
where = next(net.parameters()).device
print("ready" if where == DEVICE else "not on the GPU")

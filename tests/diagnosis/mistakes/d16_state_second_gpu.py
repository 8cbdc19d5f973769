# rule: D16
# line: 8
# fixture: cuda2_state
import torch
import torch.nn as nn
device = torch.device("cuda")
m = nn.Linear(2, 1).to(device)
m.load_state_dict(torch.load("FIXTURE", weights_only=True))
print(m.weight.device)

import torch
from torch import nn
model = nn.Linear(2, 1).cuda()
cpu_state = {k: v.cpu() for k, v in model.state_dict().items()}
out = model(torch.ones(1, 2).cuda())
print(cpu_state["bias"].device, out.device)

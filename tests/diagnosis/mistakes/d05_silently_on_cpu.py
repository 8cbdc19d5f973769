# rule: D05
# line: 6
import torch
from torch import nn
model = nn.Linear(2, 1).cuda()
host_model = model.cpu()
for i in range(2):
    x = torch.ones(4, 2).to(next(model.parameters()).device)
    print(model(x).shape)
print(host_model(torch.ones(1, 2)).shape)

# rule: D22
# line: 7
import torch
from torch import nn
model = nn.Linear(512, 512).cuda()
opt = torch.optim.Adam(model.parameters())
del model
torch.cuda.empty_cache()
print(torch.cuda.memory_allocated())

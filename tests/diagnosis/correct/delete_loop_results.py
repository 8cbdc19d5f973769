import torch
from torch import nn
m = nn.Linear(64, 64).cuda()
for i in range(3):
    x = torch.randn(8, 64, device="cuda")
    out = m(x)
    loss = out.sum()
    loss.backward()
    del x, out, loss
torch.cuda.empty_cache()
print(torch.cuda.memory_allocated() > 0)

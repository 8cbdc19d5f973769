# rule: D28
# line: 4
import torch
g = torch.Generator().manual_seed(0)
noise = torch.randn(3, device="cuda", generator=g)
print(noise.shape)

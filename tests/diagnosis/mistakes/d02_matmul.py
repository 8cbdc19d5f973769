# rule: D02
# line: 6
import torch
w = torch.randn(4, 4, device="cuda")
v = torch.randn(4, 1)
print((w @ v).shape)

# rule: D24
# line: 4
import torch
x = torch.ones(4).cuda().pin_memory()
print(x.shape)

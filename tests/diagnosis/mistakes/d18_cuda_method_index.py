# rule: D18
# line: 4
import torch
t = torch.arange(3).cuda(2)
print(t.tolist())

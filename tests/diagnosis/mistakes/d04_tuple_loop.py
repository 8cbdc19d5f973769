# rule: D04
# line: 6
import torch
x, y = torch.ones(2), torch.zeros(2)
for t in (x, y):
    t = t.to("cuda")
print(x.device, y.device)

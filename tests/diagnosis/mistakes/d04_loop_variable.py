# rule: D04
# line: 6
import torch
parts = [torch.ones(2), torch.zeros(2)]
for p in parts:
    p = p.cuda()
total = torch.zeros(2, device="cuda")
for p in parts:
    total = total + p
print(total.tolist())

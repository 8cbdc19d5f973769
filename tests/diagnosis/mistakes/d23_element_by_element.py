# rule: D23
# line: 7
import torch
scores = torch.rand(100, device="cuda")
best, where = -1.0, 0
for i in range(len(scores)):
    if scores[i].item() > best:
        best, where = scores[i].item(), i
print(best > 0)

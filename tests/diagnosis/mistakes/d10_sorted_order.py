# rule: D10
# line: 7
import torch
names = torch.arange(5)
values = torch.rand(5).cuda()
order = values.argsort(descending=True)
ranked = names[order]
print(len(ranked))

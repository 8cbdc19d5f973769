# rule: D02
# line: 6
import torch
q = torch.randn(2, 3, 4).cuda()
k = torch.randn(2, 4, 3)
att = torch.bmm(q, k)
print(att.shape)

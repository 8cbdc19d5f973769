# rule: D29
# line: 7
import torch
from torch import nn
net = nn.Linear(4, 10).cuda()
labels = torch.tensor([0, 10, 3], device="cuda")
loss = nn.functional.cross_entropy(net(torch.ones(3, 4, device="cuda")), labels)
print(loss.item())

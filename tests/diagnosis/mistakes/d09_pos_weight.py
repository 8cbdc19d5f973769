# rule: D09
# line: 5
import torch
from torch import nn
crit = nn.BCEWithLogitsLoss(pos_weight=torch.tensor([3.0, 1.0]))
head = nn.Linear(4, 2).cuda()
out = head(torch.ones(2, 4, device="cuda"))
goal = torch.ones(2, 2, device="cuda")
print(crit(out, goal).item() > 0)

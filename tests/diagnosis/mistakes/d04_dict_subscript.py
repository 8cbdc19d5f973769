# rule: D04
# line: 7
import torch
from torch import nn
net = nn.Linear(2, 1).cuda()
data = {"x": torch.ones(3, 2)}
data["x"].to("cuda")
print(net(data["x"]).shape)

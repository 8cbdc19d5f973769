# rule: D01
# line: 11
import torch
from torch import nn
device = torch.device("cuda")
net = nn.Linear(4, 1).to(device)
criterion = nn.MSELoss()
inputs = torch.randn(8, 4, device=device)
wanted = torch.randn(8, 1)
prediction = net(inputs)
loss = criterion(prediction, wanted)
loss.backward()
print(loss.item() >= 0)

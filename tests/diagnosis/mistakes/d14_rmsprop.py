# rule: D14
# line: 8
import torch
from torch import nn
net = nn.Linear(1, 1)
rms = torch.optim.RMSprop(net.parameters(), lr=0.01)
for device in ["cpu", "cuda"]:
    net.to(device)
    rms.zero_grad()
    net(torch.ones(3, 1, device=device)).sum().backward()
    rms.step()
print("both")

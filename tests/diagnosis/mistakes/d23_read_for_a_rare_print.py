# rule: D23
# line: 17
import torch
from torch import nn

torch.manual_seed(2)
dev = "cuda"
net = nn.Linear(4, 4).to(dev)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
data = torch.randn(32, 4, device=dev)

for step in range(300):
    opt.zero_grad()
    loss = (net(data) - data).pow(2).mean()
    loss.backward()
    opt.step()
    current = loss.item()
    if step % 50 == 0:
        print(step, round(current, 4))

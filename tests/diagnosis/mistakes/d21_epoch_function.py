# rule: D21
# line: 12
import torch
from torch import nn
def train_epoch(net, data, optim):
    epoch_loss = 0.0
    for inputs in data:
        optim.zero_grad()
        out = net(inputs).abs().mean()
        out.backward()
        optim.step()
        epoch_loss = epoch_loss + out * len(inputs)
    return epoch_loss / len(data)
net = nn.Linear(2, 1).to("cuda")
optim = torch.optim.Adam(net.parameters())
data = [torch.randn(4, 2, device="cuda") for _ in range(5)]
print(train_epoch(net, data, optim).item() > 0)

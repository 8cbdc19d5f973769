# rule: D05
# line: 7
import torch
from torch import nn
net = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1)).to("cuda")
def export(network):
    network.cpu()
    return [p.detach().clone() for p in network.parameters()]
first = export(net)
out = net(torch.ones(3, 2, device="cuda"))
print(len(first), out.shape)

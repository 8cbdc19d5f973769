# rule: D04
# line: 6
import torch
from torch import nn
def forward_pass(net, inputs, device):
    inputs.to(device)
    return net(inputs)
net = nn.Linear(2, 2).to("cuda")
print(forward_pass(net, torch.ones(1, 2), "cuda").shape)

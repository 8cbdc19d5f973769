import torch
from torch import nn
trunk, heads = nn.Linear(4, 4).cuda(), {"a": nn.Linear(4, 1).cuda(), "b": nn.Linear(4, 1).cuda()}
weights = {"a": 1.0, "b": 0.5}
params = list(trunk.parameters()) + [p for h in heads.values() for p in h.parameters()]
opt = torch.optim.SGD(params, lr=0.01)
for _ in range(3):
    x = torch.randn(8, 4, device="cuda")
    losses = {}
    for name, head in heads.items():
        losses[name] = head(trunk(x)).pow(2).mean()
    total = sum(weights[k] * v for k, v in losses.items())
    opt.zero_grad()
    total.backward()
    opt.step()
print({k: v.item() >= 0 for k, v in losses.items()})

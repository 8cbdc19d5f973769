# rule: D23
# line: 16
import torch
from torch import nn

def train(model, x, y, steps):
    opt = torch.optim.SGD(model.parameters(), lr=0.02)
    history = []
    for _ in range(steps):
        opt.zero_grad()
        out = model(x)
        loss = ((out - y) ** 2).mean()
        loss.backward()
        opt.step()
        # for the plot
        history.append(loss.item())
    return history

torch.manual_seed(0)
x = torch.randn(8, 2, device="cuda")
curve = train(nn.Linear(2, 1).cuda(), x, x.sum(1, keepdim=True), 520)
print(len(curve), curve[-1] < curve[0])

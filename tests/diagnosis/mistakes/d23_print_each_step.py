# rule: D23
# line: 14
import torch
from torch import nn
torch.manual_seed(0)
device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.05)
x = torch.randn(64, 8, device=device)
y = x.sum(1, keepdim=True)
for step in range(200):
    loss = ((model(x) - y) ** 2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    print(step, loss.item())

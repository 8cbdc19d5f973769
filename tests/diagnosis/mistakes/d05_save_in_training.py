# rule: D05
# line: 12
import io
import torch
from torch import nn
model = nn.Linear(3, 1).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    x = torch.randn(4, 3, device="cuda")
    loss = model(x).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    weights = {k: v.clone() for k, v in model.cpu().state_dict().items()}
print(sorted(weights))

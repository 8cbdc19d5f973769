# rule: D21
# line: 10
import torch
from torch import nn
model = nn.Linear(2, 1).to("cuda")
log = {"train": [], "lr": []}
for epoch in range(5):
    loss = model(torch.randn(3, 2, device="cuda")).pow(2).sum()
    loss.backward()
    log["train"].append(loss)
    log["lr"].append(0.1)
print(len(log["train"]))

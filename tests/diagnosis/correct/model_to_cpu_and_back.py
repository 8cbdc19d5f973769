import torch
from torch import nn
device = "cuda"
model = nn.Linear(2, 1).to(device)
for epoch in range(3):
    out = model(torch.ones(2, 2, device=device))
    model.cpu()
    snapshot = {k: v.clone() for k, v in model.state_dict().items()}
    model.to(device)
print(snapshot["weight"].device)

import torch
from torch import nn
model = nn.Linear(2, 2).cuda()
ema = {k: v.clone() for k, v in model.state_dict().items()}
for _ in range(4):
    with torch.no_grad():
        for k, v in model.state_dict().items():
            ema[k] = 0.9 * ema[k] + 0.1 * v
print(ema["weight"].device)

import torch
from torch import nn
m = nn.Linear(3, 2).cuda().eval()
preds = []
with torch.inference_mode():
    for _ in range(4):
        preds.append(m(torch.randn(2, 3, device="cuda")))
print(torch.cat(preds).shape)

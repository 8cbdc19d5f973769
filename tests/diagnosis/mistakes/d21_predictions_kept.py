# rule: D21
# line: 8
import torch
from torch import nn
def predict_all(model, batches):
    outputs = []
    for b in batches:
        outputs.append(model(b))
    return torch.cat(outputs)
model = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1)).cuda().eval()
batches = [torch.randn(4, 3, device="cuda") for _ in range(5)]
print(predict_all(model, batches).shape)

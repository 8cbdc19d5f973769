import torch
from torch import nn
@torch.no_grad()
def evaluate(model, batches):
    model.eval()
    loss = 0
    for x in batches:
        loss += model(x).pow(2).mean()
    return loss / len(batches)
m = nn.Linear(2, 1).cuda()
print(evaluate(m, [torch.ones(1, 2, device="cuda")] * 3).item() >= 0)

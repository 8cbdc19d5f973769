# rule: D02
# line: 8
import torch
from torch import nn
def run_epoch(model, batches, device):
    total = 0.0
    for x, y in batches:
        out = model(x)
        total += nn.functional.mse_loss(out, y).item()
    return total
device = torch.device("cuda:0")
model = nn.Linear(2, 1).to(device)
batches = [(torch.ones(4, 2), torch.zeros(4, 1)) for _ in range(2)]
print(run_epoch(model, batches, device) >= 0)

import torch
import torch.nn as nn

# A module can be born on the GPU, whatever older tutorials say.
a = nn.Linear(64, 64, device="cuda")

with torch.device("cuda"):
    b = nn.Linear(64, 64)
    x = torch.randn(4, 64)

print(a.weight.device, b.weight.device, x.device)
print(b(a(x)).shape)
# Nothing crossed the link.

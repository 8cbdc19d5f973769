import torch
a, b = torch.ones(2), torch.ones(2, device="cuda")
try:
    a + b
except RuntimeError:
    print((a.cuda() + b).tolist())

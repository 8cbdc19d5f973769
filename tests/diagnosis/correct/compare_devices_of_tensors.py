import torch
a, b = torch.ones(1, device="cuda"), torch.ones(1)
if a.device != b.device:
    b = b.to(a.device)
print((a + b).item())

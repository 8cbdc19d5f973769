import torch
x = torch.arange(6.0, device="cuda").reshape(2, 3)
scale = torch.tensor(0.5)
print((x * scale + torch.tensor(1.0)).sum().item())

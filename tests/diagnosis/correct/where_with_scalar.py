import torch
x = torch.randn(5, device="cuda")
print(torch.where(x > 0, x, torch.tensor(0.0)).min().item() >= 0)
clipped = torch.clamp(x, min=torch.tensor(-1.0, device="cuda"))
print(clipped.device)

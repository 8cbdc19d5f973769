# machine: mps
import torch
device = torch.device("mps" if torch.backends.mps.is_available() else "cpu")
x = torch.ones(3, device=device)
print((x * 2).sum().item())

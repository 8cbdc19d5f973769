import torch
table = torch.arange(10.0, device="cuda")
idx = torch.tensor([1, 3, 5])
print(table[idx].tolist())
mask = torch.tensor([True] * 5 + [False] * 5)
print(table[mask].sum().item())

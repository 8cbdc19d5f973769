import torch
x = torch.randn(10, 2, device="cuda")
perm = torch.randperm(10)
print(x[perm][:4].shape)

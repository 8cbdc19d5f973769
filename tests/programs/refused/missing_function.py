import torch

x = torch.ones(3)
print(x.sum())
print(torch.svd_lowrank_of_nothing(x))

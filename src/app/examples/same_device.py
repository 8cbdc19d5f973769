import torch

a = torch.ones(3, 4)
b = torch.ones(3, 4, device="cuda")

c = a + b   # which side has to move?
print(c)

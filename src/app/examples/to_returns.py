import torch

x = torch.ones(3)
x.to("cuda")                      # the copy is made, and nobody keeps it
print(x.device)                   # cpu

y = x.to("cuda")
print(y.device, x.device)         # two tensors, two places

z = y.to("cuda")                  # already there: the very same tensor
print(z is y, z.data_ptr() == y.data_ptr())

import torch
g = torch.Generator(device="cuda").manual_seed(3)
print(torch.rand(2, device="cuda", generator=g).shape)
c = torch.Generator().manual_seed(3)
print(torch.randperm(4, generator=c).tolist())

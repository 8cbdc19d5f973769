import torch
x = torch.ones(3, device="cuda")
x.add_(1)
x.mul_(2).sub_(1)
x.zero_()
print(x.sum().item())

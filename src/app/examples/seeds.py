import torch

torch.manual_seed(0)
a = torch.randn(3)
b = torch.randn(3, device="cuda")

torch.manual_seed(0)
print(torch.equal(a, torch.randn(3)))
print(torch.equal(b, torch.randn(3, device="cuda")))
print(a, b.cpu())                 # each device has its own generator: same seed, other numbers

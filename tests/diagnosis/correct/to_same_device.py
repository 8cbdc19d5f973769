import torch
device = torch.device("cuda")
a = torch.randn(3, device=device)
b = a.to(device)
print(b is a, (a + b).device)

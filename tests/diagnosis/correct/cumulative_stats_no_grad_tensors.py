import torch
mean = torch.zeros(3, device="cuda")
for i in range(1, 6):
    x = torch.randn(3, device="cuda")
    mean += (x - mean) / i
print(mean.shape)

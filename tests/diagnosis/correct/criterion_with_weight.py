import torch
from torch import nn
device = "cuda"
w = torch.tensor([1.0, 2.0])
criterion = nn.CrossEntropyLoss(weight=w).to(device)
out = torch.randn(4, 2, device=device, requires_grad=True)
target = torch.tensor([0, 1, 1, 0], device=device)
criterion(out, target).backward()
print(out.grad.shape)

import torch
w = torch.randn(3, device="cuda", requires_grad=True)
(w * 2).sum().backward()
print(w.grad.tolist())

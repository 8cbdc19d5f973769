import torch
w = torch.randn(3, requires_grad=True)
loss = w.to("cuda").pow(2).sum()
loss.backward()
print(w.grad.device, w.grad.shape)

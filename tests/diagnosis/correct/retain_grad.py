import torch
x = torch.ones(2, requires_grad=True)
h = x.cuda()
h.retain_grad()
(h * 3).sum().backward()
print(h.grad.tolist(), x.grad.tolist())

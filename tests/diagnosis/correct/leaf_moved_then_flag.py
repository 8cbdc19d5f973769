import torch
w = torch.zeros(3).to("cuda").requires_grad_()
opt = torch.optim.SGD([w], lr=0.1)
(w - 1).pow(2).sum().backward()
opt.step()
print(w.grad is not None)

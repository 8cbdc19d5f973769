import torch
x = torch.arange(3.0, device="cuda", requires_grad=True)
y = (x * 2).detach().cpu()
print(y.tolist(), y.device)

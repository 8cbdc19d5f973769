import torch
w = torch.ones(4, device="cuda")
x = torch.ones(4)
print((x.to("cuda") * w).sum().item())
print(x.device)

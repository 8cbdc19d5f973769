import torch
a, b = torch.ones(2), torch.zeros(2, device="cuda")
a, b = a.to(b.device), b.to("cpu")
print(a.device, b.device)

import torch
device = torch.device("cuda", 0)
a = torch.ones(2, device=device)
b = torch.ones(2)
print(a.device == device, b.device == torch.device("cpu"), a.device != b.device)

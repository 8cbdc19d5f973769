import torch
host = torch.zeros(4)
gpu = torch.arange(4.0, device="cuda")
host.copy_(gpu)
gpu.copy_(torch.ones(4))
print(host.tolist(), gpu.tolist())

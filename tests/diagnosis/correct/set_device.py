# machine: cuda:2
import torch
torch.cuda.set_device(1)
a = torch.ones(2, device="cuda")
with torch.cuda.device(0):
    b = torch.ones(2, device="cuda")
print(a.device, b.device, (a.cpu() + b.cpu()).tolist())

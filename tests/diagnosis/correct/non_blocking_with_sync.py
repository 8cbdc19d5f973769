import torch
y = torch.arange(5.0, device="cuda") * 2
out = y.to("cpu", non_blocking=True)
torch.cuda.synchronize()
print(out.sum().item())

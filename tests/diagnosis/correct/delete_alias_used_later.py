import torch
base = torch.arange(12.0, device="cuda")
view = base.reshape(3, 4)
del base
torch.cuda.empty_cache()
print(view.sum().item())

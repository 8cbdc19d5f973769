import torch
try:
    x = torch.empty(1 << 36, device="cuda")
except torch.cuda.OutOfMemoryError:
    torch.cuda.empty_cache()
    x = torch.empty(16, device="cuda")
print(x.shape)

import torch
ok = False
size = 1 << 34
try:
    x = torch.empty(size * 4, device="cuda")
    ok = True
except torch.OutOfMemoryError:
    pass
if not ok:
    torch.cuda.empty_cache()
    x = torch.empty(1024, device="cuda")
print(x.numel())

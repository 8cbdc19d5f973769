import torch

batch = torch.randn(256, 256)
pinned = batch.pin_memory()       # a copy within the host, to memory the GPU can read by itself

a = batch.to("cuda")              # waits until the bytes have arrived
b = pinned.to("cuda", non_blocking=True)   # returns at once
torch.cuda.synchronize()

print(pinned.is_pinned(), batch.is_pinned())
print(torch.equal(a, b))
# Pinning is a copy as well: it's worth it in a DataLoader, which pins while the GPU computes.

import torch

batch = torch.randn(256, 256)
pinned = batch.pin_memory()       # a copy within the host, to memory the GPU can read by itself

a = batch.to("cuda")
b = pinned.to("cuda", non_blocking=True)
torch.cuda.synchronize()

print(pinned.is_pinned(), batch.is_pinned())
print(torch.equal(a, b))
# Pinning costs a copy too: it's worth it in a DataLoader, which pins while the GPU computes.

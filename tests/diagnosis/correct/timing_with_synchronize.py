import time
import torch
a = torch.randn(64, 64, device="cuda")
torch.cuda.synchronize()
start = time.perf_counter()
for _ in range(10):
    b = a @ a
torch.cuda.synchronize()
elapsed = time.perf_counter() - start
print(elapsed > 0)

import time
import torch
x = torch.randn(256, 256)
pinned = x.pin_memory()
def measure(t):
    torch.cuda.synchronize()
    t0 = time.perf_counter()
    for _ in range(5):
        t.to("cuda", non_blocking=True)
    torch.cuda.synchronize()
    return time.perf_counter() - t0
print(measure(x) > 0, measure(pinned) > 0)

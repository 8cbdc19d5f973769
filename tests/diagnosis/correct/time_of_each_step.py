import time
import torch
torch.manual_seed(0)
x = torch.randn(32, 32, device="cuda")
times = []
for _ in range(120):
    begin = time.perf_counter()
    y = (x @ x).sum()
    checksum = y.item()
    times.append(time.perf_counter() - begin)
print(len(times), min(times) >= 0)

import time
import torch
a = torch.randn(32, 32)
t0 = time.time()
for _ in range(20):
    a = torch.tanh(a)
print(time.time() - t0 >= 0)

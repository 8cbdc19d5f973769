# rule: D23
# line: 8
import time
import torch
a = torch.randn(128, 128, device="cuda")
t0 = time.time()
b = a @ a
print("took", time.time() - t0 >= 0)

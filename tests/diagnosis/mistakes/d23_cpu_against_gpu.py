# rule: D23
# line: 10
import time
import torch
for dev in ("cpu", "cuda"):
    m = torch.randn(64, 64, device=dev)
    tic = time.time()
    for _ in range(3):
        m = m @ m * 0.01
    toc = time.time()
    print(dev, toc - tic >= 0)

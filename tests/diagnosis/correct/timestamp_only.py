import time
import torch
print("started", int(time.time()) > 0)
x = torch.ones(4, device="cuda")
y = x * 3
print("ended", time.strftime("%Y") != "")
print(y.sum().item())

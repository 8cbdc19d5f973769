# rule: D24
# line: 8
import torch
host = torch.empty(4, pin_memory=True)
total = 0.0
for i in range(3):
    gpu = torch.full((4,), float(i), device="cuda")
    host.copy_(gpu, non_blocking=True)
    total += host.sum().item()
print(total)

# rule: D24
# line: 7
import torch
data = [torch.randn(4, 4) for _ in range(3)]
total = 0.0
for d in data:
    d = d.pin_memory()
    d = d.to("cuda", non_blocking=True)
    total += d.sum().item()
print(total == total)

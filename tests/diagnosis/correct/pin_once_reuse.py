import torch
pool = torch.randn(64, 8).pin_memory()
total = 0.0
for i in range(0, 64, 16):
    batch = pool[i:i + 16].to("cuda", non_blocking=True)
    total += batch.sum().item()
print(total == total)

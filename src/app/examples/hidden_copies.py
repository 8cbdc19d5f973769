import torch

x = torch.randn(512, 512, device="cuda")

total = 0.0
for step in range(8):
    x = x * 0.9
    total += x.mean().item()      # 4 bytes come back, and the host waits: 8 times

running = torch.zeros((), device="cuda")
for step in range(8):
    x = x * 0.9
    running += x.mean()           # stays on the GPU
print(total, running.item())      # one wait for all of them

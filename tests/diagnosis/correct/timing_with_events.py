import torch
start = torch.cuda.Event(enable_timing=True)
stop = torch.cuda.Event(enable_timing=True)
x = torch.randn(32, 32, device="cuda")
start.record()
for _ in range(5):
    x = x @ x * 0.01
stop.record()
torch.cuda.synchronize()
print(start.elapsed_time(stop) >= 0)

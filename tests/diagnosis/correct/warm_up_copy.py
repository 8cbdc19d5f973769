import time, torch
x = torch.randn(100, 100)
t = time.time()
x.to("cuda")
torch.cuda.synchronize()
first = time.time() - t
t = time.time()
x.to("cuda")
torch.cuda.synchronize()
print(first > 0, time.time() - t > 0)

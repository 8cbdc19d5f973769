import torch
torch.manual_seed(0)
x = torch.rand(2, 3, 4, 5)
cl = torch.channels_last
for f in (torch.zeros_like, torch.ones_like, torch.empty_like, torch.rand_like, torch.randn_like):
    print(f.__name__, f(x, memory_format=cl).stride(), f(x.to(memory_format=cl)).stride(), f(x.to(memory_format=cl), memory_format=torch.contiguous_format).stride(), f(x, memory_format=torch.preserve_format).stride())
print(torch.full_like(x, 2., memory_format=cl).stride(), torch.randint_like(x, 5, memory_format=cl).stride(), torch.rand_like(x, memory_format=cl).sum())
print(torch.rand_like(x, memory_format=cl)[0, 0, 0], torch.randint_like(x, 5, memory_format=cl)[0, 0])
t = x[0, 0].t()
print(torch.bernoulli(t, 0.5), torch.bernoulli(t, 0.5).stride(), torch.bernoulli(t), torch.bernoulli(t).stride())
try: torch.zeros_like(t, memory_format=cl)
except Exception as e: print(type(e).__name__, e)
try: torch.zeros_like(t, memory_format=3)
except Exception as e: print(type(e).__name__, str(e)[:90])
print(torch.arange(3).T)

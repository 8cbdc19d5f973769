import torch
x = torch.zeros(1 << 20, device="cuda")
before = torch.cuda.memory_allocated()
del x
torch.cuda.empty_cache()
print(before - torch.cuda.memory_allocated())

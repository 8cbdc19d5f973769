# rule: D22
# line: 6
import torch
x = torch.zeros(1 << 20, device="cuda")
cache = {"last": x}
del x
torch.cuda.empty_cache()
print(torch.cuda.memory_allocated())

# rule: D22
# line: 6
import torch
frames = torch.rand(64, 1024, device="cuda")
first = frames[0]
del frames
torch.cuda.empty_cache()
print(torch.cuda.memory_allocated(), torch.cuda.memory_reserved())

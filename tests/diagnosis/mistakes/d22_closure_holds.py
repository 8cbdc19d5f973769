# rule: D22
# line: 8
import torch
images = torch.rand(256, 1024, device="cuda")
hooks = [images]
def show():
    return len(hooks)
del images
torch.cuda.empty_cache()
print(torch.cuda.memory_reserved())

# rule: D27
# line: 6
import torch
import torch.distributed as dist
grad = torch.ones(3)
dist.all_reduce(grad)
print(grad)

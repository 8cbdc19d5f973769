# rule: D22
# line: 7
import torch
kept = []
batch = torch.ones(1 << 18, device="cuda")
kept.append(batch)
batch = None
torch.cuda.empty_cache()
print("allocated", torch.cuda.memory_allocated())

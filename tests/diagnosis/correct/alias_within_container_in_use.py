import torch
pool = {}
for name in "abc":
    t = torch.zeros(256, device="cuda")
    pool[name] = t
    del t
torch.cuda.empty_cache()
print(sum(v.numel() for v in pool.values()), pool["a"].sum().item())

# rule: D28
# line: 4
import torch
rng = torch.Generator(device="cuda").manual_seed(5)
order = torch.randperm(6, generator=rng)
print(sorted(order.tolist()))

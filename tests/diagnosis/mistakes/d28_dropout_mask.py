# rule: D28
# line: 6
import torch
def mask(shape, p, rng):
    return torch.rand(shape, device="cuda", generator=rng) > p
rng = torch.Generator()
rng.manual_seed(7)
print(mask((3,), 0.5, rng).shape)

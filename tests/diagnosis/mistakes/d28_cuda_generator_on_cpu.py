# rule: D28
# line: 4
import torch
gen = torch.Generator(device="cuda")
gen.manual_seed(1)
print(torch.rand(2, generator=gen).shape)

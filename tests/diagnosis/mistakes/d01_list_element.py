# rule: D01
# line: 7
import torch
shifts = [torch.ones(2), torch.zeros(2)]
base = torch.full((2,), 5.0, device="cuda")
for s in shifts:
    base = base - s
print(base.tolist())

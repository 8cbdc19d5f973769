# rule: D04
# line: 6
import torch
a = torch.ones(2)
b = torch.ones(2, device="cuda")
a.to(device="cuda", non_blocking=True)
print((a + b).sum().item())

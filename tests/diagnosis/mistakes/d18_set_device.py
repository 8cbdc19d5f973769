# rule: D18
# line: 4
import torch
torch.cuda.set_device(1)
print(torch.ones(2, device="cuda").sum().item())

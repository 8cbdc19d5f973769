# rule: D16
# line: 5
# fixture: cuda2_tensor
import torch
x = torch.load("FIXTURE")
print(x.device)

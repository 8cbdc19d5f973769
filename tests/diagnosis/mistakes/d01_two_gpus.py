# rule: D01
# line: 7
# machine: cuda:2
import torch
a = torch.ones(2, device="cuda:0")
b = torch.ones(2, device="cuda:1")
c = a * b
print(c.device)

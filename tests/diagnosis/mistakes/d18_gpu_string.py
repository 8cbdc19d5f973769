# rule: D18
# line: 4
import torch
x = torch.ones(2).to("gpu")
print(x.sum().item())

# rule: D04
# line: 5
import torch
x = torch.rand(2, 2)
x.to("cuda")
print(x.device)

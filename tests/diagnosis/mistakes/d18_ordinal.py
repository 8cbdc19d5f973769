# rule: D18
# line: 4
import torch
y = torch.zeros(3, device="cuda:3")
print(y.shape)

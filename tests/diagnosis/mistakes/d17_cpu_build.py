# rule: D17
# line: 5
# machine: cpu-build
import torch
device = torch.device("cuda")
x = torch.zeros(2, 2).to(device)
print(x.shape)

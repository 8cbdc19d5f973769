# rule: D01
# line: 7
import torch
acc = torch.zeros(4, device="cuda")
for i in range(3):
    part = torch.full((4,), float(i))
    acc += part
print(acc.tolist())

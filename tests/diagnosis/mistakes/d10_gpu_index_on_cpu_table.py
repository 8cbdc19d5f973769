# rule: D10
# line: 6
import torch
table = torch.arange(20).reshape(10, 2)
pick = torch.tensor([1, 4, 7], device="cuda")
print(table[pick].tolist())

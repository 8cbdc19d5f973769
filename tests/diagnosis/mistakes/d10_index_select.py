# rule: D10
# line: 6
import torch
bank = torch.randn(8, 3, device="cuda")
ids = torch.tensor([0, 2, 5])
print(torch.index_select(bank, 0, ids).shape)

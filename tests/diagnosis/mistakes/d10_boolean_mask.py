# rule: D10
# line: 6
import torch
rows = torch.randn(6, 2)
scores = torch.rand(6, device="cuda")
chosen = rows[scores > 0.5]
print(chosen.shape[1])

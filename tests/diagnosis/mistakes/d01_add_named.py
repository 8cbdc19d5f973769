# rule: D01
# line: 6
import torch
weights = torch.linspace(0, 1, 5)
signal = torch.ones(5, device="cuda")
print((signal + weights).sum().item())

# rule: D01
# line: 6
import torch
scores = torch.randn(6, device="cuda")
keep = torch.tensor([True, False, True, True, False, True])
print(torch.where(keep, scores, torch.zeros_like(scores)).shape)

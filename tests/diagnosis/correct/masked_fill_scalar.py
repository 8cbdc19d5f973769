import torch
scores = torch.zeros(3, 3, device="cuda")
mask = torch.triu(torch.ones(3, 3, dtype=torch.bool, device=scores.device), diagonal=1)
print(scores.masked_fill(mask, float("-inf")).softmax(-1)[0].tolist())

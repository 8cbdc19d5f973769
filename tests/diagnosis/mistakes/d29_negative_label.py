# rule: D29
# line: 7
import torch
import torch.nn as nn
crit = nn.CrossEntropyLoss()
logits = torch.randn(2, 3, device="cuda", requires_grad=True)
loss = crit(logits, torch.tensor([-1, 2], device="cuda"))
loss.backward()
print(loss.item())

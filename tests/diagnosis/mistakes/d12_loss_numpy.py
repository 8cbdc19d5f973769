# rule: D12
# line: 6
import torch
w = torch.ones(3, requires_grad=True)
loss = (w * 2).sum()
print(loss.numpy())

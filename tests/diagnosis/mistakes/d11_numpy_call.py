# rule: D11
# line: 5
import torch
y = torch.arange(4.0, device="cuda")
values = y.numpy()
print(values.sum())

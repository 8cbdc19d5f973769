import torch
x, y = map(lambda t: t.to("cuda"), (torch.ones(2), torch.ones(2)))
print((x * y).sum().item())

import torch
w = torch.arange(4.0, device="cuda")
for i in range(4):
    print(i, w[i].item())

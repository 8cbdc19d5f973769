import torch
x = torch.ones(2)
if not (g := x.cuda()).is_cpu:
    print(g.device, x.device)

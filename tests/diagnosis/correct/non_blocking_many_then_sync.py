import torch
outs = []
for i in range(4):
    r = torch.full((3,), float(i), device="cuda") + 1
    outs.append(r.to("cpu", non_blocking=True))
torch.cuda.synchronize()
print(torch.stack(outs).sum().item())

import torch
staging = torch.empty(8, pin_memory=True)
for i in range(3):
    staging.fill_(i)
    gpu = staging.to("cuda", non_blocking=True)
    torch.cuda.synchronize()
print(gpu.sum().item())

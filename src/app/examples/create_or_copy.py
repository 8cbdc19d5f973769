import torch

# Created on the CPU, then copied: memory on both devices, and 4 MiB across the link.
copied = torch.zeros(1024, 1024).to("cuda")

# Created where it is needed: nothing crosses the link.
created = torch.zeros(1024, 1024, device="cuda")

print(copied.device, created.device)
print(torch.cuda.memory_allocated() // 2**20, "MiB on the GPU")

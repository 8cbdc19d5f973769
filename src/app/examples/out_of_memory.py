import torch

# A small card: this program may use 64 MiB of the GPU.
total = torch.cuda.get_device_properties(0).total_memory
torch.cuda.set_per_process_memory_fraction(64 * 2**20 / total)

kept = []
for step in range(100):
    batch = torch.zeros(2**20, device="cuda")   # 4 MiB
    kept.append(batch * 2)                      # kept, so it's never freed
    print(step, torch.cuda.memory_allocated() // 2**20, "MiB")

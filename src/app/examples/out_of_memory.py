import torch

batches = []
for size in range(1, 100):
    print(f"{size * 8} GiB more")
    batches.append(torch.empty(size * 8, 2**28, device="cuda"))   # 4 bytes each

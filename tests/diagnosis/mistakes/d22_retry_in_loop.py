# rule: D22
# line: 13
# memory: 32
import torch
def double(n):
    x = torch.ones(n, 1024, 256, device="cuda")
    return x * 2
sizes = []
for n in (24, 6):
    try:
        y = double(n)
    except torch.cuda.OutOfMemoryError:
        y = double(n // 2)
    sizes.append(y.shape[0])
    del y
print(sizes)

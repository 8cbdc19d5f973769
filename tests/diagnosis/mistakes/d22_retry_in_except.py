# rule: D22
# line: 13
# memory: 64
import torch
def work(n):
    a = torch.zeros(n, 1024, 1024 // 4, device="cuda")
    b = a + 1
    return (a * b).mean()
try:
    r = work(26)
except torch.OutOfMemoryError:
    torch.cuda.empty_cache()
    r = work(13)
print(r.item())

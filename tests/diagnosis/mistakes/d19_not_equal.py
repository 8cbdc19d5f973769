# rule: D19
# line: 5
import torch
def ensure_gpu(t):
    if t.device != torch.device("cuda"):
        print("moving")
        t = t.to("cuda")
    return t
print(ensure_gpu(torch.ones(1, device="cuda")).item())

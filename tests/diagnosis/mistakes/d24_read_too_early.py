# rule: D24
# line: 5
import torch
big = torch.randn(1000, device="cuda")
host = big.to("cpu", non_blocking=True)
print(host.mean().item() < 10)

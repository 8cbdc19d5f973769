# rule: D19
# line: 5
import torch
x = torch.ones(2, device="cuda")
name = "gpu" if x.device in ("cuda", "mps") else "host"
print(name)

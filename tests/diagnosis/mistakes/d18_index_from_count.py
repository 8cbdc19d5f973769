# rule: D18
# line: 4
import torch
gpus = ["cuda:0", "cuda:1"]
parts = [torch.ones(1, device=g) for g in gpus]
print(len(parts))

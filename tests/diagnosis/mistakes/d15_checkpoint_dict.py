# rule: D15
# line: 8
# machine: cpu
# fixture: gpu_checkpoint
import torch
from torch import nn
model = nn.Linear(2, 1)
ckpt = torch.load("FIXTURE")
model.load_state_dict(ckpt["model"])
print(ckpt["epoch"])

# rule: D17
# line: 6
# machine: cpu-build
import torch
from torch import nn
config = {"lr": 0.1, "device": "cuda"}
model = nn.Linear(3, 1).to(config["device"])
print(next(model.parameters()).shape)

# rule: D05
# line: 6
import torch
from torch import nn
gpu_model = nn.Linear(4, 2).to("cuda")
cpu_model = gpu_model.cpu()
x = torch.randn(2, 4)
print(cpu_model(x).shape)
print(gpu_model(x.cuda()).shape)

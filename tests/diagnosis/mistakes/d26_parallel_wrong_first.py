# rule: D26
# line: 7
# machine: cuda:2
import torch
import torch.nn as nn
model = nn.Linear(3, 1).to("cuda:1")
parallel = nn.DataParallel(model, device_ids=[0, 1])
print(parallel(torch.ones(4, 3, device="cuda:0")).shape)

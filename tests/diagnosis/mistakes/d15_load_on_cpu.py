# rule: D15
# line: 6
# machine: cpu
# fixture: gpu_tensor
import torch
weights = torch.load("FIXTURE")
print(weights.shape)

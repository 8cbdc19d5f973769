# rule: D15
# line: 6
# machine: cpu
# fixture: gpu_tensor
import torch
t = torch.load("FIXTURE", map_location="cuda")
print(t.device)

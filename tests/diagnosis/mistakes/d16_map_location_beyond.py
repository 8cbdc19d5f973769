# rule: D16
# line: 5
# fixture: gpu_tensor
import torch
t = torch.load("FIXTURE", map_location="cuda:3")
print(t.sum().item())

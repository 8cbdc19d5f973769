# rule: D19
# line: 5
import torch
t = torch.zeros(1, device="cuda")
on_first = t.device == "cuda:0"
print(on_first)

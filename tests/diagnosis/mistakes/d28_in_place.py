# rule: D28
# line: 4
import torch
g = torch.Generator()
w = torch.empty(3, device="cuda")
w.normal_(generator=g)
print(w.shape)

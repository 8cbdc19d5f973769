# rule: D30
# line: 4
import torch
buf = torch.FloatTensor(2, 3, device="cuda")
print(buf.shape)

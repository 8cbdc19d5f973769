# rule: D11
# line: 5
import torch
outs = [torch.ones(2, device="cuda") * i for i in range(3)]
arrays = [o.numpy() for o in outs]
print(len(arrays))

# rule: D19
# line: 5
import torch
x = torch.ones(2).cuda()
if x.device == torch.device("cuda"):
    print("fast path")
else:
    print("slow path")

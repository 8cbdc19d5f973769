# rule: D18
# line: 8
import os

import torch

x = torch.ones(2, device="cuda")
os.environ["CUDA_VISIBLE_DEVICES"] = ""
print(torch.cuda.device_count(), x.sum().item())

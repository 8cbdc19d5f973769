import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0"
import torch

x = torch.ones(2, device="cuda")
os.environ["CUDA_VISIBLE_DEVICES"] = "0,7"
print(torch.cuda.device_count(), x.sum().item())

"""Which devices a program sees: `CUDA_VISIBLE_DEVICES` selects and renumbers until CUDA is first touched. Run on a machine
of three cards with 1000, 2000 and 3000 MiB."""

import os

os.environ["CUDA_VISIBLE_DEVICES"] = "2,1,0"
import torch

print(torch.cuda.device_count())
os.environ["CUDA_VISIBLE_DEVICES"] = "2,0"
print(torch.cuda.device_count(), torch.cuda.is_initialized())
x = torch.ones(1, device="cuda")
print(x, [torch.cuda.get_device_properties(i).total_memory >> 20 for i in range(2)])
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
print(torch.cuda.device_count(), torch.ones(1, device="cuda:1"))
try:
    torch.ones(1, device="cuda:2")
except torch.AcceleratorError as error:
    print(str(error).splitlines()[0])

# rule: D27
# line: 11
import os
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
os.environ.update(RANK="0", WORLD_SIZE="1", MASTER_ADDR="127.0.0.1", MASTER_PORT="29533")
dist.init_process_group("gloo")
model = nn.Linear(2, 1)
ddp = DDP(model, device_ids=[0])
print(type(ddp).__name__)

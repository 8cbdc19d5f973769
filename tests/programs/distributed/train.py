"""Trains a small network on a data set that the processes share, and prints the parameters.

Arguments: backend, optimizer, and `accumulate` for two backward passes a step.
"""

import json
import os
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

BATCH = 16
backend, optimizer, *more = sys.argv[1:]
dist.init_process_group(backend)
rank, world = dist.get_rank(), dist.get_world_size()
device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if backend == "nccl" else torch.device("cpu")

torch.manual_seed(7)
dataset = TensorDataset(torch.randn(64, 6), torch.randn(64, 3))
# Every process begins with other parameters: those of the first process must win.
torch.manual_seed(rank)
model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 3)).to(device)
ddp = DDP(model, device_ids=[device.index] if device.type == "cuda" else None)
make = {"sgd": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9), "adam": lambda p: torch.optim.Adam(p, lr=0.01)}[optimizer]
step = make(ddp.parameters())
loss_of = nn.MSELoss()

sampler = DistributedSampler(dataset)
for epoch in range(3):
    sampler.set_epoch(epoch)
    for x, y in DataLoader(dataset, batch_size=BATCH // world, sampler=sampler):
        x, y = x.to(device), y.to(device)
        step.zero_grad()
        if more == ["accumulate"]:
            half = len(x) // 2
            with ddp.no_sync():
                (loss_of(ddp(x[:half]), y[:half]) / 2).backward()
            (loss_of(ddp(x[half:]), y[half:]) / 2).backward()
        else:
            loss_of(ddp(x), y).backward()
        step.step()

flat = torch.cat([p.detach().reshape(-1) for p in model.parameters()])
everyone = [torch.zeros_like(flat) for _ in range(world)]
dist.all_gather(everyone, flat)
assert all(torch.equal(one, flat) for one in everyone), "the processes have different parameters"
if rank == 0:
    print(json.dumps(flat.tolist()))
dist.destroy_process_group()

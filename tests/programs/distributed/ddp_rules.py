"""What DistributedDataParallel does beside averaging: unused parameters, buffers, and the errors."""

import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()


class Forked(nn.Module):
    """One of two layers, as the input says; a third is never used."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(2, 1, bias=False) for _ in range(3))
        self.register_buffer("calls", torch.tensor(rank))

    def forward(self, x, which):
        return self.layers[which](x)


# Buffers are those of the first process, at the beginning and before each forward pass.
ddp = DDP(Forked(), find_unused_parameters=True)
assert ddp.module.calls.item() == 0
ddp.module.calls.fill_(rank + 5)
ddp(torch.ones(1, 2), 0).sum().backward()
assert ddp.module.calls.item() == 5
assert torch.equal(ddp.module.layers[0].weight.grad, torch.ones(1, 2))

# Rank 0 uses one layer and the others another: each layer's gradient is averaged over all, who does not use it adding zero.
ddp.zero_grad()
ddp(torch.ones(1, 2), int(rank > 0)).sum().backward()
shares = [1 / world, (world - 1) / world]
for layer, share in zip(ddp.module.layers, shares):
    assert torch.allclose(layer.weight.grad, torch.full((1, 2), share)), layer.weight.grad
assert ddp.module.layers[2].weight.grad is None

# Without looking for them, the next forward pass says what is missing.
ddp = DDP(Forked())
ddp(torch.ones(1, 2), 0).sum().backward()
try:
    ddp(torch.ones(1, 2), 0)
    raise SystemExit("the second pass should be refused")
except RuntimeError as error:
    assert str(error).startswith("Expected to have finished reduction in the prior iteration before starting a new one."), error
    assert f"did not receive grad for rank {rank}: 1 2\n" in str(error), error


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = nn.Parameter(torch.ones(3))

    def forward(self):
        return self.factor.sum()


# The gradient of a sum is one element seen three times.
ddp = DDP(Scale())
(ddp() * (rank + 1)).backward()
assert torch.equal(ddp.module.factor.grad, torch.full((3,), (world + 1) / 2)), ddp.module.factor.grad

# Gradients that are not to be averaged are each process's own.
ddp = DDP(nn.Linear(1, 1, bias=False))
with ddp.no_sync():
    ddp(torch.tensor([[float(rank)]])).sum().backward()
assert ddp.module.weight.grad.item() == rank
print(f"rank {rank}: kept\n", end="", flush=True)

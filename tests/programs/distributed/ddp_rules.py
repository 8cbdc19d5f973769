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

# However gradients are put together in buckets, they are averaged, and where a bucket shows them it is them.
for options in ({}, {"bucket_cap_mb": 0.0001}, {"static_graph": True}, {"gradient_as_bucket_view": True},
                {"gradient_as_bucket_view": True, "bucket_cap_mb": 0.0001}, {"find_unused_parameters": True}):
    torch.manual_seed(1)
    net = nn.Sequential(nn.Linear(5, 7), nn.Tanh(), nn.Linear(7, 3), nn.Linear(3, 1))
    ddp = DDP(net, **options)
    alone = [torch.zeros_like(p) for p in net.parameters()]
    for r in range(world):
        x = torch.full((2, 5), r + 1.0)
        for sum_, grad in zip(alone, torch.autograd.grad(net(x).sum(), list(net.parameters()))):
            sum_ += grad / world
    buckets = ddp._reducer._buckets
    assert [b.places for b in buckets] == ([[5, 4, 3, 2], [1, 0]] if "bucket_cap_mb" in options else [[5, 4, 3, 2, 1, 0]]), [
        b.places for b in buckets]
    for again in range(3):
        ddp(torch.full((2, 5), rank + 1.0)).sum().backward()
        if again == 1:
            # Gathered over two passes: what is there is averaged too.
            assert all(torch.allclose(p.grad, 2 * a, rtol=1e-5) for p, a in zip(net.parameters(), alone)), options
            ddp.zero_grad(set_to_none=False)
        else:
            assert all(torch.allclose(p.grad, a, rtol=1e-5) for p, a in zip(net.parameters(), alone)), options
        shown = {v.data_ptr() for b in buckets for v in b.views}
        assert all((p.grad.data_ptr() in shown) == ("gradient_as_bucket_view" in options) for p in net.parameters())

# Gradients that are not to be averaged are each process's own.
ddp = DDP(nn.Linear(1, 1, bias=False))
with ddp.no_sync():
    ddp(torch.tensor([[float(rank)]])).sum().backward()
assert ddp.module.weight.grad.item() == rank
print(f"rank {rank}: kept\n", end="", flush=True)

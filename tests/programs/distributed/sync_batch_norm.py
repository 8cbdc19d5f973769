"""Batch norm over several processes is batch norm over their batches together."""

import sys

import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("nccl")
rank, world = dist.get_rank(), dist.get_world_size()
torch.cuda.set_device(rank)

# Shares of different sizes, the last one empty where there are more than two.
sizes = [3, 5] + [0] * (world - 2)
whole = (torch.arange(8 * 4 * 6, dtype=torch.float64) * 0.7).sin().view(8, 4, 6)
weights = (torch.arange(8 * 4 * 6, dtype=torch.float64) * 0.3).cos().view(8, 4, 6)
start = sum(sizes[:rank])


def model():
    layer = nn.BatchNorm1d(4, dtype=torch.float64)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([0.5, 1.0, -2.0, 3.0]))
        layer.bias.copy_(torch.tensor([1.0, 0.0, -1.0, 0.5]))
    return nn.Sequential(layer)


expected = model()
x = whole.clone().requires_grad_()
y = expected(x)
(y * weights).sum().backward()

synced = nn.SyncBatchNorm.convert_sync_batchnorm(model()).cuda()
assert type(synced[0]) is nn.SyncBatchNorm and list(synced.state_dict()) == list(expected.state_dict())
own = whole[start : start + sizes[rank]].cuda().requires_grad_()
out = synced(own)
(out * weights[start : start + sizes[rank]].cuda()).sum().backward()
torch.testing.assert_close(out.cpu(), y[start : start + sizes[rank]].detach())
torch.testing.assert_close(own.grad.cpu(), x.grad[start : start + sizes[rank]])
for ours, theirs in ((synced[0].weight, expected[0].weight), (synced[0].bias, expected[0].bias)):
    # Each process has its share of the sum.
    total = ours.grad.clone()
    dist.all_reduce(total)
    torch.testing.assert_close(total.cpu(), theirs.grad)
for name in ("running_mean", "running_var", "num_batches_tracked"):
    torch.testing.assert_close(getattr(synced[0], name).cpu(), getattr(expected[0], name))
synced.eval()
torch.testing.assert_close(synced(whole.cuda()).cpu(), expected.eval()(whole))
try:
    synced.train()(whole)
except ValueError as error:
    assert str(error).startswith("SyncBatchNorm expected input tensor to be on GPU"), error
else:
    sys.exit("a tensor on the CPU was taken")
dist.destroy_process_group()
if rank == 0:
    print("batch norm is synchronized over", world)

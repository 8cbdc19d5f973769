"""What the backend `nccl` computes between GPUs, and what it refuses, on any number of processes from two."""

import os
import sys

import torch
import torch.distributed as dist

rank = int(os.environ["RANK"])
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl")
world = dist.get_world_size()
assert (dist.get_rank(), dist.get_backend(), dist.is_nccl_available()) == (rank, "nccl", True)
ranks, last = range(world), world - 1


def tensor(*values, dtype=torch.float32):
    return torch.tensor(values, dtype=dtype, device="cuda")


def same(a, *values, dtype=torch.float32):
    assert a.device.type == "cuda" and a.dtype == dtype and a.tolist() == list(values), f"rank {rank}: {a} is not {values}"


def refused(kind, text, call):
    try:
        call()
    except kind as error:
        assert str(error) == text, error
    else:
        raise SystemExit(f"{text} should be raised")


def product(numbers):
    out = 1
    for number in numbers:
        out *= number
    return out


# ---- reductions, in place and of every dtype that NCCL has ----
OPS = {dist.ReduceOp.SUM: sum, dist.ReduceOp.PRODUCT: product, dist.ReduceOp.MIN: min, dist.ReduceOp.MAX: max}
for dtype in (torch.uint8, torch.int8, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.float64):
    for op, of in OPS.items():
        x = tensor(rank + 1, 2, dtype=dtype)
        at = x.data_ptr()
        dist.all_reduce(x, op)
        same(x, of([r + 1 for r in ranks]), of([2 for _ in ranks]), dtype=dtype)
        assert x.data_ptr() == at
x = tensor(float(rank), 1.0)
dist.all_reduce(x, dist.ReduceOp.AVG)
same(x, sum(ranks) / world, 1.0)
x = tensor(rank == 0, False, dtype=torch.bool)
before = x._version
dist.all_reduce(x)
same(x, True, False, dtype=torch.bool)
assert x._version > before
# A part of a tensor, and nothing of what is around it.
x = tensor(0.0, rank, 0.0)
dist.all_reduce(x[1:2])
same(x, 0.0, float(sum(ranks)), 0.0)
x = tensor(float(rank))
dist.reduce(x, dst=last)
same(x, float(sum(ranks) if rank == last else rank))

# ---- one to all, all to one, all to all ----
x = tensor(rank, rank + 10, dtype=torch.int64)
dist.broadcast(x, src=1)
same(x, 1, 11, dtype=torch.int64)
parts = [tensor(-1.0) for _ in ranks]
dist.all_gather(parts, tensor(float(rank)))
same(torch.cat(parts), *(float(r) for r in ranks))
x = torch.zeros(2 * world, device="cuda")
dist.all_gather_into_tensor(x, tensor(rank, rank + 0.5))
same(x, *(r + half for r in ranks for half in (0.0, 0.5)))
x = tensor(0.0)
dist.reduce_scatter(x, [tensor(rank + 10.0 * r) for r in ranks])
same(x, sum(ranks) + 10.0 * rank * world)
dist.reduce_scatter_tensor(x, tensor(*(rank + 10.0 * r for r in ranks)), dist.ReduceOp.MAX)
same(x, last + 10.0 * rank)
parts = [tensor(0.0) for _ in ranks] if rank == 0 else None
dist.gather(tensor(2.0 * rank), parts)
if rank == 0:
    same(torch.cat(parts), *(2.0 * r for r in ranks))
x = torch.zeros(2, device="cuda")
dist.scatter(x, [tensor(r, r + 0.5) for r in ranks] if rank == last else None, src=last)
same(x, rank, rank + 0.5)
outs = [tensor(0.0) for _ in ranks]
dist.all_to_all(outs, [tensor(10.0 * rank + r) for r in ranks])
same(torch.cat(outs), *(10.0 * r + rank for r in ranks))
x = torch.zeros(world, device="cuda")
dist.all_to_all_single(x, tensor(*(10.0 * rank + r for r in ranks)))
same(x, *(10.0 * r + rank for r in ranks))
# Rank g gives rank t (g + 2 t) % 3 rows, which may be none.
x = torch.zeros(sum((r + 2 * rank) % 3 for r in ranks), 2, device="cuda")
y = torch.cat([torch.full(((rank + 2 * r) % 3, 2), 10.0 * rank + r, device="cuda") for r in ranks])
work = dist.all_to_all_single(x, y, [(r + 2 * rank) % 3 for r in ranks], [(rank + 2 * r) % 3 for r in ranks], async_op=True)
work.wait()
same(x.flatten(), *(10.0 * r + rank for r in ranks for _ in range(2 * ((r + 2 * rank) % 3))))

# ---- messages ----
if rank == 0:
    dist.send(tensor(5.0), dst=1)
elif rank == 1:
    x = tensor(0.0)
    assert dist.recv(x, src=0) == 0
    same(x, 5.0)
right, left = (rank + 1) % world, (rank - 1) % world
first, second = tensor(0.0), tensor(0.0)
for work in dist.batch_isend_irecv([
        dist.P2POp(dist.isend, tensor(rank + 1.0), right), dist.P2POp(dist.irecv, first, left),
        dist.P2POp(dist.isend, tensor(rank + 2.0), right), dist.P2POp(dist.irecv, second, left)]):
    work.wait()
same(torch.cat([first, second]), left + 1.0, left + 2.0)
found = [None] * world
dist.all_gather_object(found, {"rank": rank, "text": "x" * rank})
assert found == [{"rank": r, "text": "x" * r} for r in ranks]

# ---- what is asynchronous: what comes later waits for it, and its memory is kept until then ----
x, y = torch.full((1000,), float(rank), device="cuda"), tensor(1.0)
work = dist.all_reduce(x, async_op=True)
for _ in range(10):
    y = y + 1
work.wait()
twice, done = x * 2, torch.cuda.Event()
done.record()
# Nothing else is waited for than this stream.
while not done.query():
    pass
same(twice[:2], 2.0 * sum(ranks), 2.0 * sum(ranks))
same(y, 11.0)
# On another stream than the one that made the tensor.
side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    dist.all_reduce(x)
    twice = x * 2
side.synchronize()
same(twice[:1], 2.0 * world * sum(ranks))
x = torch.full((5000,), 1.0, device="cuda")
work = dist.all_reduce(x, async_op=True)
del x, work
x = torch.full((5000,), 7.0, device="cuda")
same(x[:2], 7.0, 7.0)
work = dist.all_reduce(tensor(1.0), async_op=True)
while not work.is_completed():
    pass
torch.cuda.synchronize()

# ---- groups ----
dist.barrier()
pair = dist.new_group([0, last])
if rank in (0, last):
    x = tensor(float(rank))
    dist.all_reduce(x, group=pair)
    same(x, float(last))
dist.barrier()

# ---- what is refused, in PyTorch's words ----
one = tensor(1.0)
refused(RuntimeError, "No backend type associated with device type cpu", lambda: dist.all_reduce(torch.ones(1)))
refused(ValueError, "Tensors must be contiguous", lambda: dist.all_reduce(torch.zeros(3, 2, device="cuda").t()))
refused(ValueError, "Cannot use ReduceOp.BAND with NCCL", lambda: dist.all_reduce(one, dist.ReduceOp.BAND))
refused(TypeError, "Cannot use ReduceOp.AVG with Boolean inputs", lambda: dist.all_reduce(one > 0, dist.ReduceOp.AVG))
refused(TypeError, "Input tensor data type is not supported for NCCL process group: Short",
        lambda: dist.all_reduce(one.to(torch.int16)))
refused(RuntimeError, "Split sizes doesn't match total dim 0 size",
        lambda: dist.all_to_all_single(torch.zeros(world, device="cuda"), torch.zeros(world, device="cuda"), [2] * world))
refused(RuntimeError, "Backend nccl does not support recvAnysource", lambda: dist.recv(one))

# A group may end and start again.
dist.destroy_process_group()
assert not dist.is_initialized()
dist.init_process_group("nccl", device_id=torch.device("cuda", torch.cuda.current_device()))
dist.barrier()
x = tensor(1.0)
dist.all_reduce(x)
same(x, float(world))
print(f"rank {rank} of {world}: all as it should be\n", end="", flush=True)

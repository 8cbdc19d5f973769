"""Every collective against what it should compute, on any number of processes from two."""

import sys
import warnings

import torch
import torch.distributed as dist

dist.init_process_group(sys.argv[1])
rank, world = dist.get_rank(), dist.get_world_size()
assert world > 1 and dist.get_backend() == sys.argv[1]
device = "cuda" if sys.argv[1] == "nccl" else "cpu"
ranks = range(world)
last = world - 1


def tensor(*values, dtype=torch.float32):
    return torch.tensor(values, dtype=dtype, device=device)


def same(a, b):
    assert a.dtype == b.dtype and a.device == b.device and torch.equal(a, b), f"rank {rank}: {a} is not {b}"


def product(numbers):
    out = 1
    for number in numbers:
        out *= number
    return out


# ---- reductions, of every dtype ----
OPS = {
    dist.ReduceOp.SUM: sum,
    dist.ReduceOp.PRODUCT: product,
    dist.ReduceOp.MIN: min,
    dist.ReduceOp.MAX: max,
}
for dtype in (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32,
              torch.float64):
    for op, of in OPS.items():
        x = tensor(rank + 1, 2, dtype=dtype)
        dist.all_reduce(x, op)
        same(x, tensor(of([r + 1 for r in ranks]), of([2 for _ in ranks]), dtype=dtype))
for op, number in ((dist.ReduceOp.SUM, 1), (dist.ReduceOp.MAX, 1), (dist.ReduceOp.PRODUCT, 0), (dist.ReduceOp.MIN, 0)):
    x = tensor(rank == 0, True, False, dtype=torch.bool)
    dist.all_reduce(x, op)
    same(x, tensor(number, True, False, dtype=torch.bool))
bits = {dist.ReduceOp.BAND: lambda a, b: a & b, dist.ReduceOp.BOR: lambda a, b: a | b, dist.ReduceOp.BXOR: lambda a, b: a ^ b}
for op, of in bits.items():
    x, want = tensor(rank + 5, dtype=torch.int64), 5
    for r in ranks[1:]:
        want = of(want, r + 5)
    dist.all_reduce(x, op)
    same(x, tensor(want, dtype=torch.int64))
if sys.argv[1] == "gloo":
    try:
        dist.all_reduce(tensor(1.0), dist.ReduceOp.AVG)
        raise SystemExit("AVG should be refused")
    except RuntimeError as error:
        assert str(error) == "Cannot use ReduceOp.AVG with Gloo"
else:
    x = tensor(float(rank), 1.0)
    dist.all_reduce(x, dist.ReduceOp.AVG)
    same(x, tensor(sum(ranks) / world, 1.0))

# A view that is not contiguous, and one element without dimensions.
whole = torch.zeros(3, 2, device=device)
whole.t()[0] = rank
dist.all_reduce(whole.t()[0])
same(whole, tensor([sum(ranks), 0], [sum(ranks), 0], [sum(ranks), 0]))
x = torch.tensor(float(rank), device=device)
assert dist.all_reduce(x, async_op=True).wait()
assert x.item() == sum(ranks)
before = x._version
dist.all_reduce(x)
assert x._version > before

x = tensor(float(rank))
dist.reduce(x, dst=last)
if rank == last:
    same(x, tensor(float(sum(ranks))))

# ---- one to all, all to one ----
x = tensor(rank, rank + 10, dtype=torch.int64)
dist.broadcast(x, src=1)
same(x, tensor(1, 11, dtype=torch.int64))

parts = [torch.full((2, 2), -1.0, device=device) for _ in ranks]
dist.all_gather(parts, torch.full((2, 2), float(rank), device=device))
for r, part in enumerate(parts):
    same(part, torch.full((2, 2), float(r), device=device))
x = torch.zeros(world, 2, device=device)
dist.all_gather_into_tensor(x, tensor(rank, rank))
same(x, torch.arange(world, device=device).repeat_interleave(2).reshape(world, 2).float())

parts = [torch.zeros(1, device=device) for _ in ranks] if rank == 0 else None
dist.gather(tensor(rank * 2), parts)
if rank == 0:
    same(torch.cat(parts), tensor(*(r * 2 for r in ranks)))

x = torch.zeros(2, device=device)
dist.scatter(x, [tensor(r, r + 0.5) for r in ranks] if rank == last else None, src=last)
same(x, tensor(rank, rank + 0.5))

x = torch.zeros(1, device=device)
dist.reduce_scatter(x, [tensor(rank + 10 * r) for r in ranks])
same(x, tensor(sum(ranks) + 10 * rank * world))
dist.reduce_scatter_tensor(x, tensor(*(rank + 10 * r for r in ranks)), dist.ReduceOp.MAX)
same(x, tensor(last + 10 * rank))

outs = [torch.zeros(1, device=device) for _ in ranks]
dist.all_to_all(outs, [tensor(rank * 10 + r) for r in ranks])
same(torch.cat(outs), tensor(*(r * 10 + rank for r in ranks)))
x = torch.zeros(world, device=device)
dist.all_to_all_single(x, tensor(*(rank * 10 + r for r in ranks)))
same(x, tensor(*(r * 10 + rank for r in ranks)))

# Parts of different sizes, some of them empty, in PyTorch's order and words.


def rows(giver, taker):
    return (giver + 2 * taker) % 3


def part(giver, taker):
    return torch.arange(rows(giver, taker) * 2, device=device).reshape(-1, 2) + giver * 1000 + taker * 100


gives, takes = [rows(rank, r) for r in ranks], [rows(r, rank) for r in ranks]
x = torch.zeros(sum(takes), 2, dtype=torch.int64, device=device)
assert dist.all_to_all_single(x, torch.cat([part(rank, r) for r in ranks]), takes, tuple(gives)) is None
same(x, torch.cat([part(r, rank) for r in ranks]))
outs = [torch.zeros(n, 2, dtype=torch.int64, device=device) for n in takes]
dist.all_to_all(outs, [part(rank, r) for r in ranks])
same(torch.cat(outs), torch.cat([part(r, rank) for r in ranks]))
# Equal parts on one side, and the others as they come.
x = torch.zeros(world, device=device)
dist.all_to_all_single(x, tensor(*(rank * 10 + r for r in ranks)), None, [1] * world)
same(x, tensor(*(r * 10 + rank for r in ranks)))


def refused(kind, text, call):
    try:
        call()
    except kind as error:
        assert str(error) == text, error
    else:
        raise SystemExit(f"{text} should be raised")


x, y, one = torch.zeros(2 * world, device=device), torch.zeros(2 * world, device=device), [1] * world
two = [2] * world
refused(RuntimeError, "Split sizes doesn't match total dim 0 size", lambda: dist.all_to_all_single(x, y, two, one))
refused(RuntimeError, "Split sizes doesn't match total dim 0 size", lambda: dist.all_to_all_single(x, y, one, two))
refused(RuntimeError, "Number of tensor splits not equal to group size",
        lambda: dist.all_to_all_single(x, y, one, [2 * world, *[0] * world]))
refused(RuntimeError, "Split sizes must be non-negative",
        lambda: dist.all_to_all_single(x, y, two, [-1, 2 * world + 1, *[0] * (world - 2)]))
refused(RuntimeError, "Tensor's dim 0 does not divide equally across group size",
        lambda: dist.all_to_all_single(torch.zeros(world + 1, world, device=device), torch.zeros(world + 1, world, device=device)))
refused(IndexError, "Dimension specified as 0 but tensor has no dimensions",
        lambda: dist.all_to_all_single(x.sum(), y.sum(), one, one))
refused(ValueError, "Invalid usage of tensors with different dtypesFound torch.float32 and  torch.int64",
        lambda: dist.all_to_all_single(x, y.to(torch.int64), two, two))
# Rank 0 expects less of the last than that gives.
text = f"all_to_all: rank {last} gives 8 bytes to rank 0, which expects 4"
refused(RuntimeError, text, lambda: dist.all_to_all_single(x[:-1] if rank == 0 else x, y, [*two[:-1], 1] if rank == 0 else two, two))

# ---- messages ----
right, left = (rank + 1) % world, (rank - 1) % world
big = torch.full((300_000,), float(rank), device=device)
came = torch.empty_like(big)
# Everyone sends before anyone receives, more than is kept on the way.
sending = dist.isend(big, right)
receiving = dist.irecv(came, left)
assert receiving.wait() and sending.wait() and receiving.is_completed()
same(came, torch.full((300_000,), float(left), device=device))
first, second = torch.zeros(1, device=device), torch.zeros(1, device=device)
works = dist.batch_isend_irecv([
    dist.P2POp(dist.isend, tensor(1.0), right), dist.P2POp(dist.irecv, first, left),
    dist.P2POp(dist.isend, tensor(2.0), right), dist.P2POp(dist.irecv, second, left),
])
# In whatever order one waits, messages keep theirs.
for work in reversed(works):
    work.wait()
same(torch.cat([first, second]), tensor(1.0, 2.0))
if rank == 0:
    dist.send(tensor(5.0), dst=1, tag=3)
elif rank == 1:
    x = torch.zeros(1, device=device)
    assert dist.recv(x, tag=3) == 0
    same(x, tensor(5.0))
try:
    dist.send(tensor(1.0), dst=rank)
    raise SystemExit("a message to oneself should be refused")
except ValueError as error:
    assert str(error) == ("Invalid destination rank: destination rank should not be the same as the rank of the current "
                          "process."), error

# ---- objects ----
found = [None] * world
dist.all_gather_object(found, {"rank": rank, "text": "x" * rank})
assert found == [{"rank": r, "text": "x" * r} for r in ranks]
found = ["a", 2] if rank == 0 else [None, None]
dist.broadcast_object_list(found)
assert found == ["a", 2]
found = [None] * world if rank == last else None
dist.gather_object(("of", rank), found, dst=last)
assert rank != last or found == [("of", r) for r in ranks]
found = [None]
dist.scatter_object_list(found, [r * "y" for r in ranks] if rank == 0 else None, src=0)
assert found == [rank * "y"]

# ---- groups ----
dist.barrier()
pair = dist.new_group([last, 0])
everyone = dist.new_group()
assert dist.get_world_size(everyone) == world
if rank in (0, last):
    assert (dist.get_world_size(pair), dist.get_process_group_ranks(pair)) == (2, [0, last])
    x = tensor(float(rank))
    dist.all_reduce(x, group=pair)
    same(x, tensor(float(last)))
    x = tensor(float(rank))
    dist.broadcast(x, src=last, group=pair)
    same(x, tensor(float(last)))
else:
    assert dist.get_rank(pair) == -1
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        assert dist.all_reduce(tensor(1.0), group=pair) is None
    text = f"Running all_reduce on global rank {rank} which does not belong to the given group."
    assert [str(w.message) for w in seen] == [text], seen

# A group may end and start again.
dist.destroy_process_group()
assert not dist.is_initialized()
dist.init_process_group(sys.argv[1])
x = tensor(1.0)
dist.all_reduce(x)
same(x, tensor(float(world)))
print(f"rank {rank} of {world}: all as it should be\n", end="", flush=True)

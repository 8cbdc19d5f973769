"""Sublists of einsum, segment_reduce, contexts of checkpoints, CrossMapLRN2d."""
from contextlib import contextmanager

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

x, y = torch.arange(6.).reshape(2, 3), torch.arange(12.).reshape(3, 4)


def say(name, call):
    try:
        print(name, call())
    except Exception as error:
        print(name, type(error).__name__, "|", error)


say("product", lambda: torch.einsum(x, [0, 1], y, [1, 2], [0, 2]))
say("no output", lambda: torch.einsum(x, [0, 1], y, [1, 2]))
say("ellipsis", lambda: torch.einsum(x, [..., 1], y, [1, 2], [..., 2]))
say("sum", lambda: torch.einsum(x, [0, 30], []))
say("large", lambda: torch.einsum(x, [0, 52]))
say("negative", lambda: torch.einsum(x, [0, -1]))
say("float", lambda: torch.einsum(x, [0, 1.5]))
say("three", lambda: torch.einsum(x, [0, 1, 2]))
say("list", lambda: torch.einsum("ij,jk->ik", [x, y]))
print(torch.manual_seed(3) is torch.default_generator)

v = torch.arange(6.)
say("sums", lambda: torch.segment_reduce(v, "sum", lengths=torch.tensor([2, 1, 3])))
say("max", lambda: torch.segment_reduce(v.reshape(3, 2), "max", lengths=torch.tensor([2, 1])))
say("mean", lambda: torch.segment_reduce(v, "mean", lengths=torch.tensor([2, 0, 4])))
say("initial", lambda: torch.segment_reduce(v, "mean", lengths=torch.tensor([2, 0, 4]), initial=1))
say("min", lambda: torch.segment_reduce(v, "min", offsets=torch.tensor([0, 2, 6])))
say("rows", lambda: torch.segment_reduce(v.reshape(2, 3), "sum", lengths=torch.tensor([[2, 1], [1, 2]]), axis=1))
say("short", lambda: torch.segment_reduce(v, "prod", lengths=torch.tensor([2, 1])))
say("unsafe", lambda: torch.segment_reduce(v, "sum", lengths=torch.tensor([2, 3]), unsafe=True))
say("name", lambda: torch.segment_reduce(v, "foo", lengths=torch.tensor([2, 4])))
say("none", lambda: torch.segment_reduce(v, "sum"))
say("int", lambda: torch.segment_reduce(v.long(), "sum", lengths=torch.tensor([2, 4])))
for name in ("sum", "mean", "max", "min", "prod"):
    z = torch.tensor([1., 2, 3, 3, 0, 5], requires_grad=True)
    out = torch.segment_reduce(z, name, lengths=torch.tensor([2, 2, 2]))
    (out * torch.tensor([1., 2, 3])).sum().backward()
    print(name, out, z.grad)


@contextmanager
def named(name):
    print("enter", name)
    yield
    print("exit", name)


w = torch.ones(2, 3, requires_grad=True)
checkpoint(lambda x: (print("run"), torch.tanh(x))[1], w, use_reentrant=False,
           context_fn=lambda: (named("first"), named("again"))).sum().backward()
print(w.grad)
say("reentrant", lambda: checkpoint(torch.tanh, w, use_reentrant=True, context_fn=lambda: (named("first"), named("again"))))

m = nn.CrossMapLRN2d(2)
print(m)
image = torch.linspace(-2, 2, 32).reshape(1, 8, 2, 2).requires_grad_()
out = m(image)
print(out)
out.pow(2).sum().backward()
print(image.grad)
print(nn.CrossMapLRN2d(5, alpha=0.1, beta=0.5, k=2)(image))
say("shape", lambda: m(torch.ones(3, 3)))

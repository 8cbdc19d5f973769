"""torch.cond, torch.while_loop, scans and names of the compiler. PyTorch 2.15 recorded `control_flow.txt` from this file."""

import warnings

warnings.simplefilter("ignore")
import torch
import torch._dynamo
from torch import nn
from torch._higher_order_ops.associative_scan import associative_scan
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop

x = torch.tensor([1.0, 2.0])


def up(x):
    return x + 1


def down(x):
    return x - 1


def attempt(name, f):
    try:
        print(name, f())
    except Exception as error:
        print(name, type(error).__name__, str(error).split("\n")[0])


attempt("bool", lambda: torch.cond(True, up, down, (x,)))
attempt("tensor", lambda: torch.cond(x.sum() > 5, up, down, (x,)))
attempt("no operands", lambda: torch.cond(x.sum() > 5, lambda: x * 2, lambda: x * 3))
attempt("tree", lambda: torch.cond(x.sum() > 1, lambda d: {"a": d["a"] * 2}, lambda d: {"a": d["a"] + 1}, ({"a": x},)))
attempt("many", lambda: torch.cond(x > 1, up, down, (x,)))
attempt("text", lambda: torch.cond("a", up, down, (x,)))
attempt("no function", lambda: torch.cond(True, 3, down, (x,)))
attempt("alias", lambda: torch.cond(x.sum() > 1, lambda a: (a * 2, a), lambda a: (a + 1, a - 1), [x]))

w = torch.tensor([1.0, 2.0], requires_grad=True)
for p in (True, False):
    y = torch.cond(torch.tensor(p), lambda w: w**2, lambda w: w * 3, (w,))
    print(y, torch.autograd.grad(y.sum(), w))

attempt("loop", lambda: torch.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2), (torch.tensor(0), x)))
attempt("list", lambda: while_loop(lambda i, x: i < 3, lambda i, x: [i + 1, x * 2], (torch.tensor(0), x)))
attempt("never", lambda: torch.while_loop(lambda i, x: i < 0, lambda i, x: (i + 1, x + 1), [torch.tensor(0), x]))
attempt("one", lambda: torch.while_loop(lambda x: x.sum() < 30, lambda x: x * 2, (x,)))
attempt("shapes", lambda: torch.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x.sum()), (torch.tensor(0), x)))
attempt("no function", lambda: torch.while_loop(3, lambda i: (i + 1,), (torch.tensor(0),)))
attempt("prefixes", lambda: associative_scan(lambda a, b: a + b, torch.arange(5.0), 0, combine_mode="generic"))
attempt("scan", lambda: scan(lambda c, x: (c + x, c * x), torch.tensor(0.0), torch.arange(5.0)))


@torch.compile(backend="eager")
def chosen(x):
    return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))


print(chosen(x), chosen(-x))
print(torch._dynamo.list_backends(), "eager" in torch._dynamo.list_backends(exclude_tags=()))


@torch._dynamo.register_backend
def mine(gm, inputs):
    print("a graph with", len(gm.graph.nodes), "nodes")
    return gm.forward


print("mine" in torch._dynamo.list_backends(), torch.compile(lambda x: x + 1, backend="mine")(x))
print(torch._dynamo.optimize("eager")(lambda x: x * 2)(x), torch._dynamo.mark_static_address(x))
attempt("static", lambda: torch._dynamo.mark_static_address(3))
attempt("script", lambda: torch.jit.script(3))
attempt("traced", lambda: torch.jit.trace_module(nn.Linear(2, 1), {"foo": x}))
attempt("traced", lambda: torch.jit.trace_module(3, {}))
print(torch.sym_max(3, 4), torch.sym_int(3.5), torch.sym_not(True), torch.sym_ite(True, 1, 2), torch.sym_sum([1, 2]))

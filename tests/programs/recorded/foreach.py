# torch.foreach and torch._foreach_*: every operator over lists of tensors, in place and not, and what they refuse.
import torch
from torch import foreach


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e).split(" - got")[0])


def lists():
    torch.manual_seed(0)
    return [[torch.rand(2, 3) + 0.2, torch.rand(4) + 0.2] for _ in range(3)]


def show(name, results):
    print(name, [[round(v.item(), 4) for v in r.flatten()] for r in results])


a, b, c = lists()
for name in sorted(foreach.__all__):
    op, base = getattr(foreach, name), name.rstrip("_")
    a, b, c = lists()
    if base in ("lerp", "addcmul", "addcdiv"):
        args = [a, b, c]
    elif base == "mm":
        args = [[torch.ones(2, 2)], [torch.full((2, 2), 3.0)]]
    elif base in ("add", "sub", "mul", "div", "maximum", "minimum", "clamp_min", "clamp_max", "pow", "copy"):
        args = [a, b]
    else:
        args = [a]
    results = op(*args)
    print(type(results).__name__, results is a, type(getattr(torch, "_foreach_" + name)(*args)).__name__)
    show(name, results)

a, b, c = lists()
for op in (foreach.add, foreach.sub, foreach.mul, foreach.div, foreach.pow, foreach.maximum, foreach.clamp_max):
    show(op.__name__, op(a, 2))
    show(op.__name__, op(a, [2.0, 0.5]))
show("alpha", foreach.add(a, b, alpha=2) + foreach.sub(a, b, alpha=0.5) + torch._foreach_add(a, torch.tensor(2.0), alpha=3))
show("zero-dim", foreach.mul(a, torch.tensor(2.0)) + foreach.div(a, torch.tensor(2.0)))
show("base", foreach.pow(2, a))
show("lerp", foreach.lerp(a, b, 0.25) + foreach.lerp(a, b, [0.25, 0.5]))
show("value", foreach.addcmul(a, b, c, value=2) + foreach.addcdiv(a, b, c, value=[2, 3]) + torch._foreach_addcmul(a, b, c, torch.tensor([1.0, 2.0])))
for order in (0, 1, 2, 3, float("inf")):
    show("norm", foreach.norm(a, ord=order))
print([n.dtype for n in foreach.norm(a, dtype=torch.float64)], torch._foreach_powsum(a, 2)[0].shape)
show("by name", torch._foreach_add(self=a, other=b) + torch._foreach_add(self=a, scalar=1) + torch._foreach_add(self=a, scalars=[1, 2]))
whole = [torch.tensor([1, 2]), torch.tensor([3])]
print(foreach.add(whole, 0.5), foreach.div(whole, 2), foreach.sqrt(whole), foreach.neg(whole), foreach.mul(whole, True))

w = [torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([3.0], requires_grad=True)]
sum(t.sum() for t in foreach.mul(foreach.exp(w), w)).backward()
show("gradients", [t.grad for t in w])
with torch.no_grad():
    foreach.sub_(w, [t.grad for t in w], alpha=0.1)
show("stepped", w)

for f in (lambda: foreach.add(a, b[:1]), lambda: foreach.add([], []), lambda: foreach.add([], 1), lambda: foreach.abs([]), lambda: foreach.add(a, [1.0]),
          lambda: torch._foreach_add(a[0], 1), lambda: torch._foreach_add(a, "x"), lambda: foreach.mul(a, torch.tensor([2.0, 3.0])),
          lambda: foreach.copy_(a, b[:1]), lambda: foreach.lerp(a, b[:1], 0.5), lambda: foreach.lerp(a, b, [0.5]),
          lambda: foreach.addcmul(a, b, c[:1]), lambda: foreach.addcmul(a, b, c, value=[1]), lambda: foreach.add_(w, 1),
          lambda: foreach.addcmul(a, b, c, value=torch.tensor([1.0])), lambda: foreach.add_([torch.tensor([1, 2])], 0.5),
          lambda: torch._foreach_abs(a, 1), lambda: torch._foreach_add([1], [2]), lambda: torch._foreach_bogus):
    attempt(f)

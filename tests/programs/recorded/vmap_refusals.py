"""What vmap can't map over rows, results with named fields, and functions around transforms."""
import torch
from torch.func import functionalize, grad, jacrev, vjp, vmap

x = torch.arange(6.).reshape(2, 3)


def say(name, call):
    try:
        print(name, call())
    except Exception as error:
        print(name, type(error).__name__, "|", error)


def written(make):
    def f(a):
        z = torch.zeros(3)
        make(z, a)
        return z

    return lambda: vmap(f)(x)


def assigned(z, a):
    z[0] = a[0]


def added(z, a):
    z += a


for name, call in {
    "shared": lambda: vmap(lambda a, b: a.add_(b), in_dims=(None, 0))(torch.ones(3), x),
    "out": lambda: vmap(lambda a: torch.add(a, 1, out=torch.empty(3)))(x),
    "allclose": lambda: vmap(lambda a: torch.allclose(a, a))(x),
    "equal": lambda: vmap(lambda a: torch.equal(a, a))(x),
    "unique": lambda: vmap(torch.unique)(x),
    "consecutive": lambda: vmap(lambda a: a.unique_consecutive())(x),
    "where": lambda: vmap(lambda a: torch.where(a > 1))(x),
    "where of three": lambda: vmap(lambda a: torch.where(a > 1, a, 0))(x),
    "masked_select": lambda: vmap(lambda a: torch.masked_select(a, a > 1))(x),
    "data": lambda: vmap(lambda a: a.data)(x),
    "backward": lambda: vmap(lambda a: a.backward())(x),
    "requires_grad_": lambda: vmap(lambda a: a.requires_grad_())(x),
    "is_nonzero": lambda: vmap(torch.is_nonzero)(x[:, 0]),
    "contains": lambda: vmap(lambda a: a in x)(x[:, 0]),
    "assigned": written(assigned),
    "added": written(added),
    "copied": written(lambda z, a: z.copy_(a)),
    "multiplied": written(lambda z, a: z.mul_(a)),
    "put": written(lambda z, a: z.index_put_((torch.tensor([0]),), a[:1])),
    "scattered": written(lambda z, a: z.scatter_(0, torch.tensor([0]), a[:1])),
    "of a row": lambda: vmap(lambda a: torch.zeros_like(a).add_(a))(x),
    "sort": lambda: vmap(lambda a: a.sort(descending=True))(x),
    "max": lambda: vmap(lambda a: torch.max(a, 0))(x),
    "topk": lambda: vmap(lambda a: a.topk(2))(x).indices,
    "each gradient": lambda: vmap(grad(lambda a: (a * a).sum()))(x),
    "jacrev": lambda: jacrev(lambda a: a.long())(x[0]),
    "vjp": lambda: vjp(lambda a: a.long(), x[0]),
    "functionalize": lambda: vmap(functionalize(lambda a: a.clone().add_(1)))(x),
    "remove": lambda: functionalize(lambda a: a, remove="all"),
}.items():
    say(name, call)

changed = torch.ones(2)
functionalize(lambda a: a.mul_(3))(changed)
print(changed)

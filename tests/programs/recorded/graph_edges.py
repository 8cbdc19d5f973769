# Edges of the graph, hooks for several gradients, functions of one's own and what they refuse.
import warnings

import torch
from torch.autograd import Function
from torch.autograd.graph import (allow_mutation_on_saved_tensors, disable_saved_tensors_hooks, get_gradient_edge, increment_version,
                                  register_multi_grad_hook, saved_tensors_hooks)


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


a = torch.tensor([[1.0, 2.0]], requires_grad=True)
b = torch.tensor([[3.0, 4.0]], requires_grad=True)
c = a * b
edge = get_gradient_edge(c)
print(edge.node.name(), edge.output_nr, type(edge).__name__, edge.node == c.grad_fn, get_gradient_edge(a).node.name())
print(torch.autograd.grad(edge, (a,), grad_outputs=torch.ones(1, 2), retain_graph=True))
print(torch.autograd.grad((c * 2).sum(), [edge, get_gradient_edge(b)]))
attempt(lambda: get_gradient_edge(torch.ones(2)))
handle = register_multi_grad_hook((a, b), lambda grads: print([g is not None for g in grads]))
(a * b).sum().backward()
handle.remove()
with register_multi_grad_hook((a, b), lambda grad: print("first", grad.shape), mode="any"):
    (a * b).sum().backward()
attempt(lambda: register_multi_grad_hook((a,), print, mode="some"))
with disable_saved_tensors_hooks("no hooks here"):
    attempt(lambda: saved_tensors_hooks(id, id).__enter__())
a.grad = None
with allow_mutation_on_saved_tensors():
    d = a.clone()
    out = (d ** 2).sum()
    d.sin_()
    out.backward()
print(a.grad)
t = torch.ones(2)
increment_version(t)
print(t._version)
for hook in (lambda g: g.sum(), lambda g: g.double(), lambda g: 3, lambda g: None):
    e = a * 2
    e.register_hook(hook)
    attempt(lambda: e.sum().backward())


class Scale(Function):
    @staticmethod
    def forward(ctx, x, by=2.0, flag=True):
        ctx.save_for_backward(x)
        ctx.by = by
        print(ctx.needs_input_grad, by, flag)
        return x * by

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return grad * ctx.by, None, None


attempt(lambda: Scale.apply(a, by=3.0).sum().backward())
attempt(lambda: Scale.apply(a, flag=False))
attempt(lambda: Scale.apply(a, x=a))
attempt(lambda: Scale.apply(a, other=a))
attempt(lambda: torch.func.grad(lambda x: Scale.apply(x).sum())(torch.ones(2)))
for change in (a * 1, a.exp()):
    scaled = Scale.apply(change)
    change.mul_(2)
    attempt(lambda: scaled.sum().backward())


class Saves(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x, 3)
        return x * 2


class Vjp(Function):
    @staticmethod
    def forward(x, power=2):
        return x ** power

    @staticmethod
    def setup_context(ctx, inputs, output):
        print(len(inputs), inputs[1])

    @staticmethod
    def vjp(ctx, grad):
        return grad * 7, None


class Number(Vjp):
    @staticmethod
    def vjp(ctx, grad):
        return 3.0, None


class Parts(Function):
    @staticmethod
    def forward(ctx, x):
        mask = x > 1
        ctx.mark_non_differentiable(mask)
        return x.sum(), mask

    @staticmethod
    def backward(ctx, grad, no_grad):
        print(grad, no_grad)
        return grad.expand(3, 1, 2)


class InPlace(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.add_(1)


class Both(Vjp):
    @staticmethod
    def backward(ctx, grad):
        return grad, None


attempt(lambda: Saves.apply(a))
a.grad = None
attempt(lambda: Vjp.apply(a, power=3).sum().backward())
print(a.grad)
attempt(lambda: Parts.apply(a)[0].backward())
print(a.grad)
attempt(lambda: InPlace.apply(a))
attempt(lambda: Number.apply(a).sum().backward())
attempt(lambda: Both.apply(a).sum().backward())
attempt(lambda: torch.vmap(Vjp.apply)(torch.ones(3)))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    attempt(lambda: Scale()(a))
print(caught[0].category.__name__, caught[0].message)

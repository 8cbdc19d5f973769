"""What vmap refuses, and gradients that don't fit their outputs. PyTorch 2.15 recorded `functions_of_rows.txt` from this file."""

import torch
from torch.func import grad, vmap


def say(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, str(e)[:150])


x = torch.arange(6.0).view(3, 2) - 2
say("mask", lambda: vmap(lambda a: a[a > 0])(x))
say("own mask", lambda: vmap(lambda a: a[torch.tensor([True, False])])(x))
say("index", lambda: vmap(lambda a, i: a[i])(x, torch.tensor([0, 1, 0])))
say("None", lambda: vmap(lambda a: (a, a * 2), out_dims=(0, None))(x))
say("not a row", lambda: vmap(lambda a: (a, torch.ones(2)), out_dims=(0, None))(x))
say("aux", lambda: grad(lambda a: (a.sum(), 1), has_aux=True)(x))
say("aux", lambda: grad(lambda a: (a.sum(), {"a": a.mean()}), has_aux=True)(x))

p, q = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
say("fewer", lambda: torch.autograd.backward([p * 2, q], [torch.ones(2)]))
say("one", lambda: torch.autograd.backward([p * 2, q], torch.ones(2)))
say("fewer", lambda: torch.autograd.grad([p * 2, q * 2], [p], [torch.ones(2)]))
say("more", lambda: torch.autograd.grad(p * 2, p, [torch.ones(2), torch.ones(2)]))
say("number", lambda: torch.autograd.backward(p * 2, 1.0))
say("numbers", lambda: torch.autograd.grad(p * 2, p, [1.0, 2.0]))
say("mode", lambda: torch.set_grad_enabled(0))
say("number", lambda: (p * 2).backward(1.0))
say("complex", lambda: torch.autograd.backward(p * 2, torch.ones(2, dtype=torch.complex64)))
say("format", lambda: f"{torch.nn.Parameter(torch.tensor(1.5)):.1f}")
say("format", lambda: f"{torch.tensor(1.5):.1f}")
say("prelu", lambda: torch.nn.PReLU()(p.double()))
say("max", lambda: torch.zeros(3).scatter_reduce(0, torch.tensor([0, 0, 1]), torch.tensor([1.0, 2.0, -3.0]), "max"))
say("min", lambda: torch.zeros(3).scatter_reduce(0, torch.tensor([0, 0, 1]), torch.tensor([1.0, 2.0, -3.0]), "min"))
say("list", lambda: [0] * torch.tensor(2))
say("tuple", lambda: torch.tensor([2]) * (1,))
say("text", lambda: "ab" * torch.tensor(2))
joined = [1]
joined += torch.tensor([2, 3])
print(joined)

"""Gradients of gradients through views that were changed in place. PyTorch 2.15 recorded `second_derivatives_of_views.txt`
from this file."""

import torch
from torch import nn
from torch.nn import functional as F


def show(name, f, third=True):
    torch.manual_seed(0)
    x, w, v = (torch.randn(size, requires_grad=True) for size in ((2, 3), (3, 2), (2, 3)))
    o = (f(x * v) @ w).sigmoid()
    (g,) = torch.autograd.grad(o, x, torch.ones_like(o), create_graph=True)
    grads = torch.autograd.grad(g.pow(2).sum(), [w, v, x], create_graph=True, allow_unused=True)
    print(name, [None if q is None else f"{q.norm():.5f}" for q in grads])
    if third:
        grads = torch.autograd.grad(sum(q.pow(2).sum() for q in grads if q is not None), [w, v, x], allow_unused=True)
        print("  ", [None if q is None else f"{q.norm():.5f}" for q in grads])


def changed(change):
    def f(h):
        change(h)
        return h

    return f


def base_changed(h):
    view = h.view(3, 2)
    h.tanh_()
    return view.view(2, 3)


def normed(h):
    return F.instance_norm(h.view(1, 2, 3)).view(2, 3)


show("leaky", lambda h: F.leaky_relu(h.view(3, 2), inplace=True).view(2, 3))
show("mul", lambda h: h.view(3, 2).mul_(2).view(2, 3))
show("exp", lambda h: h.view(3, 2).exp_().view(2, 3))
show("slice", changed(lambda h: h[:, 1:].tanh_()))
show("product", changed(lambda h: h[:, 1:].mul_(h[:, :2].clone())))
show("copy", changed(lambda h: h[0].copy_(h[1].clone().tanh())))
show("assigned", changed(lambda h: h.__setitem__((0, slice(1, None)), h[1, 1:].clone() ** 2)))
show("constant", changed(lambda h: h.__setitem__((slice(None), 0), 1.0)))
show("base", base_changed)
show("twice", changed(lambda h: (h[:, 1:].mul_(3), h.t()[0].exp_())))
show("norm", lambda h: F.leaky_relu(normed(h), 0.2, True), third=False)

torch.manual_seed(0)
critic = nn.Sequential(
    nn.Conv2d(1, 4, 4, 2, 1), nn.LeakyReLU(0.2, True), nn.Conv2d(4, 8, 4, 2, 1), nn.InstanceNorm2d(8), nn.LeakyReLU(0.2, True),
    nn.Conv2d(8, 1, 4), nn.Flatten(),
)
x = torch.randn(4, 1, 16, 16, requires_grad=True)
(g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
((g.flatten(1).norm(dim=1) - 1) ** 2).mean().backward()
print([None if p.grad is None else f"{p.grad.norm():.5f}" for p in critic.parameters()])

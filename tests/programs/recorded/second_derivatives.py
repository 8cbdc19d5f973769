"""Gradients of gradients of losses and factors. PyTorch 2.15 recorded `second_derivatives.txt` from this file."""

import torch
from torch.nn import functional as F

torch.manual_seed(0)
x = torch.randn(3, 4, requires_grad=True)
target = torch.tensor([0, 3, 1])
weight = torch.tensor([1.0, 2.0, 0.5, 3.0])


def twice(f):
    loss = f(x)
    (g,) = torch.autograd.grad((loss * loss).sum(), x, create_graph=True)
    return torch.autograd.grad(g.pow(2).sum(), x)[0]


for reduction in ("mean", "sum", "none"):
    print(twice(lambda x: F.cross_entropy(x, target, reduction=reduction)))
    print(twice(lambda x: F.nll_loss(x.sin(), target, weight=weight, ignore_index=3, reduction=reduction)))
print(twice(lambda x: F.cross_entropy(x, target, label_smoothing=0.1)))
print(twice(lambda x: F.cross_entropy(x[0], target[0])))

# One step of meta-learning: the gradient goes through the inner step.
w = torch.randn(4, 3, requires_grad=True)
fast = w - 0.5 * torch.autograd.grad(F.cross_entropy(x.detach() @ w, target % 3).pow(2), w, create_graph=True)[0]
F.cross_entropy(x.detach() @ fast, target % 3).backward()
print(w.grad)

s = torch.randn(3, 3, dtype=torch.float64)
s = (s + s.T).requires_grad_()
values, vectors = torch.linalg.eigh(s)
print(torch.autograd.grad((vectors.abs() * torch.arange(9.0).view(3, 3)).sum(), s, retain_graph=True)[0])
print(torch.autograd.grad((vectors**4).sum() + values.pow(2).sum(), s, retain_graph=True)[0])
(g,) = torch.autograd.grad(values.pow(2).sum(), s, create_graph=True)
print(torch.autograd.grad((g * torch.arange(1.0, 10).view(3, 3)).sum(), s)[0])

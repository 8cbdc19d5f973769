"""Outdated ways to call operators, and the first one's warning. PyTorch 2.15 recorded `outdated_calls.txt` from this file."""

import warnings

import torch


def attempt(f):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            print(f(), [f"{w.category.__name__}: {str(w.message).split(' (Triggered')[0]}" for w in said])
        except Exception as e:
            print(type(e).__name__, e)


a, b, c = torch.ones(2, 3), torch.arange(6.0).view(3, 2), torch.eye(2)
v3, v2 = torch.arange(3.0), torch.ones(2)
A, B, C = torch.ones(4, 2, 3), torch.ones(4, 3, 2), torch.zeros(4, 2, 2)
for f in (
    lambda: torch.addmm(2, c, 3, a, b),
    lambda: torch.addmm(2, c, a, b),
    lambda: torch.addmm(c, 3, a, b),
    lambda: c.addmm(2, 3, a, b),
    lambda: c.addmm(3, a, b),
    lambda: c.clone().addmm_(2, 3, a, b),
    lambda: torch.addmv(2, v2, 3, a, v3),
    lambda: torch.addmv(v2, 3, a, v3),
    lambda: v2.addmv(2, 3, a, v3),
    lambda: v2.clone().addmv_(3, a, v3),
    lambda: torch.addr(2, a, 3, v2, v3),
    lambda: a.addr(3, v2, v3),
    lambda: a.clone().addr_(2, 3, v2, v3),
    lambda: torch.baddbmm(2, C, 3, A, B).sum(),
    lambda: C.baddbmm(2, 3, A, B).sum(),
    lambda: C.clone().baddbmm_(3, A, B).sum(),
    lambda: torch.addbmm(2, c, 3, A, B),
    lambda: c.addbmm(3, A, B),
    lambda: c.clone().addbmm_(2, 3, A, B),
    lambda: torch.addcmul(v3, 2, v3, v3),
    lambda: v3.clone().addcmul_(2, v3, v3),
    lambda: torch.addcdiv(v3, 2, v3, v3 + 1),
    lambda: v3.clone().addcdiv_(2, v3, v3 + 1),
    lambda: v3.clone().add_(2, v3),
    lambda: v3.add(2, v3),
    lambda: torch.add(v3, 2, v3),
    lambda: v3.clone().sub_(2, v3),
    lambda: torch.sub(v3, 2, v3),
    lambda: torch.add(v3, 2, v3, out=torch.zeros(3)),
    lambda: v3.clone().add_(torch.tensor(2.0), v3),
    lambda: torch.add(v3, -0.1, torch.ones(3, dtype=torch.double)),
    lambda: v3.addmm(1, 2, 3),
    lambda: torch.addmm("x", c, 3, a, b),
):
    attempt(f)
w = torch.ones(3, requires_grad=True)
print(type(torch.add(w, 2, w).grad_fn).__name__, torch.autograd.grad(w.add(3, w).sum(), w))

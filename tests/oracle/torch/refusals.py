"""Calls with values that PyTorch refuses, and what it says: `python refusals.py` with PyTorch 2.15 writes what `refusals.txt`
has."""

import torch
import torch.nn.functional as F

CALLS = """
F.softshrink(m.half(), -0.5)
F.softshrink(m.bfloat16(), -0.5)
F.softshrink(m, -0.5)
F.softshrink(m.double(), -0.5)
F.softshrink(m.half(), 1e5)
F.softshrink(m, float("nan"))
torch.roll(z, 1, 0)
torch.roll(z, 1, -1)
torch.roll(z, (1, 1), (0, 0))
torch.trace(z)
torch.trace(torch.ones(3))
F.prelu(z, torch.ones(2))
F.prelu(m, torch.ones(1, 1))
F.prelu(m, torch.ones(2))
torch.isclose(m, m, rtol=-0.4, atol=-0.1)
torch.isclose(m, m, atol=-1)
torch.allclose(m, m, rtol=-0.4)
torch.linalg.cross(torch.ones(5, 3), torch.ones(5, 1))
torch.linalg.cross(torch.ones(5, 5, 3), torch.ones(5, 3))
torch.linalg.cross(torch.ones(5, 4), torch.ones(5, 4))
torch.linalg.cross(torch.ones(2, 3), torch.ones(5, 3))
torch.cross(torch.ones(5, 5, 3), torch.ones(5, 3), dim=1)
torch.multinomial(w, 2, replacement=True)
torch.multinomial(w, 2)
torch.multinomial(w, 1, replacement=True)
torch.multinomial(w.abs() / 0, 2, replacement=True)
torch.multinomial(w * float("nan"), 2, replacement=True)
torch.multinomial(w * 0, 2)
torch.multinomial(torch.zeros(2**24 + 1), 2)
many.sum(0)
many.amax(0)
many.mean(-1)
many.any(0)
many.norm(dim=0)
torch.nansum(many, 0)
torch.aminmax(many, dim=0)
F.max_pool2d(e, 2, 50, -1)
F.max_pool2d(e, 2)
F.max_pool2d(e, 2, 50, 4)
F.max_pool2d(torch.ones(2, 2), 2, padding=-1)
F.avg_pool1d(e, 2, padding=4)
F.avg_pool2d(e, 2, stride=0)
F.avg_pool2d(e, 2)
F.max_pool1d(e, 2, padding=-1)
F.max_pool1d(e, 2, padding=-1, return_indices=True)
F.max_pool1d(e, 3, dilation=2, stride=1, padding=3, return_indices=True)
"""

m, z, e, w = torch.ones(3, 3), torch.tensor(1.0), torch.ones(0, 1, 49), torch.tensor([1.0, -1.0, 1.0])
many = torch.ones([1] * 65)
for call in CALLS.strip().splitlines():
    try:
        eval(call)
        print(call)
    except Exception as error:
        print(f"{call}\n    {type(error).__name__}: {error}")

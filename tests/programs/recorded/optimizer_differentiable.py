"""Steps that autograd records, and copies of generators. PyTorch 2.15 recorded `optimizer_differentiable.txt` from this file."""

import copy
import io
import pickle

import torch
from torch import nn

for name, more in (
    ("SGD", {}), ("SGD", dict(momentum=0.9, weight_decay=0.1, nesterov=True)), ("SGD", dict(momentum=0.5, dampening=0.2, maximize=True)),
    ("Adam", {}), ("Adam", dict(weight_decay=0.1)), ("AdamW", {}), ("Adam", dict(maximize=True)), ("Adam", dict(amsgrad=True)),
    ("RMSprop", {}), ("RMSprop", dict(momentum=0.9, weight_decay=0.1)), ("RMSprop", dict(centered=True)),
):
    rate = torch.tensor(0.1, requires_grad=True) if name == "SGD" else 0.1
    start = torch.tensor([1.0, 2.0], requires_grad=True)
    scale = torch.tensor(3.0, requires_grad=True)
    p = start * 1.0
    p.retain_grad()
    optimizer = getattr(torch.optim, name)([p], lr=rate, differentiable=True, **more)
    print(name, more)
    try:
        for i in range(3):
            p.grad = torch.tensor([0.5, -1.0]) * scale * (i + 1)
            optimizer.step()
        print(p, type(p.grad_fn).__name__)
        print(torch.autograd.grad((p**2).sum(), [start, scale] + ([rate] if name == "SGD" else [])))
    except RuntimeError as e:
        print(str(e)[:130])
leaf = nn.Parameter(torch.ones(1))
leaf.grad = torch.ones(1)
try:
    torch.optim.SGD([leaf], differentiable=True).step()
except RuntimeError as e:
    print(e)

generator = torch.Generator().manual_seed(3)
torch.rand(2, generator=generator)
for other in (copy.deepcopy(generator), pickle.loads(pickle.dumps(generator))):
    print(other.initial_seed(), torch.equal(torch.rand(2, generator=other), torch.rand(2, generator=copy.deepcopy(generator))))
print(nn.Buffer(torch.ones(1)), isinstance(nn.Buffer(torch.ones(1)), nn.Buffer))
file = io.BytesIO()
torch.save(leaf, file)
file.seek(0)
for f in (lambda: torch.load(file, foo=1), lambda: torch.load(3)):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)

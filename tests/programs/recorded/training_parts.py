"""Parts of training programs. PyTorch 2.15 recorded `training_parts.txt` from this file."""

import copy
import pickle
import warnings

import numpy as np
import torch
from torch import nn, optim
from torch.nn import functional as F
from torch.optim import lr_scheduler


def attempt(f):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            f()
            print("ok", [f"{w.category.__name__}: {str(w.message).split(' (Triggered')[0]}" for w in said])
        except Exception as e:
            print(type(e).__name__, e)


m = nn.Linear(2, 2)
attempt(lambda: optim.SGD({m.weight}, lr=0.1))
attempt(lambda: optim.SGD([{"params": {m.weight}}], lr=0.1))
print(issubclass(lr_scheduler.StepLR, lr_scheduler._LRScheduler), lr_scheduler._LRScheduler.__mro__[1].__name__)


class Halved(lr_scheduler._LRScheduler):
    def get_lr(self):
        return [base / 2**self.last_epoch for base in self.base_lrs]


o = optim.SGD(m.parameters(), lr=1.0)
s = Halved(o)
o.step()
s.step()
print(s.get_last_lr(), isinstance(s, lr_scheduler.LRScheduler))

lbfgs = optim.LBFGS(m.parameters())


def closure():
    lbfgs.zero_grad()
    loss = m(torch.ones(1, 2)).pow(2).sum()
    loss.backward()
    return loss


attempt(lambda: lbfgs.step(closure))
loss = m(torch.ones(1, 2)).sum()
with torch.no_grad():
    attempt(lambda: float(loss))
attempt(lambda: float(loss))

for shape in ((1, 4), (1, 4, 1), (2, 4), (4,)):
    attempt(lambda: F.group_norm(torch.ones(shape), 4))
attempt(lambda: nn.GroupNorm(4, 4).eval()(torch.ones(1, 4)))
for cell in (nn.RNNCell, nn.LSTMCell, nn.GRUCell):
    attempt(lambda: cell(2, 3)(torch.zeros(1, 4, 2)))

scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
attempt(lambda: scaler.scale("x"))
print([float(t) for t in scaler.scale(t for t in (torch.ones(1), torch.ones(1) * 2))], scaler.scale([torch.ones(1)]))

r = np.random.RandomState(5)
r.normal()
for f in (copy.copy, copy.deepcopy, lambda r: pickle.loads(pickle.dumps(r))):
    print(f(r).rand(2).round(4), type(f(r)).__name__)
print(r.rand(2).round(4))

x = torch.tensor([[0.3, -1.2, 0.8], [1.5, 0.0, -0.4]], requires_grad=True)
for dim in (0, 1):
    (g,) = torch.autograd.grad(x.logcumsumexp(dim).pow(2).sum(), x, create_graph=True)
    print(g.detach(), torch.autograd.grad(g.sin().sum(), x)[0])
attempt(lambda: F.ctc_loss(torch.zeros(9, 2, 4), torch.tensor([[1, 2, 3]]), torch.tensor([9, 8]), torch.tensor([3, 2])))

d = torch.randn(3, 4, dtype=torch.float64).t().requires_grad_()
print(torch.autograd.gradcheck(torch.sin, d), torch.autograd.gradgradcheck(lambda d: d.t() ** 3, d))

"""Small parts of courses: what parameter lists print, and a cycle that follows another scheduler of the same optimizer."""
import torch
from torch import nn
from torch.optim import SGD
from torch.optim.lr_scheduler import CyclicLR, OneCycleLR, StepLR

print(nn.ParameterList([torch.ones(2), 3, torch.ones(2, 3)]))
print(nn.ParameterList([torch.ones(2)]), nn.ParameterList(), nn.ParameterDict())
print(nn.ParameterDict({"a": torch.ones(2), "b": torch.ones(2, 3)}))
print(nn.Sequential(nn.ParameterList([torch.ones(2)]), nn.ParameterDict({"w": torch.ones(1), "n": 4})))

for earlier in (lambda o: OneCycleLR(o, 0.5, total_steps=10), lambda o: StepLR(o, 2)):
    optimizer = SGD([nn.Parameter(torch.ones(2))], lr=0.1, momentum=0.9)
    earlier(optimizer)
    cycle = CyclicLR(optimizer, 0.01, 0.09, 2)
    rates = []
    for _ in range(6):
        optimizer.step()
        cycle.step()
        rates.append(round(optimizer.param_groups[0]["lr"], 6))
    print(cycle.base_lrs, rates)

# The order of parameters decides the optimizer's groups: a plain dictionary is sorted, others keep their order.
from collections import OrderedDict

pairs = [("weight", torch.ones(1)), ("bias", torch.ones(2)), ("scale", torch.ones(3))]
for given in (dict(pairs), OrderedDict(pairs), pairs, nn.ParameterDict(OrderedDict(pairs))):
    print([name for name, _ in nn.ParameterDict(given).named_parameters()])

from torch.nn.utils import *

print(weight_norm(nn.Linear(2, 2)), spectral_norm(nn.Linear(2, 2)), clip_grad_norm_([], 1.0), "prune" in dir(), callable(skip_init))

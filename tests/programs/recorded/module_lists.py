# Arithmetic and updates of containers, schedulers' warnings, capsules, patterns in a graph.
import warnings

import numpy as np
import torch
import torch.fx
from torch import nn
from torch.optim import lr_scheduler
from torch.utils.dlpack import from_dlpack, to_dlpack


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


class Residual(nn.Sequential):
    def forward(self, x):
        return x + super().forward(x)


r = Residual(nn.ReLU(), nn.Tanh())
print(r + nn.Sequential(nn.ELU()), r * 2, 2 * nn.Sequential(nn.ReLU()), r.pop(-1), len(r))
r += nn.Sequential(nn.GELU())
r *= 2
print(r)
for f in (lambda: r + 3, lambda: r * -1, lambda: r * 1.5, lambda: r.insert(9, nn.ReLU()), lambda: nn.ModuleDict().update(3),
          lambda: nn.ModuleDict([nn.ReLU()]), lambda: nn.ModuleDict([("a", nn.ReLU(), 3)])):
    attempt(f)
optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=0.1)
with warnings.catch_warnings():
    warnings.simplefilter("error")
    restarts = lr_scheduler.CosineAnnealingWarmRestarts(optimizer, 3, 2)
    for _ in range(5):
        optimizer.step()
        restarts.step()
    print(restarts.get_last_lr())
attempt(lambda: lr_scheduler.StepLR(torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=0.1), 1, last_epoch=3))
attempt(lambda: lr_scheduler.SequentialLR(optimizer, [], []))

t = torch.arange(4.0)
capsule = to_dlpack(t)
other = from_dlpack(capsule)
other[0] = 9
print(type(capsule).__name__, t, torch.from_dlpack(np.arange(3)), torch.from_dlpack(t).data_ptr() == t.data_ptr())
print(t.__dlpack_device__(), np.from_dlpack(t))
attempt(lambda: from_dlpack(capsule))
attempt(lambda: torch.ones(1, requires_grad=True).__dlpack__())


class Sums(nn.Module):
    def forward(self, x, w1, w2):
        return x + torch.max(torch.cat([w1, w2]).sum()) + torch.max(torch.cat([w2, w1]).sum())


class Negated(torch.fx.Transformer):
    def call_function(self, target, args, kwargs):
        return torch.sub(*args) if target is torch.add else super().call_function(target, args, kwargs)


traced = torch.fx.symbolic_trace(Sums())
matches = torch.fx.replace_pattern(traced, lambda a, b: torch.cat([a, b]).sum(), lambda a, b: torch.stack([a, b]))
print(matches)
print(traced.code, traced(*torch.eye(3)))
print(Negated(torch.fx.symbolic_trace(lambda x, y: torch.add(x, y))).transform().code)

parameters = nn.ParameterDict({"b": torch.ones(1), "a": torch.zeros(2)})
print(list(parameters), list(reversed(parameters)), parameters.get("c"), parameters.popitem(), parameters.setdefault("d", torch.ones(1)))
parameters |= {"e": torch.zeros(1)}
print((parameters | nn.ParameterDict({"f": torch.ones(1)})), list(parameters.copy().items()), parameters.fromkeys(["x"], 3))
for f in (lambda: parameters["none"], lambda: parameters[3], lambda: parameters(1), lambda: parameters.update(3), lambda: parameters.clear()):
    attempt(f)
model = nn.Sequential(nn.Sequential(nn.ReLU()))
model.set_submodule("0.0", nn.Tanh())
model.set_submodule("0.extra", nn.ELU())
print(model)
for f in (lambda: model.set_submodule("", nn.ELU()), lambda: model.set_submodule("0.new", nn.ELU(), strict=True),
          lambda: model.set_submodule("0", 3), lambda: model.set_submodule("9.a", nn.ELU())):
    attempt(f)
print(isinstance(nn.LSTMCell(1, 1), nn.RNNCellBase))
old = {"module." + name: value for name, value in nn.BatchNorm1d(1).state_dict().items()}
attempt(lambda: nn.BatchNorm1d(1).load_state_dict(old))
attempt(lambda: torch.optim.Adam([nn.Parameter(torch.ones(1))], fused=True, foreach=True))
print(torch.optim.SGD(nn.Linear(1, 1).named_parameters(), lr=0.1))


class Unregistered:
    pass


for f in (lambda: nn.Sequential(nn.ReLU), lambda: nn.ModuleList([Unregistered()]), lambda: setattr(nn.Linear(1, 1), "weight", Unregistered),
          lambda: nn.Conv2d(1, 2), lambda: nn.ConvTranspose1d(1, 2, 3, pading=1), lambda: nn.AvgPool2d(), lambda: nn.AdaptiveAvgPool2d(),
          lambda: nn.Hardtanh(2, 1), lambda: nn.BCEWithLogitsLoss()(torch.ones(2), torch.tensor([1, 0])),
          lambda: nn.BCEWithLogitsLoss()(torch.ones(2), torch.tensor([True, False]))):
    attempt(f)
from torch.nn.common_types import _size_2_t

print(_size_2_t is not None)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    for mean, std in ((0.0, 1.0), (9.0, 1.0), (3.0, 1.0), (0.0, 10.0)):
        print(nn.init.trunc_normal_(torch.empty(2, 3), mean, std))

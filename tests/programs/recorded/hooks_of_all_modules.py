# Hooks of all modules, hooks that run even if `forward` fails, and hooks of registrations.
import warnings

import torch
from torch import nn
from torch.nn.modules import module as nm

warnings.simplefilter("ignore")
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 2), nn.Tanh(), nn.Linear(2, 1))
x = torch.ones(2, 3, requires_grad=True)


def name(module):
    return type(module).__name__


handles = [
    nm.register_module_forward_pre_hook(lambda m, args: print("before", name(m), tuple(args[0].shape))),
    nm.register_module_forward_hook(lambda m, args, out: print("after", name(m), tuple(out.shape))),
    nm.register_module_forward_hook(lambda m, args, kwargs, out: print("kwargs", name(m), kwargs), with_kwargs=True),
    nm.register_module_full_backward_pre_hook(lambda m, go: print("backward before", name(m), tuple(go[0].shape))),
    nm.register_module_full_backward_hook(lambda m, gi, go: print("backward", name(m), gi[0].shape, go[0].shape)),
]
net[1].register_forward_hook(lambda m, args, out: out * 2)
net(x).sum().backward()
print(x.grad)
for handle in handles:
    handle.remove()
print("removed", net(x).shape)

with nm.register_module_forward_hook(lambda m, args, out: out + 1):
    print(net[0](x) - torch.nn.functional.linear(x, net[0].weight, net[0].bias))
print(net[0](x) - torch.nn.functional.linear(x, net[0].weight, net[0].bias))


class Fails(nn.Module):
    def forward(self, x):
        raise ValueError("no result")


fails = Fails()
fails.register_forward_hook(lambda m, args, out: print("not called"))
fails.register_forward_hook(lambda m, args, out: print("always called", out), always_call=True)
with nm.register_module_forward_hook(lambda m, args, out: print("of all, always", out), always_call=True):
    try:
        fails(x)
    except ValueError as e:
        print("ValueError", e)
good = nn.Identity()
good.register_forward_hook(lambda m, args, out: print("always called", out), always_call=True)
good(torch.ones(1))
bad = nn.Identity()
bad.register_forward_pre_hook(lambda m, args, kwargs: args, with_kwargs=True)
try:
    bad(1)
except RuntimeError as e:
    print(e)

with nm.register_module_parameter_registration_hook(lambda m, n, p: print("parameter", name(m), n)), \
        nm.register_module_buffer_registration_hook(lambda m, n, b: print("buffer", name(m), n)), \
        nm.register_module_module_registration_hook(lambda m, n, s: print("module", name(m), n, name(s))):
    nn.Sequential(nn.Linear(1, 1), nn.BatchNorm1d(1))
with nm.register_module_module_registration_hook(lambda m, n, s: nn.Identity() if isinstance(s, nn.Dropout) else None):
    print(nn.Sequential(nn.Linear(1, 1), nn.Dropout()))

"""What modules save and load: hooks, extra state, refusals. PyTorch 2.15 recorded `module_state.txt` from this file."""

import warnings
from collections import OrderedDict

import torch
from torch import nn


def say(name, f):
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        try:
            r = str(f())
        except Exception as e:
            r = f"{type(e).__name__}: {e}"
    print(name, "->", r)
    for x in w:
        print("   warns", x.category.__name__, x.message)


class Extra(nn.Module):
    def __init__(self, value=1):
        super().__init__()
        self.value = value
        self.weight = nn.Parameter(torch.ones(2))
        self.register_buffer("seen", torch.zeros(()))
        self.register_buffer("scratch", torch.zeros(3), persistent=False)

    def get_extra_state(self):
        return {"value": self.value}

    def set_extra_state(self, state):
        self.value = state["value"]


torch.manual_seed(0)
e = Extra(5)
say("state", lambda: dict(e.state_dict()))
say("metadata", lambda: dict(nn.Sequential(nn.Linear(1, 1), nn.BatchNorm1d(1)).state_dict()._metadata))
f = Extra()
say("load", lambda: (f.load_state_dict(e.state_dict()), f.value))
say("without", lambda: f.load_state_dict({"weight": torch.zeros(2), "seen": torch.ones(())}))
say("lenient", lambda: f.load_state_dict({"weight": torch.zeros(2), "x": torch.ones(())}, strict=False))
say("not wanted", lambda: nn.Linear(1, 1).load_state_dict({"weight": torch.ones(1, 1), "bias": torch.ones(1), "_extra_state": 3}))
say("kept", lambda: e.state_dict(keep_vars=True)["weight"] is e.weight)
say("prefix", lambda: list(e.state_dict(prefix="a.")))
say("positional", lambda: list(e.state_dict(OrderedDict(), "b.")))
net = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 1)))
log = []
handles = [
    net.register_state_dict_pre_hook(lambda m, prefix, keep: log.append(("pre", prefix, keep))),
    net[1].register_state_dict_post_hook(lambda m, state, prefix, meta: log.append(("post", prefix, len(state), meta))),
    net._register_state_dict_hook(lambda m, state, prefix, meta: log.append(("old", prefix, sorted(state)))),
    net[1].register_load_state_dict_pre_hook(lambda m, state, prefix, *rest: log.append(("load", type(m).__name__, prefix, sorted(state)))),
    net._register_load_state_dict_pre_hook(lambda state, prefix, meta, strict, missing, unexpected, errors: log.append(("oldload", prefix, strict, state.pop("gone", None)))),
    net.register_load_state_dict_post_hook(lambda m, keys: log.append(("loaded", keys.missing_keys, keys.unexpected_keys))),
]
state = net.state_dict()
state["gone"] = 1
say("load", lambda: net.load_state_dict(state))
for entry in log:
    print(entry)
for handle in handles:
    handle.remove()
say("left", lambda: [len(h) for h in (net._state_dict_hooks, net._state_dict_pre_hooks, net._load_state_dict_pre_hooks, net._load_state_dict_post_hooks)])
net.register_state_dict_post_hook(lambda m, state, prefix, meta: state)
say("returns", lambda: net.state_dict())
other = nn.Linear(1, 1)
other._register_state_dict_hook(lambda m, state, prefix, meta: {"replaced": 1})
say("replaced", lambda: other.state_dict())
other.register_load_state_dict_post_hook(lambda m, keys: 3)
say("returns", lambda: other.load_state_dict({"weight": torch.ones(1, 1), "bias": torch.ones(1)}))
lin = nn.Linear(2, 2)
for bad in ({"weight": torch.ones(3, 2), "bias": torch.ones(2)}, {"weight": 3, "bias": torch.ones(2)}, {"weight": torch.ones(2, 2)}, {"weight": torch.ones(2, 2), "bias": torch.ones(2), "c.d": torch.ones(1), "e": 1}, [1], 3, None):
    say("bad", lambda: lin.load_state_dict(bad))
say("nested", lambda: nn.Sequential(nn.Linear(1, 1), nn.ReLU()).load_state_dict({"0.weight": torch.ones(1, 1), "0.bias": torch.ones(1), "0.q": 1, "1.weight": 2, "5.weight": 3}))
say("one element", lambda: Extra().load_state_dict({"weight": torch.ones(2), "seen": torch.ones(1), "_extra_state": {"value": 2}}))
given = nn.Parameter(torch.ones(2, 2), requires_grad=False)
say("assign", lambda: (lin.load_state_dict({"weight": given, "bias": torch.zeros(2)}, assign=True), lin.weight is given, lin.weight.requires_grad, type(lin.bias).__name__))
say("meta", lambda: nn.Linear(1, 1, device="meta").load_state_dict({"weight": torch.ones(1, 1), "bias": torch.ones(1)}))
say("meta assign", lambda: (m := nn.Linear(1, 1, device="meta"), m.load_state_dict({"weight": torch.ones(1, 1), "bias": torch.ones(1)}, assign=True), m.weight)[1:])
say("dtype", lambda: (lin.load_state_dict({"weight": torch.ones(2, 2, dtype=torch.float64), "bias": torch.ones(2)}), lin.weight.dtype))
say("extra", lambda: nn.Linear(1, 1).get_extra_state())


class Own(nn.Linear):
    def _load_from_state_dict(self, state_dict, prefix, *args):
        if prefix + "w" in state_dict:
            state_dict[prefix + "weight"] = state_dict.pop(prefix + "w")
        super()._load_from_state_dict(state_dict, prefix, *args)

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "w"] = destination.pop(prefix + "weight")


own = nn.Sequential(Own(2, 1))
say("own", lambda: list(own.state_dict()))
say("own", lambda: own.load_state_dict(own.state_dict()))
calls = []
hooked = nn.Linear(1, 1)
handle = hooked.register_forward_hook(lambda m, args, kwargs, out: calls.append(kwargs), with_kwargs=True)
pre = hooked.register_forward_pre_hook(lambda m, args, kwargs: (args, {"input": torch.zeros(1)}), with_kwargs=True)
say("kwargs", lambda: (hooked(input=torch.ones(1)).shape, calls))
handle.remove(), pre.remove()
say("gone", lambda: [len(getattr(hooked, n)) for n in ("_forward_hooks", "_forward_hooks_with_kwargs", "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs")])

"""States that optimizers load: from older files, shared with another optimizer, through hooks. PyTorch 2.15 recorded
`optimizer_files.txt` from this file."""

import copy

import torch
from torch import nn, optim
from torch.optim.optimizer import Optimizer, register_optimizer_step_post_hook, register_optimizer_step_pre_hook


def say(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, e)


older = {
    "params": [0], "lr": 0.05, "weight_decay": 0, "momentum": 0.9, "dampening": 0, "betas": (0.9, 0.99), "eps": 1e-8, "alpha": 0.9,
    "lr_decay": 0, "momentum_decay": 0.1, "etas": (0.5, 1.2), "step_sizes": (0.1, 1), "lambd": 0.1, "t0": 1, "rho": 0.9,
}
for name in ("SGD", "Adam", "AdamW", "Adagrad", "NAdam", "RAdam", "Rprop", "ASGD", "Adadelta", "Adamax"):
    make = getattr(optim, name)
    more = {"momentum": 0.9} if name == "SGD" else {}
    one, two = (nn.Parameter(torch.ones(2)) for _ in range(2))
    first, second = make([one], lr=0.1, **more), make([two], lr=0.2, **more)
    for p, optimizer in ((one, first), (two, second)):
        p.grad = torch.tensor([1.0, -2.0])
        optimizer.step()
    second.load_state_dict(first.state_dict())
    print(name, {key: value is second.state[two][key] for key, value in first.state[one].items()})
    numbers = {
        key: value.item() if isinstance(value, torch.Tensor) and value.dim() == 0 else value
        for key, value in first.state[one].items()
    }
    second.load_state_dict({"state": {0: numbers}, "param_groups": [older]})
    print(sorted(second.param_groups[0]))
    say("step", second.step)
    print({key: value for key, value in second.state[two].items()}, two.data)
    copied = copy.deepcopy(first)
    print(type(copied).__name__, copied.param_groups[0]["lr"], len(copied.state))

weight = nn.Parameter(torch.tensor([1.0]))
optimizer = optim.SGD([weight], lr=0.1)
optimizer.register_state_dict_pre_hook(lambda o: print("before state_dict", type(o).__name__))
optimizer.register_state_dict_post_hook(lambda o, state: {**state, "more": 1})
optimizer.register_state_dict_post_hook(lambda o, state: state.update(first=2), prepend=True)
optimizer.register_load_state_dict_pre_hook(lambda o, state: print("before load", sorted(state)))
optimizer.register_load_state_dict_post_hook(lambda o: print("after load", o.param_groups[0]["lr"]))
state = optimizer.state_dict()
print(sorted(state))
state["param_groups"][0]["lr"] = 0.5
optimizer.load_state_dict(state)
handles = [
    register_optimizer_step_pre_hook(lambda o, args, kwargs: print("every step", type(o).__name__, args[1:], kwargs)),
    register_optimizer_step_post_hook(lambda o, args, kwargs: print("after every step", type(o).__name__)),
]
optimizer.register_step_pre_hook(lambda o, args, kwargs: print("this step"))
weight.grad = torch.ones(1)
optimizer.step()
optim.Adam([weight]).step()
for handle in handles:
    handle.remove()
optim.Adam([weight]).step()
say("base", lambda: Optimizer([weight], {}).step())
print(sorted(optimizer.__getstate__()))

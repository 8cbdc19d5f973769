"""What checkpointing, schedules of the profiler and a few arguments check. PyTorch 2.15 recorded `checkpoint_checks.txt` from
this file."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.profiler import schedule
from torch.utils.checkpoint import checkpoint


def say(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, str(e)[:200])


torch.manual_seed(0)
layer, x = nn.Linear(2, 2), torch.randn(3, 2, requires_grad=True)
say("check", lambda: checkpoint(layer, x, use_reentrant=False, determinism_check="x"))
say("debug", lambda: checkpoint(layer, x, use_reentrant=True, debug=True))
say("grad", lambda: torch.autograd.grad(checkpoint(layer, x, use_reentrant=True).sum(), x))
say("backward", lambda: checkpoint(layer, x, use_reentrant=True).sum().backward())
print(x.grad)
calls = []


def longer(a):
    calls.append(1)
    return (a.repeat(2, 1) if len(calls) == 2 else a).mul(2).sin().sum()


say("default", lambda: checkpoint(longer, x, use_reentrant=False).backward())
say("wait", lambda: schedule(wait=-1, warmup=1, active=1))
say("active", lambda: schedule(wait=1, warmup=1, active=0))
print([schedule(wait=1, warmup=1, active=2, repeat=2, skip_first=1)(i).name for i in range(10)])
with torch.autograd.profiler.profile() as profile:
    torch.ones(2).mul(2)
print("aten::mul" in [event.name for event in profile.function_events])
say("driver", lambda: torch.linalg.svd(torch.ones(2, 2), driver="gesvd"))
say("mean", lambda: F.batch_norm(torch.ones(2, 2), None, torch.ones(2)))
say("variance", lambda: F.batch_norm(torch.ones(2, 2), torch.ones(2), None))
say("instance", lambda: F.instance_norm(torch.ones(2, 2, 2), use_input_stats=False))

"""Which check comes first where several fail, numbers that don't fit, and the state of generators."""
import torch
import torch.nn.functional as F


def say(name, call):
    try:
        print(name, call())
    except Exception as error:
        print(name, type(error).__name__, "|", error)


def put(shape, dtype):
    z = torch.zeros(3)
    z[torch.tensor([0, 1])] = torch.ones(shape, dtype=dtype)
    return z


say("put", lambda: put(3, torch.float64))
say("put", lambda: put(2, torch.float64))
say("linear", lambda: torch.nn.Linear(3, 2)(torch.ones(2, 4).long()))
say("linear", lambda: torch.nn.Linear(3, 2)(torch.ones(2, 2, 4).double()))
say("linear", lambda: torch.nn.Linear(3, 2)(torch.ones(2, 4)))
say("addmm", lambda: torch.addmm(torch.ones(3), torch.ones(2, 3), torch.ones(2, 3).long()))
say("addmm", lambda: torch.addmm(torch.ones(3).double(), torch.ones(2, 3), torch.ones(3, 3)))
for dtype in (torch.float64, torch.int64, torch.uint8, torch.bool, torch.float16, torch.complex64):
    say("conv", lambda: torch.nn.Conv2d(2, 1, 3)(torch.ones(1, 2, 8, 8, dtype=dtype)))
    say("conv1d", lambda: F.conv1d(torch.ones(1, 2, 8, dtype=dtype), torch.ones(1, 2, 3), torch.ones(1)))

for value in (300, -300, 2**40, 2**63, -2**70):
    for dtype in (torch.uint8, torch.int8, torch.int32, torch.float32):
        say(dtype, lambda: torch.tensor([value], dtype=dtype))
say("inferred", lambda: torch.tensor([2**63]))
say("with a float", lambda: torch.tensor([1, 2.5, 2**63]))
x = torch.arange(6).reshape(2, 3)
say("ellipses", lambda: x[..., ...])
say("ellipses", lambda: x[..., 0, ...])
say("ellipses", lambda: x[0, ..., 1, ...])

g = torch.Generator().manual_seed(3)
torch.rand(3, generator=g)
h = g.clone_state()
print(torch.rand(2, generator=g), torch.rand(2, generator=h), h.initial_seed())
say("seed", lambda: torch.Generator().manual_seed(1.5))
say("seed", lambda: torch.Generator().manual_seed("a"))

"""Random numbers under `torch.vmap(randomness="different")`: each row draws its own."""

import torch
from _torch import Tensor
from torch._batched import Batched, levels_of, plain, running, spread, wrap
from torch.overrides import TorchFunctionMode

# Functions that draw numbers for the elements of a tensor, in order; methods that write them into it; and functions that make a
# tensor of them from nothing.
DRAWS = frozenset("dropout alpha_dropout bernoulli rand_like randn_like randint_like poisson rrelu".split())
WRITES = frozenset("uniform_ normal_ bernoulli_ exponential_ random_ cauchy_ log_normal_ geometric_ dropout_".split())
_MAKES = frozenset("rand randn randint randperm normal multinomial".split())

_SHARED = ("vmap: Cannot ask for different inplace randomness on an unbatched tensor. This will appear like same randomness. If this is "
           "necessary for your usage, please file an issue with functorch.")


def spread_out(name, args, levels):
    """The arguments of a function that draws numbers, with a row for each that it has to draw."""
    missing = [level for level, vmap in enumerate(running, 1) if vmap.randomness == "different" and level not in levels]
    if not missing or not args or not isinstance(args[0], Tensor):
        return args
    if name in WRITES:
        raise RuntimeError(_SHARED)
    return spread(args[0], tuple(sorted((*levels, *missing)))), *args[1:]


def draws(count, level):
    """Within it, functions that draw from tensors without rows of this level, or from nothing, draw for each of its rows."""
    return _Draws(count, level)


class _Draws(TorchFunctionMode):
    def __init__(self, count, level):
        super().__init__()
        self.count, self.level = count, level

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = func.__name__
        own = levels_of(args, kwargs)
        if self.level in own or name not in DRAWS and name not in WRITES and name not in _MAKES:
            return func(*args, **kwargs)
        if name in WRITES:
            raise RuntimeError(_SHARED)
        if name in DRAWS and args and isinstance(args[0], Tensor):
            return func(spread(args[0], tuple(sorted((*own, self.level)))), *args[1:], **kwargs)
        if name in ("rand", "randn") and args:
            size = args[0] if isinstance(args[0], (tuple, list)) else args
            rows = func((self.count, *size), **kwargs)
        elif name == "randint" and args and isinstance(args[-1], (tuple, list)):
            rows = func(*args[:-1], (self.count, *args[-1]), **kwargs)
        else:
            rows = torch.stack([func(*args, **kwargs) for _ in range(self.count)])
        # Vmaps around may have given it rows of theirs.
        outer = rows._levels if type(rows) is Batched else ()
        return wrap(plain(rows) if outer else rows, (*outer, self.level))

"""The tensors that a function sees under `torch.vmap`: one row each, which stands for all rows.

All rows are in one tensor, whose first dimensions are those over which the vmaps around go, the outermost first: its levels. Such
a tensor hides these dimensions. Functions of torch get here by `__torch_function__`: a rule (torch/_batching_rules.py) computes
all rows at once. A function without a rule is called for each row by itself, and the results are stacked.
"""

import torch
from _torch import Tensor, _as_class, _draw_again, _random_states, _torch_function_off as _asking
from torch import _transforms
from torch.utils._pytree import broadcast, tree_flatten

# The vmaps that run now, the outermost first.
running = []


class Vmap:
    """One vmap that runs: how many rows it has, whether they draw the same random numbers, and its number among all transforms."""

    __slots__ = ("count", "randomness", "number")

    def __init__(self, count, randomness):
        self.count, self.randomness = count, randomness
        self.number = len(_transforms.stack) + 1


def number_of(level):
    """The number of a vmap among all transforms. A vmap that has ended has the number that it has without others."""
    return running[level - 1].number if level <= len(running) else level


class NoRule(Exception):
    """A rule doesn't cover this call."""


class Batched(Tensor):
    """A tensor of all rows. `_levels` says to which vmaps (1 is the outermost) its first dimensions belong."""

    # The tensor that the innermost vmap was given and the dimension of its rows, if that isn't the first.
    _given = None

    # Also functions about which no other class is asked, such as `torch.tensor`.
    _is_asked_always = True

    def as_subclass(self, cls):
        return self

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        _asking(1)
        try:
            return _call(func, args, kwargs or {})
        finally:
            _asking(-1)


# What a program sees of it.
Batched.__name__, Batched.__qualname__, Batched.__module__ = "Tensor", "Tensor", "torch"


def wrap(t, levels):
    """The tensor whose first dimensions are those of `levels`, as a function under vmap sees it."""
    out = _as_class(t, Batched)
    out._levels = levels
    return out


def wrapped(result, levels):
    """A result of a rule, whose tensors have the dimensions of `levels` first."""
    if isinstance(result, Tensor):
        return wrap(result, levels)
    if isinstance(result, (tuple, list)):
        items = [wrapped(item, levels) for item in result]
        return type(result)(items) if type(result) in (tuple, list) or not hasattr(result, "_make") else type(result)._make(items)
    return result


def plain(t):
    """All rows of a tensor, as a tensor that hides nothing."""
    return _as_class(t, Tensor)


def _levels_of(args, found):
    for arg in args:
        if type(arg) is Batched:
            found.update(arg._levels)
        elif type(arg) in (list, tuple):
            _levels_of(arg, found)


def levels_of(args, kwargs):
    """The levels of all tensors among arguments, the outermost first."""
    first = args[0] if args else None
    if not kwargs and type(first) is Batched and (len(args) == 1 or len(first._levels) == len(running)):
        return first._levels
    found = set()
    _levels_of(args, found)
    if kwargs:
        _levels_of(kwargs.values(), found)
    return tuple(sorted(found))


def with_levels(arg, levels):
    """An argument whose tensors have a dimension for each of `levels`: of size 1, where its rows don't differ."""
    if type(arg) is Batched:
        if arg._levels != levels:
            t = plain(arg)
            for place, level in enumerate(levels):
                if level not in arg._levels:
                    t = t.unsqueeze(place)
            return wrap(t, levels)
        return arg
    if type(arg) in (list, tuple):
        return type(arg)(with_levels(item, levels) for item in arg)
    return arg


def rows_of(levels):
    """How many rows the vmaps of these levels have."""
    return tuple(running[level - 1].count for level in levels)


def spread(t, levels=None):
    """A tensor with all dimensions of `levels` (of all vmaps that run, if there are none given) in their full size, as a view."""
    if levels is None:
        levels = tuple(range(1, len(running) + 1))
    _asking(1)
    try:
        if type(t) is Batched:
            t = plain(with_levels(t, levels))
            shape = t.shape[len(levels):]
        else:
            shape = t.shape
        return wrap(t.expand(*rows_of(levels), *shape), levels)
    finally:
        _asking(-1)


# ---- calls ---------------------------------------------------------------------------------------------------------------

_names = {}


def _name_of(func):
    """By what rules know a function: its name, after that of its module where this isn't torch; a dot and its name for an
    attribute."""
    own = func.__name__
    if own in ("__get__", "__set__", "__delete__"):
        return ("." if own == "__get__" else own + ".") + func.__self__.__name__
    known = _names.get(func)
    if known is None:
        home, _, module = (getattr(func, "__module__", None) or "torch").rpartition(".")
        known = f"{module}.{own}" if module in ("linalg", "fft", "special") else own
        # Functions of the program must not live longer than the program.
        if module == "torch" or home.startswith("torch"):
            _names[func] = known
    return known


def _call(func, args, kwargs):
    from torch import _batching_networks, _batching_random as random, _batching_refusals as refusals, _batching_rules as rules

    name = _name_of(func)
    levels = levels_of(args, kwargs)
    refusal = refusals.refusal(name, args, kwargs)
    if refusal is not None:
        raise RuntimeError(refusal)
    attribute = rules.ATTRIBUTES.get(name)
    if attribute is not None:
        return attribute(args[0])
    if levels and levels[-1] > len(running) and name not in ("__repr__", "__str__", "__len__", "size", "stride"):
        raise RuntimeError("Either your tensor may have escaped from inside a function being vmapped and this is a user error (see "
                           "https://pytorch.org/functorch/stable/ux_limitations.html), or there is an internal functorch error in "
                           "`gen_vmap_plumbing` Please file an issue if it looks like the latter")
    whole = rules.WHOLE.get(name)
    if whole is not None:
        return whole(*args, **kwargs)
    if name == "is_tensor":
        return True
    if name in random.DRAWS or name in random.WRITES:
        args = random.spread_out(name, args, levels)
        levels = levels_of(args, kwargs)
    in_place = refusals.writes(name)
    if in_place and isinstance(args[0], Tensor):
        refusals.check_written(name, args, levels)
    rule = rules.find(name)
    if rule is not None:
        try:
            result = rule(func, len(levels), *with_levels(args, levels), **{k: with_levels(v, levels) for k, v in kwargs.items()})
        except (NoRule, TypeError, AttributeError):
            # A rule has the parameters that most calls use. If others are wrong, the function says so of one row.
            pass
        else:
            return args[0] if in_place else wrapped(result, levels)
    if name in refusals.MOVES_IN_PLACE:
        raise NotImplementedError(f"torch.vmap: Tensor.{name}() inside the function")
    return row_by_row(func, args, kwargs, levels, in_place)


def _at(arg, levels, place):
    """What a call for the row at `place` gets of an argument."""
    if type(arg) is Batched:
        key = tuple(i for i, level in zip(place, levels) if level in arg._levels)
        return plain(arg)[key] if key else plain(arg)
    if type(arg) in (list, tuple):
        return type(arg)(_at(item, levels, place) for item in arg)
    return arg


def places(counts):
    """The places of all rows, in order."""
    found = [()]
    for count in counts:
        found = [(*place, i) for place in found for i in range(count)]
    return found


# Functions whose numbers depend on a tensor, so that rows of it couldn't draw the same.
_NEVER_SAME = frozenset(("bernoulli", "multinomial", "normal", "poisson"))


def row_by_row(func, args, kwargs, levels, in_place=False):
    """What `func` gives for each row, stacked."""
    counts = rows_of(levels)
    same = running[levels[-1] - 1].randomness == "same"
    if same and getattr(func, "__name__", "") in _NEVER_SAME:
        raise RuntimeError("Vmap does not currently support same randomness with a batched tensor input. Please file an issue with "
                           "functorch")
    states = _random_states() if same else ()
    results = []
    # There may be no row to call it with. One of zeros says what form the result has.
    empty = 0 in counts
    for place in places(counts) or [None]:
        if results:
            _draw_again(states)
        if empty:
            row, named = _zeros(args, levels), {k: _zeros(v, levels) for k, v in kwargs.items()}
        else:
            row, named = _at(args, levels, place), {k: _at(v, levels, place) for k, v in kwargs.items()}
        results.append(func(*row, **named))
    return args[0] if in_place else _stacked(results, levels, counts, empty)


def _zeros(arg, levels):
    if type(arg) is Batched:
        return plain(arg).new_zeros(arg.shape[len(arg._levels):])
    if type(arg) in (list, tuple):
        return type(arg)(_zeros(item, levels) for item in arg)
    return arg


def _stacked(results, levels, counts, empty):
    first = results[0]
    if isinstance(first, Tensor):
        out = torch.stack(results)
        out = out[:0].reshape(*counts, *first.shape) if empty else out.reshape(*counts, *first.shape)
        return wrap(out, levels)
    if isinstance(first, (tuple, list)):
        items = [_stacked([result[i] for result in results], levels, counts, empty) for i in range(len(first))]
        return type(first)(items) if type(first) in (tuple, list) or not hasattr(first, "_make") else type(first)._make(items)
    if any(type(other) is not type(first) or other != first for other in results[1:]):
        raise NotImplementedError(f"torch.vmap: a function that gives {type(first).__name__}, which isn't the same in all rows")
    return first


# ---- entering and leaving -------------------------------------------------------------------------------------------------


def rows_along(leaf, dim, level):
    """A tensor whose rows lie along `dim`, as the function sees it under the vmap of this level."""
    outer = leaf._levels if type(leaf) is Batched else ()
    t = plain(leaf) if outer else leaf
    rank = t.dim() - len(outer)
    dim = dim % rank + len(outer)
    if dim == len(outer):
        return wrap(t, (*outer, level))
    out = wrap(t.movedim(dim, len(outer)), (*outer, level))
    out._given = leaf, dim - len(outer)
    return out


def take_out(leaf, dim, level, count):
    """A result of the function with its rows along `dim`, as the program around this vmap sees it."""
    if type(leaf) is not Batched or level not in leaf._levels:
        outer = leaf._levels if type(leaf) is Batched else ()
        t = plain(leaf)
        rank = t.dim() + 1 - len(outer)
        if not -rank <= dim < rank:
            _out_of_range(dim, rank)
        place = dim % rank + len(outer)
        t = t.unsqueeze(place)
        t = t.expand(*t.shape[:place], count, *t.shape[place + 1:])
    else:
        outer = leaf._levels[:-1]
        t = plain(leaf)
        # A row that was the same in all rows of another vmap has a dimension of size 1.
        shape = (*rows_of(leaf._levels), *t.shape[len(leaf._levels):])
        if shape != t.shape:
            t = t.expand(shape)
        rank = t.dim() - len(outer)
        if not -rank <= dim < rank:
            _out_of_range(dim, rank)
        place = dim % rank + len(outer)
        if place != len(outer):
            t = t.movedim(len(outer), place)
    return wrap(t, outer) if outer else t


def _out_of_range(dim, rank):
    raise IndexError(f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {dim})")


# ---- functions of the program -----------------------------------------------------------------------------------------------


class _VmapInfo:
    """What a program's own `vmap` of a function is told: how many rows there are, and how they draw random numbers."""

    def __init__(self, batch_size, randomness):
        self.batch_size, self.randomness = batch_size, randomness

    def __repr__(self):
        return f"VmapInfo(batch_size={self.batch_size}, randomness={self.randomness!r})"


_VmapInfo.__name__ = _VmapInfo.__qualname__ = "VmapInfo"


def any_batched(args):
    """Whether one of the arguments stands for rows."""
    return bool(running) and any(type(a) is Batched or type(a) in (list, tuple) and any_batched(a) for a in args)


def by_function(own, args, kwargs=None):
    """What `own(info, in_dims, *args)` computes of all rows of the innermost vmap: a program's rule for a function of its own."""
    level = levels_of(args, kwargs or {})[-1]
    entered = running[level - 1:]
    del running[level - 1:]
    try:
        _asking(1)
        try:
            dims = tuple(_dim_of(a, level) for a in args)
            args = tuple(_without(a, level) for a in args)
        finally:
            _asking(-1)
        with _transforms.outside(entered[0].number):
            result = own(_VmapInfo(entered[0].count, entered[0].randomness), dims, *args, **(kwargs or {}))
        _check_own(result)
        _asking(1)
        try:
            return _with_rows(*result, level)
        finally:
            _asking(-1)
    finally:
        running.extend(entered)


def _check_own(result):
    """Refuses a result of a rule that the program wrote and that isn't a pair of an output and the dimensions of its rows."""
    if not (isinstance(result, tuple) and len(result) == 2):
        got = f"{len(result)} returns" if isinstance(result, tuple) else f"a {type(result)}"
        raise RuntimeError("Expected the vmap staticmethod to have two returns, an output and out_dims with pytree structure compatible "
                           f"with the output. Got {got} instead")
    spec = tree_flatten(result[0])[1]
    if broadcast(result[1], spec) is None:
        raise RuntimeError(f"The autograd.Function's vmap staticmethod returned an incompatible (output, out_dims) tuple. Expected "
                           f"out_dims={result[1]} to be compatible with the structure of `output`. out_dims has structure "
                           f"{tree_flatten(result[1])[1]} but output has structure {spec}. For more details, please see "
                           "https://pytorch.org/docs/main/notes/extending.func.html")


def _dim_of(arg, level):
    if type(arg) in (list, tuple):
        return type(arg)(_dim_of(item, level) for item in arg)
    if type(arg) is not Batched or level not in arg._levels:
        return None
    return arg._given[1] if arg._given is not None else 0


def _without(arg, level):
    if type(arg) in (list, tuple):
        return type(arg)(_without(item, level) for item in arg)
    if type(arg) is not Batched or level not in arg._levels:
        return arg
    if arg._given is not None:
        return arg._given[0]
    outer = arg._levels[:-1]
    return wrap(plain(arg), outer) if outer else plain(arg)


def _with_rows(result, dims, level):
    if isinstance(result, (tuple, list)):
        each = dims if isinstance(dims, (tuple, list)) else [dims] * len(result)
        return type(result)(_with_rows(item, dim, level) for item, dim in zip(result, each))
    return result if dims is None or not isinstance(result, Tensor) else rows_along(result, dims, level)


def each_row(func, args, kwargs=None):
    """What a program's function gives, called for each row by itself."""
    kwargs = kwargs or {}
    _asking(1)
    try:
        return row_by_row(func, args, kwargs, levels_of(args, kwargs))
    finally:
        _asking(-1)

"""What NumPy's functions make of a tensor. They ask for its method of that name and call it as they would an array's; what the
method refuses is computed in an array, and made a tensor again."""

import functools

import _torch as _C

from numpy import _errors
from numpy._array import _Tensor, asarray

_AGAIN = ("argmax", "argmin", "argsort", "argwhere", "around", "clip", "cumprod", "cumsum", "delete", "insert", "ptp",
          "repeat", "reshape", "round", "searchsorted", "take", "transpose")
_REDUCTIONS = ("all", "amax", "amin", "any", "max", "mean", "min", "prod", "std", "sum", "var")


def tensor(made):
    """As PyTorch's `__array_wrap__`, which has no truth values."""
    made = asarray(made)
    return _C.from_numpy(made if made.dtype.kind != "b" else made.astype("uint8"))


def _refusal(name, axis):
    """The error that PyTorch's reduction raises for NumPy's arguments."""
    name = {"amax": "max", "amin": "min"}.get(name, name)
    if name in ("max", "min", "prod") and axis is None:
        return f"{name}(): argument 'dim' must be int, not NoneType"
    if name in ("max", "min", "prod", "mean", "sum"):
        return f"{name}() got an unexpected keyword argument 'axis'"
    kind = type(axis).__name__
    if name in ("std", "var"):
        return (f"{name}() received an invalid combination of arguments - got (ddof=int, dtype=NoneType, out=NoneType, axis={kind}, ), "
                "but expected one of:\n * (tuple of ints dim, bool unbiased = True, bool keepdim = False)\n * (tuple of ints dim = "
                "None, *, Number correction = None, bool keepdim = False)\n      didn't match because some of the keywords were "
                "incorrect: ddof, dtype, out, axis\n * (bool unbiased = True)\n")
    why = "      didn't match because some of the keywords were incorrect: out, axis\n"
    return (f"{name}() received an invalid combination of arguments - got (out=NoneType, axis={kind}, ), but expected one of:\n * ()\n"
            f" * (tuple of ints dim = None, bool keepdim = False)\n{why} * (int dim, bool keepdim = False)\n{why}")


def _reduced(name, function):
    @functools.wraps(function)
    def call(a, axis=None, *args, **options):
        if isinstance(a, _Tensor):
            raise TypeError(_refusal(name, axis))
        return function(a, axis, *args, **options)
    return call


def _again(function):
    @functools.wraps(function)
    def call(a, *args, **options):
        if not isinstance(a, _Tensor):
            return function(a, *args, **options)
        made = function(asarray(a), *args, **options)
        _errors.warn(_errors.OUTDATED_WRAP, DeprecationWarning)
        return tensor(made.T if function.__name__ == "argwhere" else made)
    return call


def _own(function, method):
    @functools.wraps(function)
    def call(a, *args, **options):
        return method(a, *args, **options) if isinstance(a, _Tensor) else function(a, *args, **options)
    return call


def _moved(t, source, destination):
    raise TypeError("transpose(): argument 'dim0' (position 1) must be int, not list")


def _flipped(t, axis=None):
    raise ValueError("step must be greater than zero")


def _cut(function):
    @functools.wraps(function)
    def call(ary, indices_or_sections, axis=0):
        if not isinstance(ary, _Tensor):
            return function(ary, indices_or_sections, axis)
        return [tensor(part) for part in function(asarray(ary), indices_or_sections, axis)]
    return call


def install(names):
    """Puts the functions that know of tensors in place of those that don't."""
    for name in _REDUCTIONS:
        names[name] = _reduced(name, names[name])
    for name in _AGAIN:
        names[name] = _again(names[name])
    for name in ("split", "array_split"):
        names[name] = _cut(names[name])
    for name, method in (
        ("squeeze", lambda t, axis=None: t.squeeze() if axis is None else t.squeeze(axis)), ("swapaxes", _Tensor.swapaxes),
        ("nonzero", lambda t: t.nonzero()), ("moveaxis", _moved), ("flip", _flipped), ("shape", lambda t: t.shape),
        ("size", lambda t, axis=None: t.size if axis is None else t.shape[axis]),
    ):
        names[name] = _own(names[name], method)

"""What patterns need of arrays and tensors."""

import sys

_FLOATS = ("float16", "float32", "float64", "bfloat16")


def library(x):
    """The module that `x` comes from: torch or numpy."""
    for name, kind in (("torch", "Tensor"), ("numpy", "ndarray")):
        module = sys.modules.get(name)
        if module is not None and isinstance(x, getattr(module, kind)):
            return module
    raise RuntimeError(f"Tensor type unknown to einops {type(x)}")


def is_torch(x):
    return library(x).__name__ == "torch"


def permuted(x, order):
    if order == list(range(len(order))):
        return x
    return x.permute(order) if is_torch(x) else x.transpose(order)


def expanded(x, shape):
    return x.expand(shape) if is_torch(x) else library(x).broadcast_to(x, shape)


def joined(arrays, axis):
    module = library(arrays[0])
    return module.cat(arrays, dim=axis) if module.__name__ == "torch" else module.concatenate(arrays, axis=axis)


def is_float(x):
    return str(x.dtype).rpartition(".")[2] in _FLOATS


def reduced(x, operation, axes):
    """`x` without its last axes."""
    if not is_torch(x):
        return getattr(x, operation)(axis=axes)
    if operation in ("min", "max"):
        return getattr(x, f"a{operation}")(dim=axes)
    if operation in ("any", "all", "prod"):
        for axis in sorted(axes, reverse=True):
            x = getattr(x, operation)(dim=axis)
        return x
    return getattr(x, operation)(dim=axes)

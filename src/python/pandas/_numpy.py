"""NumPy's functions that ask their operand for a method of the same name, as NumPy does with classes of other libraries."""

import functools

import numpy as np


def _asking(name, method, axis):
    own = getattr(np, name)

    @functools.wraps(own)
    def call(a, *args, **kwargs):
        if not hasattr(a, "_done"):
            return own(a, *args, **kwargs)
        kwargs = {key: value for key, value in kwargs.items() if not (key in ("out", "dtype") and value is None)}
        if axis and not args and "axis" not in kwargs and a.ndim == 2:
            kwargs["axis"] = None
        if name in ("std", "var"):
            kwargs.setdefault("ddof", 0)
        return getattr(a, method)(*args, **kwargs)

    return call


def install():
    for name, method in (("round", "round"), ("around", "round"), ("clip", "clip"), ("cumsum", "cumsum"), ("cumprod", "cumprod")):
        setattr(np, name, _asking(name, method, False))
    for name in ("sum", "mean", "std", "var", "max", "min", "prod"):
        setattr(np, name, _asking(name, name, True))
    np.amax, np.amin = np.max, np.min

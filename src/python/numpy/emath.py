"""Functions that answer complex numbers where reals have no answer."""

import numpy as np


def _widened(x, outside):
    x = np.asarray(x)
    return x.astype(complex) if x.dtype.kind != "c" and np.any(outside(x)) else x


def _make(name, outside):
    function = getattr(np, name)

    def compute(x):
        return function(_widened(x, outside))
    compute.__name__ = compute.__qualname__ = name
    return compute


sqrt, log, log2, log10 = (_make(name, lambda x: x < 0) for name in ("sqrt", "log", "log2", "log10"))
arccos, arcsin, arctanh = (_make(name, lambda x: abs(x) > 1) for name in ("arccos", "arcsin", "arctanh"))


def logn(n, x):
    return log(x) / log(n)


def power(x, p):
    x, p = _widened(x, lambda v: v < 0), np.asarray(p)
    if p.dtype.kind in "iu" and np.any(p < 0):
        p = p.astype(float)
    return np.power(x, p)

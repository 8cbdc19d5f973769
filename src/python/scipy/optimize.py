"""Places of a minimum or of zero, and curves that fit."""

from scipy import lacking


def bisect(f, a, b, args=(), xtol=2e-12, rtol=8.881784197001252e-16, maxiter=100, full_output=False, disp=True):
    """The place between `a` and `b` at which a function is zero."""
    if full_output:
        raise NotImplementedError("scipy.optimize.bisect(full_output=True)")
    at, end = f(a, *args), f(b, *args)
    if at * end > 0:
        raise ValueError("f(a) and f(b) must have different signs")
    if at == 0 or end == 0:
        return float(a if at == 0 else b)
    step = b - a
    for _ in range(maxiter):
        step *= 0.5
        middle = a + step
        value = f(middle, *args)
        if value * at >= 0:
            a = middle
        if value == 0 or abs(step) < xtol + rtol * abs(middle):
            return float(middle)
    raise RuntimeError(f"Failed to converge after {maxiter} iterations.")


_lacking = lacking("scipy.optimize")


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    from . import _constrained, _evolution, _hopping, _linear, _search, _zeros

    for part in (_search, _zeros, _constrained, _linear, _evolution, _hopping):
        if name in part.NAMES:
            return getattr(part, name)
    return _lacking(name)

"""Where an axis is marked, and how its marks read."""

import math


def places(low, high, most=9):
    """Round numbers from `low` to `high`, `most` intervals at most."""
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return [low]
    rough = (high - low) / most
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * m for m in (1, 2, 2.5, 5, 10, 20) if unit * m >= rough * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [k * step for k in range(first, last + 1)]


def decades(low, high):
    """Powers of ten from `low` to `high`, thinned to ten at most."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    every = max(1, math.ceil((last - first + 1) / 10))
    return [10.0 ** k for k in range(first, last + 1, every)]


def labels(values):
    """The marks' texts, all with as many decimals as they need to differ."""
    values = [0.0 if abs(v) < 1e-12 * max(map(abs, values), default=1) else v for v in values]
    large = max(map(abs, values), default=0)
    if large and (large >= 1e6 or large < 1e-4):
        return [_minus(f"{v:.6g}") for v in values]
    step = min((abs(b - a) for a, b in zip(values, values[1:])), default=large or 1)
    digits = 0
    while digits < 10 and any(abs(round(v, digits) - v) > 1e-6 * (step or 1) for v in values):
        digits += 1
    return [_minus(f"{v:.{digits}f}") for v in values]


def _minus(text):
    return text.replace("-", "\N{MINUS SIGN}")


def power(value):
    """A power of ten as an exponent's text and its size."""
    return round(math.log10(value))

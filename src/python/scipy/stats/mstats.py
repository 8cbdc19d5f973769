"""Statistics of arrays in which elements are hidden: `winsorize`."""

import numpy as np
from scipy import lacking


def winsorize(a, limits=None, inclusive=(True, True), inplace=False, axis=None, nan_policy="propagate"):
    """Moves the smallest and the largest elements to the nearest that stays."""
    if limits is None:
        return np.ma.array(a, copy=not inplace)
    low, high = limits if isinstance(limits, (tuple, list)) else (limits, limits)
    for side, share in (("beginning", low), ("end", high)):
        if share is not None and not 0 <= share <= 1:
            raise ValueError(f"The percentage to cut from the {side} should be between 0. and 1.")
    a = np.array(np.ma.getdata(a))

    def moved(line):
        n = len(line)
        order = np.argsort(line)
        first = 0 if low is None else int(low * n) if inclusive[0] else int(round(low * n))
        last = n if high is None else n - int(high * n) if inclusive[1] else n - int(round(high * n))
        if first:
            line[order[:first]] = line[order[first]]
        if last < n:
            line[order[last:]] = line[order[last - 1]]
        return line

    return np.ma.array(moved(a.reshape(-1)).reshape(a.shape) if axis is None else np.apply_along_axis(moved, axis, a))


__getattr__ = lacking("scipy.stats.mstats")

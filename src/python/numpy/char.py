"""The older names of `numpy.strings`."""

import numpy as np
from numpy.strings import *
from numpy.strings import _joined as join, _lists, partition as _partition, rpartition as _rpartition

split, rsplit, splitlines = _lists("split"), _lists("rsplit"), _lists("splitlines")


def partition(a, sep):
    """As one array with a last axis of three."""
    return np.stack(_partition(a, sep), -1)


def rpartition(a, sep):
    return np.stack(_rpartition(a, sep), -1)


def compare_chararrays(a1, a2, cmp, rstrip):
    compare = {"==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}
    if cmp not in compare:
        raise ValueError("comparison must be '==', '!=', '<', '>', '<=', '>='")
    a1, a2 = np.asarray(a1), np.asarray(a2)
    if rstrip:
        a1, a2 = np.strings.rstrip(a1), np.strings.rstrip(a2)
    return compare[cmp](a1, a2)


def __getattr__(name):
    raise AttributeError(f"module 'numpy.char' has no attribute {name!r}")

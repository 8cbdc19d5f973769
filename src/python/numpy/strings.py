"""Python's methods of strings for each element."""

import builtins

import numpy as np
from numpy import _boxed
from numpy._array import asarray
from numpy._types import BOOL, INT64, OBJECT, sized


def _rows(*args):
    """The arrays' common shape, and their elements side by side."""
    arrays = np.broadcast_arrays(*[asarray(a) for a in args])
    if arrays[0].dtype.kind not in "US":
        raise TypeError("string operation on non-string array")
    return arrays[0].shape, list(zip(*[a._flat() if a._boxed else a.ravel().tolist() for a in arrays])), arrays[0].dtype.kind


def _made(values, shape, kind, width=0):
    made = _boxed.of(values, shape, sized(kind, width))
    return made


def _texts(name):
    def function(a, *args):
        shape, rows, kind = _rows(a, *[v for v in args if v is not None])
        made = _made([getattr(row[0], name)(*row[1:]) for row in rows], shape, kind)
        return made if shape else asarray(made)
    function.__name__ = function.__qualname__ = name
    return function


def _answers(name, d, least=0):
    def function(a, *args):
        shape, rows, _ = _rows(a, *[v for v in args if v is not None])
        return np.array([getattr(row[0], name)(*row[1:]) for row in rows], dtype=d).reshape(shape)[()]
    function.__name__ = function.__qualname__ = name
    return function


def _ranged(name, d):
    def function(a, sub, start=0, end=None):
        shape, rows, _ = _rows(a, sub)
        return np.array([getattr(s, name)(part, start, end) for s, part in rows], dtype=d).reshape(shape)[()]
    function.__name__ = function.__qualname__ = name
    return function


capitalize, lower, upper, swapcase, title, expandtabs = map(_texts, ("capitalize", "lower", "upper", "swapcase", "title",
                                                                     "expandtabs"))


def _trimmer(name):
    inner = _texts(name)

    def function(a, chars=None):
        # As wide as before.
        return inner(a, chars).astype(asarray(a).dtype)
    function.__name__ = function.__qualname__ = name
    return function


strip, lstrip, rstrip = map(_trimmer, ("strip", "lstrip", "rstrip"))
isalnum, isalpha, isdecimal, isdigit, islower, isnumeric, isspace, istitle, isupper = (
    _answers(name, BOOL) for name in ("isalnum", "isalpha", "isdecimal", "isdigit", "islower", "isnumeric", "isspace", "istitle",
                                      "isupper"))
find, rfind, index, rindex, count = (_ranged(name, INT64) for name in ("find", "rfind", "index", "rindex", "count"))
startswith, endswith = _ranged("startswith", BOOL), _ranged("endswith", BOOL)
equal, not_equal, less, less_equal, greater, greater_equal, add = (
    np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal, np.add)


def str_len(x):
    shape, rows, _ = _rows(x)
    return np.array([len(row[0]) for row in rows], dtype=INT64).reshape(shape)[()]


def multiply(a, i):
    shape, rows, kind = _rows(a, i)
    return _made([s * builtins.max(n, 0) for s, n in rows], shape, kind)


def mod(a, values):
    shape, rows, kind = _rows(a, values)
    return _made([s % v for s, v in rows], shape, kind)


def _justified(name):
    def function(a, width, fillchar=" "):
        shape, rows, kind = _rows(a, width, fillchar)
        return _made([getattr(s, name)(w, f) for s, w, f in rows], shape, kind)
    function.__name__ = function.__qualname__ = name
    return function


ljust, rjust = _justified("ljust"), _justified("rjust")


def center(a, width, fillchar=" "):
    shape, rows, kind = _rows(a, width, fillchar)

    def centered(s, w, f):
        # NumPy leaves the larger part on the right, unlike Python in some cases.
        left = builtins.max(w - len(s), 0) // 2
        return (f * left + s).ljust(w, f)
    return _made([centered(*row) for row in rows], shape, kind)


def zfill(a, width):
    shape, rows, kind = _rows(a, width)
    return _made([s.zfill(w) for s, w in rows], shape, kind)


def replace(a, old, new, count=-1):
    shape, rows, kind = _rows(a, old, new, count)
    return _made([s.replace(o, n, c) for s, o, n, c in rows], shape, kind)


def translate(a, table, deletechars=None):
    shape, rows, kind = _rows(a)
    return _made([row[0].translate(table) for row in rows], shape, kind)


def _parted(name):
    def function(a, sep):
        shape, rows, kind = _rows(a, sep)
        parts = [getattr(s, name)(p) for s, p in rows]
        return tuple(_made([p[i] for p in parts], shape, kind) for i in range(3))
    function.__name__ = function.__qualname__ = name
    return function


partition, rpartition = _parted("partition"), _parted("rpartition")


def slice(a, start=None, stop=None, step=None, /):
    if stop is None and start is not None:
        start, stop = None, start
    shape, rows, kind = _rows(a)
    return _made([row[0][builtins.slice(start, stop, step)] for row in rows], shape, kind).astype(asarray(a).dtype)


def encode(a, encoding=None, errors=None):
    shape, rows, _ = _rows(a)
    return _made([row[0].encode(encoding or "utf-8", errors or "strict") for row in rows], shape, "S")


def decode(a, encoding=None, errors=None):
    shape, rows, _ = _rows(a)
    return _made([row[0].decode(encoding or "utf-8", errors or "strict") for row in rows], shape, "U")


def _lists(name):
    def function(a, *args):
        shape, rows, _ = _rows(a)
        made = _boxed.of([getattr(row[0], name)(*args) for row in rows], shape, OBJECT)
        return made if shape else asarray(made)
    return function


def _joined(sep, seq):
    shape, rows, kind = _rows(sep, seq)
    return _made([s.join(part) for s, part in rows], shape, kind)


__all__ = ["add", "capitalize", "center", "count", "decode", "encode", "endswith", "equal", "expandtabs", "find", "greater",
           "greater_equal", "index", "isalnum", "isalpha", "isdecimal", "isdigit", "islower", "isnumeric", "isspace", "istitle",
           "isupper", "less", "less_equal", "ljust", "lower", "lstrip", "mod", "multiply", "not_equal", "partition", "replace",
           "rfind", "rindex", "rjust", "rpartition", "rstrip", "slice", "startswith", "str_len", "strip", "swapcase", "title",
           "translate", "upper", "zfill"]

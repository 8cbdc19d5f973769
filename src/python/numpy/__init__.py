"""Arrays in host memory, as NumPy has them: what a program that works with tensors needs of it.

An array and the tensor that it came from, or that was made of it, share memory. What is not here raises `AttributeError`
under the name that was asked for.
"""

import math as _math

import _torch as _C

from numpy._types import (
    bool, dtype, finfo, float16, float32, float64, floating, generic, iinfo, inexact, int8, int16, int32, int64, integer,
    number_ as number, signedinteger, uint8, uint16, uint32, unsignedinteger,
)
from numpy._array import AxisError as _AxisError, array, asarray, ndarray, ufunc, _wrap
from numpy._functions import *
from numpy._functions import _is_int
from numpy._text import array2string, array_repr, array_str, get_printoptions, printoptions, set_printoptions
from numpy._types import as_dtype as _as_dtype

_C._register_arrays(ndarray, generic)
for _class in (ndarray, ufunc, _AxisError):
    _class.__module__ = "numpy"

__version__ = "2.4.6"

bool_ = bool
int_ = intp = long = longlong = int64
intc, short, byte, ubyte, ushort, uintc = int32, int16, int8, uint8, uint16, uint32
double, single, half = float64, float32, float16
pi, e, inf, nan, euler_gamma = _math.pi, _math.e, _math.inf, _math.nan, 0.5772156649015329
newaxis = None
True_, False_ = bool(True), bool(False)
little_endian = True


class errstate:
    """Accepted; nothing is reported where NumPy would warn of an overflow or a division by zero."""

    def __init__(self, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass

    def __call__(self, function):
        return function


def seterr(**kwargs):
    return {"divide": "ignore", "over": "ignore", "under": "ignore", "invalid": "ignore"}


geterr = seterr


def _from_tensor(t):
    """The array over a tensor's memory, for `tensor.numpy()`."""
    return _wrap(t)


from numpy import exceptions, linalg, random, testing
from numpy._strings import character, str_


def __getattr__(name):
    raise AttributeError(f"module 'numpy' has no attribute '{name}' here")

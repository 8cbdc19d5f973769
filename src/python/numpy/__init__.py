"""Arrays in host memory, as NumPy has them: what a program that works with tensors needs of it.

An array and the tensor that it came from, or that was made of it, share memory. What is not here raises `AttributeError`
under the name that was asked for.
"""

import builtins as _builtins
import math as _math
import numbers as _numbers

import _torch as _C

from numpy._types import (
    bool, bytes_, character, complex64, complex128, complexfloating, dtype, finfo, flexible, float16, float32, float64, floating,
    generic, iinfo, inexact, int8, int16, int32, int64, integer, number_ as number, object_, signedinteger, str_, uint8, uint16,
    uint32, unsignedinteger,
)
from numpy._array import AxisError as _AxisError, array, asarray, flatiter, ndarray, _wrap
from numpy._ufunc import ufunc
from numpy._errors import errstate, geterr, geterrcall, seterr, seterrcall
from numpy._elementwise import *
from numpy._reductions import *
from numpy._making import *
from numpy._shaping import *
from numpy._choosing import *
from numpy._products import *
from numpy._comparing import *
from numpy._types import ALL as _ALL
from numpy._text import (
    array2string, array_repr, array_str, format_float_positional, format_float_scientific, get_printoptions, printoptions,
    set_printoptions,
)
from numpy import _methods, _tensors

_C._register_arrays(ndarray, generic)
_tensors.install(globals())
for _class in (ndarray, ufunc, flatiter, errstate, ndenumerate, ndindex, vectorize, broadcast):
    _class.__module__ = "numpy"

__version__ = "2.4.6"

bool_ = bool
int_ = intp = long = longlong = int64
intc, short, byte, ubyte, ushort, uintc = int32, int16, int8, uint8, uint16, uint32
double, single, half = float64, float32, float16
cdouble, csingle = complex128, complex64
pi, e, inf, nan, euler_gamma = _math.pi, _math.e, _math.inf, _math.nan, 0.5772156649015329
newaxis = None
True_, False_ = bool(True), bool(False)
little_endian = True


_sizes = {"bufsize": 8192}
typecodes = {"Character": "c", "Integer": "bhilqnp", "UnsignedInteger": "BHILQNP", "Float": "efdg", "Complex": "FDG",
             "AllInteger": "bBhHiIlLqQnNpP", "AllFloat": "efdgFDG", "Datetime": "Mm",
             "All": "?bhilqnpBHILQNPefdgFDGSUVOMm"}
sctypeDict = {name: d.type for name, d in _ALL.items()}
ScalarType = (int, float, complex, _builtins.bool, bytes, str, memoryview, *(d.type for d in _ALL.values()))


def getbufsize():
    return _sizes["bufsize"]


def setbufsize(size):
    before, _sizes["bufsize"] = _sizes["bufsize"], size
    return before


def show_config(mode="stdout"):
    print("This numpy computes with Tensoryard's engine.")


def _from_tensor(t):
    """The array over a tensor's memory, for `tensor.numpy()`."""
    return _wrap(t)


def from_dlpack(x, /, *, device=None, copy=None):
    return asarray(x)


from numpy import exceptions, random

# Modules, and functions by module, that are loaded once a program names them.
_MODULES = ("_core", "char", "core", "dtypes", "emath", "fft", "lib", "linalg", "ma", "polynomial", "strings", "testing", "typing", "version")
_LATER = {
    "_contraction": "einsum_path",
    "_dates": "busday_count busday_offset datetime64 datetime_as_string datetime_data is_busday timedelta64",
    "_matrix": "asmatrix bmat matrix",
    "_files": "fromregex genfromtxt load loadtxt memmap save savetxt savez savez_compressed",
    "_polynomials": "poly poly1d polyadd polyder polydiv polyfit polyint polymul polysub polyval roots",
}


# Names of NumPy 1, and what replaces them.
_REMOVED = {
    "float_": "np.float64", "complex_": "np.complex128", "cfloat": "np.complex128", "singlecomplex": "np.complex64",
    "longfloat": "np.longdouble", "unicode_": "np.str_", "string_": "np.bytes_", "NaN": "np.nan", "Inf": "np.inf",
    "Infinity": "np.inf", "infty": "np.inf", "PINF": "np.inf", "NINF": "-np.inf", "NZERO": "-0.0", "PZERO": "0.0",
    "alltrue": "np.all", "sometrue": "np.any", "round_": "np.round", "mat": "np.asmatrix", "issubsctype": "np.issubdtype",
    "cast": "np.asarray(arr, dtype=dtype)",
}
_SCALAR = "If you specifically wanted the numpy scalar type, use `np.{}` here."
_PYTHONS = {
    "int": "When replacing `np.int`, you may wish to use e.g. `np.int64` or `np.int32` to specify the precision. If you wish to "
           "review your current use, check the release note link for additional information.",
    "float": _SCALAR.format("float64"), "complex": _SCALAR.format("complex128"), "str": _SCALAR.format("str_"), "object": "",
}


def __getattr__(name):
    import importlib
    if name in _MODULES:
        return importlib.import_module(f"numpy.{name}")
    for module, names in _LATER.items():
        if name in names.split():
            return getattr(importlib.import_module(f"numpy.{module}"), name)
    if name in ("ctypeslib", "f2py", "rec", "recarray", "record", "void", "uint64", "uint", "ulong", "ulonglong", "uintp", "longdouble",
                "float128", "complex256", "clongdouble", "busdaycalendar"):
        raise AttributeError(f"numpy.{name} is not part of this numpy")
    if name in _REMOVED:
        raise AttributeError(f"`np.{name}` was removed in the NumPy 2.0 release. Use `{_REMOVED[name]}` instead.")
    if name in _PYTHONS:
        raise AttributeError(
            f"module 'numpy' has no attribute '{name}'.\n`np.{name}` was a deprecated alias for the builtin `{name}`. To avoid this "
            f"error in existing code, use `{name}` by itself. Doing this will not modify any behavior and is safe. "
            f"{_PYTHONS[name]}\nThe aliases was originally deprecated in NumPy 1.20; for more details and guidance see the original "
            "release note at:\n    https://numpy.org/devdocs/release/1.20.0-notes.html#deprecations")
    raise AttributeError(f"module 'numpy' has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *_MODULES, *" ".join(_LATER.values()).split()])


# Python's tower of numbers knows NumPy's, so `isinstance(np.int64(1), numbers.Integral)`.
_numbers.Integral.register(integer)
_numbers.Real.register(floating)
_numbers.Complex.register(inexact)
_numbers.Number.register(number)

__all__ = [_name for _name in __dir__() if _name[0] != "_"]

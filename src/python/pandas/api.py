"""`pandas.api.types`: questions about dtypes."""

import sys
import types as _types

import numpy as np

from . import _columns as C


def _dtype(x):
    found = getattr(x, "dtype", x)
    try:
        return C.as_dtype(found)
    except TypeError:
        return C.OBJECT


def is_numeric_dtype(x):
    d = _dtype(x)
    return isinstance(d, np.dtype) and d.kind in "biufc"


def is_string_dtype(x):
    d = _dtype(x)
    return d == C.STR or d == C.OBJECT and (not hasattr(x, "tolist") or all(isinstance(v, str) for v in x.tolist()))


def is_object_dtype(x):
    return _dtype(x) == C.OBJECT


def is_integer_dtype(x):
    d = _dtype(x)
    return isinstance(d, np.dtype) and d.kind in "iu"


def is_float_dtype(x):
    d = _dtype(x)
    return isinstance(d, np.dtype) and d.kind == "f"


def is_bool_dtype(x):
    d = _dtype(x)
    return isinstance(d, np.dtype) and d.kind == "b"


def is_datetime64_any_dtype(x):
    return _dtype(x) == C.DATETIME


def is_categorical_dtype(x):
    return isinstance(_dtype(x), C.CategoricalDtype)


def is_list_like(x):
    return hasattr(x, "__iter__") and not isinstance(x, (str, bytes, type))


def is_scalar(x):
    return isinstance(x, (str, bytes, int, float, complex, bool, np.generic, type(None))) or x is C.NaT


types = _types.ModuleType("pandas.api.types", "Questions about dtypes.")
for _name in [n for n in globals() if n.startswith("is_")]:
    setattr(types, _name, globals()[_name])
types.CategoricalDtype = C.CategoricalDtype
sys.modules["pandas.api.types"] = types
__path__ = []

"""What arrays and numbers have as methods of the functions' names."""

import numpy as np
from numpy import _types as _t
from numpy._array import array, asarray, ndarray
from numpy._choosing import _partition_in_place, _sort_in_place
from numpy._types import as_dtype, generic, number

_BOTH = ["all", "any", "argmax", "argmin", "argsort", "choose", "compress", "cumprod", "cumsum", "diagonal", "max", "mean",
         "min", "nonzero", "prod", "put", "ptp", "repeat", "round", "searchsorted", "std", "sum", "take", "trace", "var"]


def _method(name):
    function = getattr(np, name)

    def method(self, *args, **options):
        return function(self, *args, **options)
    method.__name__ = name
    return method


for _name in _BOTH:
    if _name != "ptp":
        for _class in (ndarray, generic, _t.float64, _t.complex128):
            setattr(_class, _name, _method(_name))


def _clip(self, min=None, max=None, out=None, **options):
    if min is None and max is None:
        raise ValueError("One of max or min must be given")
    return np.clip(self, min, max, out, **options)


for _class in (ndarray, generic, _t.float64, _t.complex128):
    _class.clip = _clip
ndarray.dot = _method("dot")
ndarray.argpartition = _method("argpartition")
ndarray.compress = lambda self, condition, axis=None, out=None: np.compress(condition, self, axis, out)
ndarray.sort, ndarray.partition = _sort_in_place, _partition_in_place
ndarray.__array_wrap__ = lambda self, array, context=None, return_scalar=False: array

generic.astype = lambda self, dtype, **options: number(as_dtype(dtype), self._v) if as_dtype(dtype).kind not in "iu" or \
    self.dtype.kind in "biu" else asarray(self).astype(dtype)[()]
for _name in ("reshape", "flatten", "ravel", "tobytes", "byteswap", "swapaxes", "transpose", "squeeze", "view", "tofile"):
    def _as_array(self, *args, _name=_name, **options):
        made = getattr(asarray(self), _name)(*args, **options)
        return made if _name in ("reshape", "flatten", "ravel") or not isinstance(made, ndarray) else made[()]
    setattr(generic, _name, _as_array)
generic.__array__ = lambda self, dtype=None, copy=None: array(self, dtype)
generic.copy = lambda self: self
generic.fill = lambda self, value: None
generic.flat = property(lambda self: asarray(self).flat)
generic.flags = property(lambda self: _frozen(asarray(self)).flags)
generic.device = "cpu"


def _frozen(array):
    array._writes = False
    return array


def _index_number(self, key):
    if key == ():
        return self
    if key is Ellipsis or key is None:
        return asarray(self)[key]
    raise IndexError("invalid index to scalar variable.")


generic.__getitem__ = _index_number
for _class in (_t.float64, _t.complex128):
    _class.__getitem__ = _index_number

"""Masked arrays: arrays some of whose elements don't count."""

import builtins
import math

import numpy as np
from numpy._array import array as _array_of, asarray as _asarray, axes_of, ndarray
from numpy._types import BOOL, as_dtype, generic, number

nomask, MaskType = np.False_, np.bool_


class MAError(Exception):
    pass


class MaskError(MAError):
    pass


class _Print:
    def __repr__(self):
        return "--"

    __str__ = __repr__


masked_print_option = _Print()
_FILLS = {"b": True, "i": 999999, "u": 999999, "f": 1e20, "c": 1e20 + 0j, "O": "?", "U": "N/A", "S": b"N/A"}


def default_fill_value(obj):
    d = getattr(obj, "dtype", None)
    d = as_dtype(obj if isinstance(obj, type) else type(obj)) if d is None else d
    return _FILLS[d.kind] if d.kind not in "mM" else d.type("NaT")


def _fill_of(d, value=None):
    """The number of a dtype that a fill value stands for."""
    if value is None:
        value = default_fill_value(_Of(d))
    if d.kind in "iu" and isinstance(value, (float, np.floating)):
        return np.array([float(value)]).astype(d)[0]
    try:
        return number(d, value) if d.kind != "O" else value
    except OverflowError:
        return np.int64(value)


class _Of:
    def __init__(self, d):
        self.dtype = d


class MaskedArray(ndarray):
    _called = "masked_array("
    _asks = True
    __array_priority__ = 15

    def __new__(cls, data=None, mask=nomask, dtype=None, copy=False, subok=True, ndmin=0, fill_value=None, keep_mask=True,
                hard_mask=None, shrink=True, order=None):
        plain = getdata(data)
        plain = _array_of(plain, dtype=dtype, copy=copy or None, ndmin=ndmin)
        old = getmask(data)
        if old is nomask and isinstance(data, (list, tuple)) and builtins.any(isinstance(x, MaskedArray) for x in data):
            old = np.array([getmaskarray(x) if x is not masked else True for x in data]).reshape(plain.shape)
        if mask is nomask or mask is None:
            new = old
        else:
            new = np.full(plain.shape, builtins.bool(mask)) if isinstance(mask, (builtins.bool, np.bool_)) else \
                _asarray(mask, BOOL)
            if new.shape != plain.shape:
                if new.size == 1:
                    new = np.full(plain.shape, new.ravel()[0])
                elif new.size == plain.size:
                    new = new.reshape(plain.shape)
                else:
                    raise MaskError(f"Mask and data not compatible: data size is {plain.size}, mask size is {new.size}.")
            new = new.copy() if copy else new
            if keep_mask and old is not nomask:
                new = np.logical_or(new, old)
        self = _made(plain, new, getattr(data, "_fill", None))
        self._hard = getattr(data, "_hard", False) if hard_mask is None else hard_mask
        if fill_value is not None:
            self._fill = _fill_of(plain.dtype, fill_value)
        return self

    @property
    def _t(self):
        raise NotImplementedError("numpy: this function of a masked array; use a function of np.ma, or filled()")

    def _bare(self):
        return self._data

    _boxed = False
    dtype = property(lambda self: self._data.dtype)
    shape = property(lambda self: self._data.shape, lambda self, shape: self._reshape(shape))
    ndim = property(lambda self: self._data.ndim)
    size = property(lambda self: self._data.size)
    strides = property(lambda self: self._data.strides)
    flags = property(lambda self: self._data.flags)
    data = property(lambda self: self._data)
    hardmask = property(lambda self: self._hard)
    base = property(lambda self: self._data.base)
    baseclass = property(lambda self: ndarray)

    def _reshape(self, shape):
        self._data = self._data.reshape(shape)
        self._mask = self._mask if self._mask is nomask else self._mask.reshape(shape)

    @property
    def mask(self):
        return self._mask

    @mask.setter
    def mask(self, value):
        if value is nomask or value is False:
            if not self._hard and self._mask is not nomask:
                self._mask[...] = False
            return
        new = np.broadcast_to(_asarray(value, BOOL), self.shape).copy()
        self._mask = np.logical_or(self._mask, new) if self._hard else new

    @property
    def fill_value(self):
        if self._fill is None:
            self._fill = _fill_of(self.dtype)
        return self._fill

    @fill_value.setter
    def fill_value(self, value):
        self._fill = _fill_of(self.dtype, value)

    def set_fill_value(self, value=None):
        self.fill_value = value

    def get_fill_value(self):
        return self.fill_value

    def harden_mask(self):
        self._hard = True
        return self

    def soften_mask(self):
        self._hard = False
        return self

    def unshare_mask(self):
        self._mask = self._mask if self._mask is nomask else self._mask.copy()
        return self

    def shrink_mask(self):
        if self._mask is not nomask and not self._mask.any():
            self._mask = nomask
        return self

    def __len__(self):
        return len(self._data)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __array__(self, dtype=None, copy=None):
        return self._data if dtype is None else self._data.astype(dtype)

    def __reduce__(self):
        return (_made, (self._data, self._mask, self._fill))

    def _shown(self):
        if self._mask is nomask:
            return self._data
        shown = self._data.astype(object)
        if self.ndim == 0:
            return np.array(masked_print_option, dtype=object) if self._mask else self._data
        for place in np.argwhere(self._mask).tolist():
            shown[tuple(place)] = masked_print_option
        return shown

    def __str__(self):
        return str(self._shown())

    def __repr__(self):
        from numpy import _text
        keys = ["data", "mask", "fill_value"]
        whole = self.dtype.name in ("float64", "int64", "bool", "complex128")
        if not whole or not self.size or self._mask is not nomask and self._mask.all():
            keys.append("dtype")
        prefix = "masked_array("
        if builtins.all(n == 1 for n in self.shape[:-1]):
            indents = {key: " " * builtins.max(2, len(prefix) + 4 - len(key)) for key in keys}
            indents["data"], prefix = prefix, ""
        else:
            indents, prefix = dict.fromkeys(keys, "  "), prefix + "\n"
        fill = self.fill_value
        plain = getattr(fill, "dtype", None) == self.dtype
        texts = {"data": _text.array2string(self._shown(), separator=", ", prefix=indents["data"] + "data=", suffix=","),
                 "mask": _text.array2string(self._mask, separator=", ", prefix=indents["mask"] + "mask=", suffix=","),
                 "fill_value": repr(fill.item()) if plain and self.dtype.kind in "US" else str(fill) if plain else repr(fill),
                 "dtype": repr(self.dtype.str) if self.dtype.kind in "US" else str(self.dtype)}
        return prefix + ",\n".join(f"{indents[key]}{key}={texts[key]}" for key in keys) + ")"

    # -- elements --

    def __getitem__(self, key):
        data = self._data[getdata(key) if isinstance(key, MaskedArray) else key]
        mask = nomask if self._mask is nomask else self._mask[getdata(key) if isinstance(key, MaskedArray) else key]
        if not isinstance(data, ndarray):
            return masked if mask else data
        return self._like_me(data, mask)

    def __setitem__(self, key, value):
        if self is masked:
            raise MaskError("Cannot alter the masked element.")
        key = getdata(key) if isinstance(key, MaskedArray) else key
        if value is masked:
            self._own_mask()[key] = True
            return
        data, mask = getdata(value), getmask(value)
        if self._hard and self._mask is not nomask:
            free = np.zeros(self.shape, BOOL)
            free[key] = True
            free = np.logical_and(free, np.logical_not(self._mask))
            whole = self._data.copy()
            whole[key] = data
            self._data[free] = whole[free]
            return
        self._data[key] = data
        if mask is not nomask or self._mask is not nomask:
            self._own_mask()[key] = False if mask is nomask else mask

    def _own_mask(self):
        if self._mask is nomask:
            self._mask = np.zeros(self.shape, BOOL)
        return self._mask

    def __contains__(self, value):
        return builtins.bool((self == value).any())

    def _like_me(self, data, mask):
        return _made(data, mask, self._fill, self._hard)

    def item(self, *args):
        return self._data.item(*args)

    def tolist(self, fill_value=None):
        if fill_value is not None:
            return self.filled(fill_value).tolist()
        if self._mask is nomask:
            return self._data.tolist()
        if not self.ndim:
            return None if self._mask else self._data.item()

        def walk(values, gone):
            return [walk(v, g) for v, g in zip(values, gone)] if isinstance(values, list) else None if gone else values

        return walk(self._data.tolist(), self._mask.tolist())

    def filled(self, fill_value=None):
        if self._mask is nomask:
            return self._data
        fill = self.fill_value if fill_value is None else _fill_of(self.dtype, fill_value)
        out = self._data.copy()
        if self.ndim == 0:
            return np.array(fill) if self._mask else out
        out[self._mask] = fill
        return out

    def compressed(self):
        flat = self._data.ravel()
        return flat if self._mask is nomask else flat[np.logical_not(self._mask.ravel())]

    def count(self, axis=None, keepdims=False):
        if self._mask is nomask:
            shape = self.shape
            if axis is None:
                return self.size
            axes = axes_of(axis, self.ndim)
            n = math.prod(shape[i] for i in axes)
            return np.full(tuple(1 if i in axes else m for i, m in enumerate(shape) if keepdims or i not in axes), n)[()]
        return np.sum(np.logical_not(self._mask), axis=axis, keepdims=keepdims)

    def copy(self, order="C"):
        return self._like_me(self._data.copy(order), self._mask if self._mask is nomask else self._mask.copy())

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        made = self._like_me(self._data.astype(dtype), self._mask)
        made._fill = None if self._fill is None else _fill_of(made.dtype, self._fill)
        return made

    def view(self, dtype=None, type=None, fill_value=None):
        if dtype is ndarray or type is ndarray:
            return self._data
        return self._like_me(self._data if dtype in (None, MaskedArray) else self._data.view(dtype), self._mask)

    def __bool__(self):
        return builtins.bool(self._data) if self._mask is nomask else builtins.bool(self.filled(False))

    def __float__(self):
        if self.size == 1 and self._mask.any():
            import warnings
            warnings.warn("Warning: converting a masked element to nan.", stacklevel=2)
            return math.nan
        return float(self._data)

    def __int__(self):
        if self.size == 1 and self._mask.any():
            raise MaskError("Cannot convert masked element to a Python int.")
        return int(self._data)

    def __format__(self, spec):
        return "--" if self is masked else ndarray.__format__(self, spec)

    # -- universal functions --

    def __array_ufunc__(self, function, method, *args, out=None, where=True, **options):
        if method != "__call__" or out is not None:
            raise NotImplementedError(f"numpy.{function.__name__}.{method} of masked arrays")
        return _applied(function, args, options)

    def __pow__(self, other):
        return power(self, other)

    def __rpow__(self, other):
        return power(other, self)

    # -- reductions --

    def _reduced(self, name, axis, fill, options, keepdims=False):
        data = self.filled(fill) if self._mask is not nomask else self._data
        made = getattr(np, name)(data, axis=axis, keepdims=keepdims, **{k: v for k, v in options.items() if v is not None})
        if self._mask is nomask:
            return made if not isinstance(made, ndarray) else self._like_me(made, nomask)
        gone = np.all(self._mask, axis=axis, keepdims=keepdims)
        if not isinstance(made, ndarray):
            return masked if gone else made
        return self._like_me(made, gone)

    def sum(self, axis=None, dtype=None, out=None, keepdims=False):
        return self._reduced("sum", axis, 0, {"dtype": dtype}, keepdims)

    def prod(self, axis=None, dtype=None, out=None, keepdims=False):
        return self._reduced("prod", axis, 1, {"dtype": dtype}, keepdims)

    product = prod

    def mean(self, axis=None, dtype=None, out=None, keepdims=False):
        if self._mask is nomask:
            return self._reduced("mean", axis, 0, {"dtype": dtype}, keepdims)
        count = self.count(axis, keepdims)
        total = self.sum(axis, dtype, keepdims=keepdims)
        return total * 1.0 / count if isinstance(total, MaskedArray) or count else masked

    def anom(self, axis=None, dtype=None):
        center = self.mean(axis, dtype)
        return self - center if axis is None or center is masked else self - expand_dims(center, axis)

    def var(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, mean=None):
        if self._mask is nomask:
            return self._reduced("var", axis, 0, {"dtype": dtype, "ddof": ddof}, keepdims)
        away = self - self.mean(axis, dtype, keepdims=True) if axis is not None else self - self.mean(dtype=dtype)
        count = self.count(axis, keepdims) - ddof
        total = (absolute(away) ** 2 if self.dtype.kind == "c" else away * away).sum(axis, keepdims=keepdims)
        if not isinstance(total, MaskedArray):
            return masked if count <= 0 else total / count
        return masked_where(_asarray(count) <= 0, total / count) if np.any(_asarray(count) <= 0) else total / count

    def std(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, mean=None):
        spread = self.var(axis, dtype, out, ddof, keepdims)
        return spread if spread is masked else sqrt(spread)

    def min(self, axis=None, out=None, fill_value=None, keepdims=False):
        return self._reduced("min", axis, minimum_fill_value(self) if fill_value is None else fill_value, {}, keepdims)

    def max(self, axis=None, out=None, fill_value=None, keepdims=False):
        return self._reduced("max", axis, maximum_fill_value(self) if fill_value is None else fill_value, {}, keepdims)

    def ptp(self, axis=None, out=None, fill_value=None, keepdims=False):
        return self.max(axis, keepdims=keepdims) - self.min(axis, keepdims=keepdims)

    def all(self, axis=None, out=None, keepdims=False):
        return self._reduced("all", axis, True, {}, keepdims)

    def any(self, axis=None, out=None, keepdims=False):
        return self._reduced("any", axis, False, {}, keepdims)

    def argmin(self, axis=None, fill_value=None, out=None, *, keepdims=False):
        return np.argmin(self.filled(minimum_fill_value(self) if fill_value is None else fill_value), axis, keepdims=keepdims)

    def argmax(self, axis=None, fill_value=None, out=None, *, keepdims=False):
        return np.argmax(self.filled(maximum_fill_value(self) if fill_value is None else fill_value), axis, keepdims=keepdims)

    def argsort(self, axis=-1, kind=None, order=None, endwith=True, fill_value=None, *, stable=None):
        if fill_value is None:
            fill_value = math.nan if endwith and self.dtype.kind == "f" else \
                (minimum_fill_value if endwith else maximum_fill_value)(self)
        return np.argsort(self.filled(fill_value), axis)

    def sort(self, axis=-1, kind=None, order=None, endwith=True, fill_value=None, *, stable=None):
        places = self.argsort(axis, endwith=endwith, fill_value=fill_value)
        self._data[...] = np.take_along_axis(self._data, places, axis)
        if self._mask is not nomask:
            self._mask[...] = np.take_along_axis(self._mask, places, axis)

    def cumsum(self, axis=None, dtype=None, out=None):
        return self._like_me(np.cumsum(self.filled(0), axis, dtype), self._mask if axis is not None or self._mask is nomask else
                             self._mask.ravel())

    def cumprod(self, axis=None, dtype=None, out=None):
        return self._like_me(np.cumprod(self.filled(1), axis, dtype), self._mask if axis is not None or self._mask is nomask else
                             self._mask.ravel())

    def round(self, decimals=0, out=None):
        return self._like_me(np.round(self._data, decimals), self._mask)

    def clip(self, min=None, max=None, out=None):
        return self._like_me(np.clip(self._data, min, max), self._mask)

    def dot(self, b, out=None, strict=False):
        return dot(self, b)

    def nonzero(self):
        return np.nonzero(self.filled(0))

    def ids(self):
        return id(self._data), id(self._mask)


MaskedArray.__module__ = "numpy.ma"
masked_array = MaskedArray


def _each(name):
    """A method that moves elements: of the data and of the mask."""

    def method(self, *args, **options):
        made = getattr(self._data, name)(*args, **options)
        mask = nomask if self._mask is nomask else getattr(self._mask, name)(*args, **options)
        if not isinstance(made, ndarray):
            return masked if mask else made
        return self._like_me(made, mask)

    method.__name__ = name
    return method


for _name in ("reshape", "ravel", "flatten", "transpose", "swapaxes", "squeeze", "take", "repeat", "diagonal", "compress"):
    setattr(MaskedArray, _name, _each(_name))
MaskedArray.T = property(lambda self: self.transpose())
MaskedArray.flat = property(lambda self: self.ravel())
MaskedArray.real = property(lambda self: self._like_me(self._data.real, self._mask))
MaskedArray.imag = property(lambda self: self._like_me(self._data.imag, self._mask))
MaskedArray.__copy__ = MaskedArray.copy
MaskedArray.__deepcopy__ = lambda self, memo: self.copy() if self is not masked else self


def _made(data, mask, fill=None, hard=False):
    self = object.__new__(MaskedArray)
    self._data, self._mask, self._fill, self._hard = data, mask, fill, hard
    return self


class MaskedConstant(MaskedArray):
    """An element that is masked."""

    def __new__(cls):
        self = object.__new__(cls)
        self._data, self._mask, self._fill, self._hard = np.array(0.0), np.array(True), None, False
        return self

    def __repr__(self):
        return "masked"

    def __str__(self):
        return "--"

    def copy(self, *args, **options):
        return self

    __copy__ = copy
    __deepcopy__ = copy

    def __reduce__(self):
        return "masked"


masked = masked_singleton = MaskedConstant()


# ---- masks -----------------------------------------------------------------------------------------------------------


def getmask(a):
    return a._mask if isinstance(a, MaskedArray) else nomask


def getmaskarray(a):
    mask = getmask(a)
    return np.zeros(np.shape(getdata(a)), BOOL) if mask is nomask else mask


def getdata(a, subok=True):
    if isinstance(a, MaskedArray):
        return a._data
    if isinstance(a, (list, tuple)) and builtins.any(isinstance(x, MaskedArray) for x in a):
        return np.array([getdata(x) if x is not masked else 0 for x in a])
    return a if isinstance(a, ndarray) else _asarray(a)


def make_mask(m, copy=False, shrink=True, dtype=None):
    if m is nomask:
        return nomask
    made = _array_of(filled(m, True), dtype=BOOL)
    return nomask if shrink and not made.any() else made


def make_mask_none(newshape, dtype=None):
    return np.zeros(newshape, BOOL)


def mask_or(m1, m2, copy=False, shrink=True):
    if m1 is nomask or m2 is nomask:
        return make_mask(m2 if m1 is nomask else m1, shrink=shrink)
    return make_mask(np.logical_or(m1, m2), shrink=shrink)


def is_masked(x):
    mask = getmask(x)
    return False if mask is nomask else builtins.bool(mask.any())


def isMaskedArray(x):
    return isinstance(x, MaskedArray)


isarray = isMA = isMaskedArray


def is_mask(m):
    return getattr(m, "dtype", None) == BOOL


# ---- making ----------------------------------------------------------------------------------------------------------


def array(data, dtype=None, copy=False, order=None, mask=nomask, fill_value=None, keep_mask=True, hard_mask=False, shrink=True,
          subok=True, ndmin=0):
    return MaskedArray(data, mask, dtype, copy, subok, ndmin, fill_value, keep_mask, hard_mask, shrink)


def asarray(a, dtype=None, order=None):
    return a if isinstance(a, MaskedArray) and dtype is None else MaskedArray(a, dtype=dtype)


asanyarray = asarray


def _making(name):
    def make(*args, **options):
        fill = options.pop("fill_value", None) if name != "full" else None
        made = _made(getattr(np, name)(*map(_bare, args), **options), nomask)
        if fill is not None:
            made.fill_value = fill
        return made

    make.__name__ = name
    return make


def _bare(a):
    return a._data if isinstance(a, MaskedArray) else a


zeros, ones, empty, arange, identity, indices, zeros_like, ones_like, empty_like = (_making(name) for name in (
    "zeros", "ones", "empty", "arange", "identity", "indices", "zeros_like", "ones_like", "empty_like"))


def masked_all(shape, dtype=float):
    return _made(np.empty(shape, dtype), np.ones(shape, BOOL))


def masked_all_like(arr):
    return masked_all(np.shape(arr), getdata(arr).dtype)


def masked_where(condition, a, copy=True):
    condition = filled(condition, False)
    condition, data = _asarray(condition, BOOL), getdata(a)
    if condition.shape != data.shape and condition.ndim:
        raise IndexError(f"Inconsistent shape between the condition and the input (got {condition.shape} and {data.shape})")
    mask = np.broadcast_to(condition, data.shape).copy()
    old = getmask(a)
    mask = mask if old is nomask else np.logical_or(mask, old)
    return _made(data.copy() if copy else data, mask if mask.any() or old is not nomask else nomask, getattr(a, "_fill", None))


def masked_equal(x, value, copy=True):
    made = masked_where(np.equal(getdata(x), value), x, copy)
    made.fill_value = value
    return made


def _comparing(name, function):
    def make(x, *values, copy=True):
        return masked_where(function(getdata(x), *values), x, copy)

    make.__name__ = name
    return make


def _between(x, v1, v2):
    low, high = builtins.min(v1, v2), builtins.max(v1, v2)
    return np.logical_and(x >= low, x <= high)


masked_not_equal = _comparing("masked_not_equal", np.not_equal)
masked_greater = _comparing("masked_greater", np.greater)
masked_greater_equal = _comparing("masked_greater_equal", np.greater_equal)
masked_less = _comparing("masked_less", np.less)
masked_less_equal = _comparing("masked_less_equal", np.less_equal)
masked_inside = _comparing("masked_inside", _between)
masked_outside = _comparing("masked_outside", lambda x, v1, v2: np.logical_not(_between(x, v1, v2)))


def masked_values(x, value, rtol=1e-5, atol=1e-8, copy=True, shrink=True):
    data = getdata(x)
    hit = np.isclose(data, value, rtol=rtol, atol=atol) if data.dtype.kind in "fc" else np.equal(data, value)
    made = masked_where(hit, x, copy)
    made.fill_value = value
    return made


def masked_object(x, value, copy=True, shrink=True):
    made = masked_where(np.equal(getdata(x), value), x, copy)
    made.fill_value = value
    return made


def masked_invalid(a, copy=True):
    data = getdata(a)
    if data.dtype.kind not in "fc":
        return _made(data.copy() if copy else data, np.zeros(data.shape, BOOL) if getmask(a) is nomask else getmask(a))
    made = masked_where(np.logical_not(np.isfinite(data)), a, copy)
    made._own_mask()
    return made


# ---- what methods do as functions ------------------------------------------------------------------------------------


def _asking(name):
    def call(a, *args, **options):
        return getattr(asarray(a), name)(*args, **options)

    call.__name__ = name
    return call


for _name in ("all", "any", "anom", "argmax", "argmin", "argsort", "clip", "compress", "compressed", "cumprod", "cumsum",
              "diagonal", "harden_mask", "max", "mean", "min", "nonzero", "prod", "ptp", "ravel", "repeat", "reshape", "round",
              "soften_mask", "squeeze", "std", "sum", "swapaxes", "take", "transpose", "var"):
    globals()[_name] = _asking(_name)
product, around = globals()["prod"], globals()["round"]


def copy(a, *args, **options):
    return asarray(a).copy()


def count(arr, axis=None, keepdims=False):
    return asarray(arr).count(axis, keepdims)


def count_masked(arr, axis=None):
    return np.sum(getmaskarray(arr), axis=axis)


def filled(a, fill_value=None):
    return a.filled(fill_value) if isinstance(a, MaskedArray) else a if isinstance(a, ndarray) else _asarray(a)


def sort(a, axis=-1, kind=None, order=None, endwith=True, fill_value=None, *, stable=None):
    made = asarray(a).copy()
    made.sort(axis, endwith=endwith, fill_value=fill_value)
    return made


def shape(obj):
    return np.shape(getdata(obj))


def size(obj, axis=None):
    return np.size(getdata(obj), axis)


def ndim(obj):
    return np.ndim(getdata(obj))


def set_fill_value(a, fill_value):
    if isinstance(a, MaskedArray):
        a.set_fill_value(fill_value)


def _limit(kind):
    def fill(obj):
        d = obj.dtype
        if d.kind == "f":
            return math.inf if kind == "max" else -math.inf
        if d.kind == "b":
            return kind == "max"
        return getattr(np.iinfo(d), kind)

    return fill


# What a masked element becomes where the least, or the largest, is looked for.
minimum_fill_value, maximum_fill_value = _limit("max"), _limit("min")


def expand_dims(a, axis):
    a = asarray(a)
    return a._like_me(np.expand_dims(a._data, axis), nomask if a._mask is nomask else np.expand_dims(a._mask, axis))


def _joining(name):
    function = getattr(np, name)

    def join(arrays, *args, **options):
        data = function([getdata(a) for a in arrays], *args, **options)
        gone = builtins.any(getmask(a) is not nomask for a in arrays)
        return _made(data, function([getmaskarray(a) for a in arrays], *args, **options) if gone else nomask)

    join.__name__ = name
    return join


concatenate, stack, vstack, hstack, dstack, column_stack, row_stack = (_joining(name) for name in (
    "concatenate", "stack", "vstack", "hstack", "dstack", "column_stack", "vstack"))


def append(a, b, axis=None):
    return concatenate([ravel(a), ravel(b)] if axis is None else [a, b], 0 if axis is None else axis)


def atleast_1d(a):
    a = asarray(a)
    return a if a.ndim else a.reshape(1)


def atleast_2d(a):
    a = asarray(a)
    return a if a.ndim > 1 else a.reshape(1, -1)


def where(condition, x=None, y=None):
    if x is None:
        return np.nonzero(filled(condition, False))
    gone = np.where(getdata(condition), getmaskarray(x), getmaskarray(y))
    data = np.where(getdata(condition), np.zeros((), getdata(y).dtype) if x is masked else getdata(x),
                    np.zeros((), getdata(x).dtype) if y is masked else getdata(y))
    gone = np.broadcast_to(np.logical_or(gone, getmaskarray(condition)), data.shape)
    return _made(data, gone.copy() if gone.any() else nomask)


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    if getmask(a) is nomask:
        made = np.median(getdata(a), axis=axis, keepdims=keepdims)
        return made if not isinstance(made, ndarray) else _made(made, nomask)
    a = asarray(a)
    if axis is None:
        kept = a.compressed()
        return np.median(kept) if kept.size else masked
    rows = np.moveaxis(a._data, axis, -1)
    flat, gone = rows.reshape(-1, rows.shape[-1]), np.moveaxis(a._mask, axis, -1).reshape(-1, rows.shape[-1])
    found = [np.median(row[~g]) if not g.all() else math.nan for row, g in zip(flat, gone)]
    out_shape = rows.shape[:-1]
    return _made(np.array(found).reshape(out_shape), gone.all(axis=1).reshape(out_shape))


def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    a = asarray(a)
    if weights is None:
        made, total = a.mean(axis, keepdims=keepdims), a.count(axis)
    else:
        w = np.asarray(weights)
        if w.shape != a.shape:
            w = np.broadcast_to(w.reshape([-1 if i == axis % a.ndim else 1 for i in range(a.ndim)]), a.shape)
        w = masked_array(w, a._mask) if a._mask is not nomask else w
        total = w.sum(axis) if axis is not None else w.sum()
        made = (a * w).sum(axis, keepdims=keepdims) / total
    return (made, total) if returned else made


def dot(a, b, strict=False, out=None):
    data = np.dot(filled(a, 0), filled(b, 0))
    alive = np.dot(np.logical_not(getmaskarray(a)), np.logical_not(getmaskarray(b)))
    return _made(data, np.logical_not(alive)) if isinstance(data, ndarray) else data


def corrcoef(x, y=None, rowvar=True):
    made = np.corrcoef(*_complete(x, y), rowvar=rowvar)
    return _made(made, np.zeros(made.shape, BOOL))


def cov(x, y=None, rowvar=True, bias=False, allow_masked=True, ddof=None):
    made = np.cov(*_complete(x, y), rowvar=rowvar, bias=bias, ddof=ddof)
    return _made(made, nomask) if isinstance(made, ndarray) and made.ndim else made


def _complete(x, y):
    if is_masked(x) or is_masked(y):
        if y is None or np.ndim(getdata(x)) != 1:
            raise NotImplementedError("numpy.ma: covariances of tables with masked elements")
        kept = np.logical_not(np.logical_or(getmaskarray(x), getmaskarray(y)))
        return getdata(x)[kept], getdata(y)[kept]
    return (getdata(x),) if y is None else (getdata(x), getdata(y))


def _runs(mask):
    edges = list(np.flatnonzero(np.diff(mask.astype("int64"))) + 1)
    edges = ([0] if mask.size and mask[0] else []) + edges + ([mask.size] if mask.size and mask[-1] else [])
    return [slice(a, b, None) for a, b in zip(edges[::2], edges[1::2])]


def clump_masked(a):
    return _runs(getmaskarray(a))


def clump_unmasked(a):
    return _runs(np.logical_not(getmaskarray(a)))


notmasked_contiguous = flatnotmasked_contiguous = clump_unmasked


def compress_rowcols(x, axis=None):
    gone, data = getmaskarray(x), getdata(x)
    if axis in (None, 0):
        data, gone = data[~gone.any(axis=1)], gone if axis is None else gone
    return data[:, ~getmaskarray(x).any(axis=0)] if axis in (None, 1, -1) else data


def compress_rows(a):
    return compress_rowcols(a, 0)


def compress_cols(a):
    return compress_rowcols(a, 1)


def allclose(a, b, masked_equal=True, rtol=1e-5, atol=1e-8):
    kept = np.logical_not(np.logical_or(getmaskarray(a), getmaskarray(b)))
    a, b = np.broadcast_arrays(getdata(a), getdata(b))
    return builtins.bool(np.allclose(a[kept], b[kept], rtol, atol))


def allequal(a, b, fill_value=True):
    kept = np.logical_not(np.logical_or(getmaskarray(a), getmaskarray(b)))
    same = np.equal(getdata(a), getdata(b))
    return builtins.bool(np.all(same[kept])) if fill_value or kept.all() else False


# ---- universal functions ---------------------------------------------------------------------------------------------

# Where functions have no value, their result is masked.
_DOMAINS = {
    "divide": lambda a, b: b == 0, "true_divide": lambda a, b: b == 0, "floor_divide": lambda a, b: b == 0,
    "remainder": lambda a, b: b == 0, "fmod": lambda a, b: b == 0, "sqrt": lambda a: a < 0, "log": lambda a: a <= 0,
    "log2": lambda a: a <= 0, "log10": lambda a: a <= 0, "arccosh": lambda a: a < 1, "arcsin": lambda a: np.abs(a) > 1,
    "arccos": lambda a: np.abs(a) > 1, "arctanh": lambda a: np.abs(a) >= 1, "tan": lambda a: np.abs(np.cos(a)) < 1e-35,
}
_TRUTHS = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and", "logical_or", "logical_not",
           "isnan", "isinf", "isfinite", "signbit"}


def _applied(function, args, options=None):
    first = next((a for a in args if isinstance(a, MaskedArray)), None)
    if builtins.any(a is masked for a in args) and builtins.all(np.ndim(getdata(a)) == 0 for a in args):
        return masked
    plain = [getdata(a) if not isinstance(a, (int, float, complex)) or isinstance(a, generic) else a for a in args]
    with np.errstate(all="ignore"):
        data = function(*plain, **(options or {}))
    if isinstance(data, tuple):
        raise NotImplementedError(f"numpy.{function.__name__} of masked arrays")
    gone = nomask
    for a in args:
        mask = getmask(a)
        gone = gone if mask is nomask else mask if gone is nomask else np.logical_or(gone, mask)
    domain = _DOMAINS.get(function.__name__)
    if domain is not None or function.__name__ == "power":
        with np.errstate(all="ignore"):
            out = domain(*plain) if domain is not None else np.logical_not(np.isfinite(data))
        if np.any(out) or domain is not None and (gone is not nomask or len(args) == 1):
            gone = np.logical_or(gone, out)
    if not isinstance(data, ndarray):
        return masked if gone is not nomask and builtins.bool(gone) else data
    if gone is not nomask:
        gone = np.broadcast_to(gone, data.shape).copy()
        base = np.broadcast_to(plain[0], data.shape)
        if data.dtype == base.dtype or function.__name__ not in _TRUTHS and base.dtype.kind in "biuf" and data.dtype.kind in "fc":
            # What is masked keeps the first operand's value.
            data = np.where(gone, base.astype(data.dtype), data)
    fill = getattr(first, "_fill", None)
    if data.dtype.kind == "b" and fill is not None:
        fill = np.bool_(builtins.bool(fill))
    return _made(data, gone, fill, getattr(first, "_hard", False))


def _function(name):
    own = getattr(np, name)

    def call(*args, **options):
        made = _applied(own, [a if isinstance(a, (MaskedArray, int, float, complex)) else _asarray(a) for a in args])
        return made if not isinstance(made, ndarray) or isinstance(made, MaskedArray) else _made(made, nomask)

    call.__name__ = name
    return call


for _name in ("abs", "absolute", "add", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "bitwise_and",
              "bitwise_or", "bitwise_xor", "ceil", "conjugate", "cos", "cosh", "divide", "equal", "exp", "fabs", "floor",
              "floor_divide", "fmod", "greater", "greater_equal", "hypot", "less", "less_equal", "log", "log10", "log2", "logical_and",
              "logical_not", "logical_or", "logical_xor", "maximum", "minimum", "mod", "multiply", "negative", "not_equal", "power",
              "remainder", "sin", "sinh", "sqrt", "subtract", "tan", "tanh", "true_divide"):
    globals()[_name] = _function(_name)


def _in_place(name):
    def method(self, other):
        made = globals()[name](self, other)
        self._data[...] = made._data
        if made._mask is not nomask:
            self._mask = made._mask
        return self

    return method


for _sign, _name in (("add", "add"), ("sub", "subtract"), ("mul", "multiply"), ("truediv", "divide"), ("floordiv", "floor_divide"),
                     ("pow", "power"), ("mod", "remainder")):
    setattr(MaskedArray, f"__i{_sign}__", _in_place(_name))


# ---- NumPy's own functions -------------------------------------------------------------------------------------------


def _handing_on(name):
    own = getattr(np, name)

    def call(a, *args, **options):
        return getattr(a, name)(*args, **options) if isinstance(a, MaskedArray) else own(a, *args, **options)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = own.__doc__
    return call


for _name in ("all", "any", "argmax", "argmin", "argsort", "clip", "compress", "cumprod", "cumsum", "diagonal", "nonzero", "ptp",
              "ravel", "repeat", "reshape", "round", "squeeze", "swapaxes", "take", "transpose"):
    setattr(np, _name, _handing_on(_name))
for _name, _function_of in (("copy", copy), ("sort", sort), ("expand_dims", expand_dims)):
    def _kept(a, *args, _own=getattr(np, _name), _ours=_function_of, **options):
        return (_ours if isinstance(a, MaskedArray) else _own)(a, *args, **options)

    _kept.__name__ = _name
    setattr(np, _name, _kept)


def __getattr__(name):
    if hasattr(np, name):
        raise AttributeError(f"numpy.ma.{name} is not part of this numpy")
    raise AttributeError(f"module 'numpy.ma' has no attribute {name!r}")

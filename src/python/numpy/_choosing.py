"""Functions that choose, order and count elements."""

import builtins
import math
import operator
from collections import namedtuple

import _torch as _C

import numpy as np
from numpy._array import (
    AxisError, _Tensor, _answer, _is_int, _quiet, _weak, _wrap, array, asarray, axes_of, broadcast, cast, full, ndarray,
    pair, tensor_of,
)
from numpy._boxed import order as order_of, picked
from numpy._reductions import finish
from numpy._types import ALL, BOOL, FLOAT64, INT64, generic, limits, number, promote
from numpy._ufunc import unsupported

_NO_VALUE = object()


def where(condition, x=_NO_VALUE, y=_NO_VALUE, /):
    if x is _NO_VALUE and y is _NO_VALUE:
        return nonzero(condition)
    if x is _NO_VALUE or y is _NO_VALUE:
        raise ValueError("either both or neither of x and y should be given")
    c = asarray(condition).astype(BOOL, copy=False)
    p, q = (v if _weak(v) else asarray(v) for v in (x, y))
    if not _weak(p) and p._boxed or not _weak(q) and q._boxed:
        p, q = asarray(p), asarray(q)
        d = promote(p.dtype, q.dtype)
        broadcast(c.shape, p.shape, q.shape)
        p, q = (v.astype(d) for v in (p, q))
        if d.kind in "mM":
            return p._of(where(c, p._at, q._at), d)
        return picked(p._items + q._items, where(c, p._at, q._at + len(p._items)), d)
    a, b, d = pair(p, q)
    a, b = (v if isinstance(v, _Tensor) else full((), v, d) for v in (a, b))
    broadcast(c.shape, a.shape, b.shape)
    return _wrap(_quiet(_C.where, c._t, cast(a, d), cast(b, d)))


def nonzero(a):
    a = asarray(a)
    if not a.ndim:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead.")
    found = _quiet(_C.nonzero, a.astype(BOOL)._t if a._boxed else a._t)
    return tuple(_wrap(_quiet(t.clone)) for t in _quiet(found.unbind, 1))


def flatnonzero(a):
    return nonzero(asarray(a).ravel())[0]


def argwhere(a):
    a = asarray(a)
    return _wrap(_quiet(_C.nonzero, a.astype(BOOL)._t if a._boxed else a._t))


def take(a, indices, axis=None, out=None, mode="raise"):
    a = asarray(a)
    if axis is None:
        a, axis = a.ravel(), 0
    axis = axes_of(axis, a.ndim)[0]
    index, n = asarray(indices), a.shape[axis]
    if index.size == 0:
        index = index.astype(INT64)
    if index.dtype.kind not in "biu":
        raise TypeError(f"Cannot cast array data from {index.dtype!r} to dtype('int64') according to the rule 'safe'")
    if n == 0 and index.size:
        raise IndexError("cannot do a non-empty take from an empty axes.")
    index = index.astype(INT64)
    if mode == "clip":
        index = asarray(clip(index, 0, n - 1))
    elif mode == "wrap":
        index = asarray(index % n)
    elif index.size and not -n <= np.min(index) <= np.max(index) < n:
        bad = [i for i in index.ravel().tolist() if not -n <= i < n][0]
        raise IndexError(f"index {bad} is out of bounds for axis {axis} with size {n}")
    made = a[(slice(None),) * axis + (index if index.ndim else index.item(),)]
    return made if out is None else _filled_in(out, made)


def _filled_in(out, made):
    out[...] = made
    return out


def _along(arr, indices, axis):
    """The key that picks along an axis, and the array."""
    if axis is None:
        arr, axis = asarray(arr).ravel(), 0
    arr, indices = asarray(arr), asarray(indices)
    if indices.dtype.kind not in "iu":
        raise IndexError("`indices` must be an integer array")
    if arr.ndim != indices.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    axis = axes_of(axis, arr.ndim)[0]
    return arr, tuple(indices if i == axis else np.arange(n).reshape((1,) * i + (-1,) + (1,) * (arr.ndim - i - 1))
                      for i, n in enumerate(arr.shape))


def take_along_axis(arr, indices, axis=-1):
    arr, key = _along(arr, indices, axis)
    return arr[key]


def put_along_axis(arr, indices, values, axis):
    target, key = _along(arr, indices, axis)
    target[key] = values


def put(a, ind, v, mode="raise"):
    if not isinstance(a, ndarray):
        raise TypeError(f"argument 1 must be numpy.ndarray, not {type(a).__name__}")
    index, values = asarray(ind).ravel(), asarray(v).ravel()
    if mode != "raise":
        index = clip(index, 0, a.size - 1) if mode == "clip" else index % a.size
    if index.size and values.size:
        a.flat[index] = np.resize(values, index.shape)


def putmask(a, mask, values):
    places = flatnonzero(mask)
    if places.size:
        a.flat[places] = np.resize(asarray(values).ravel(), a.size)[places]


def place(arr, mask, vals):
    places, vals = flatnonzero(mask), asarray(vals).ravel()
    if places.size:
        if not vals.size:
            raise ValueError("Cannot insert from an empty array!")
        arr.flat[places] = np.resize(vals, places.shape)


def copyto(dst, src, casting="same_kind", where=True):
    src = asarray(src)
    if not np.can_cast(src.dtype, dst.dtype, casting):
        raise TypeError(f"Cannot cast array data from {src.dtype!r} to {dst.dtype!r} according to the rule '{casting}'")
    dst[...] = src if where is True else np.where(where, src, dst)


def fill_diagonal(a, val, wrap=False):
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if a.ndim > 2 and len(set(a.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    at = np.arange(min_of(a.shape) if not wrap else a.shape[0])
    at = at[: a.shape[0]]
    key = tuple(at % n if wrap and i else at for i, n in enumerate(a.shape))
    a[key] = np.resize(asarray(val).ravel(), at.shape) if np.ndim(val) else val


min_of = builtins.min


def choose(a, choices, out=None, mode="raise"):
    a, choices = asarray(a), [asarray(c) for c in choices]
    spread = np.broadcast_arrays(a, *choices)
    if mode == "raise" and np.any((a < 0) | (a >= len(choices))):
        raise ValueError("invalid entry in choice array")
    a = spread[0] % len(choices) if mode == "wrap" else clip(spread[0], 0, len(choices) - 1)
    made = take_along_axis(np.stack(spread[1:]), asarray(a)[None], 0)[0]
    return made if out is None else _filled_in(out, made)


def compress(condition, a, axis=None, out=None):
    condition = asarray(condition)
    if condition.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    return take(a, flatnonzero(condition), axis, out)


def extract(condition, arr):
    return take(asarray(arr).ravel(), flatnonzero(condition))


def select(condlist, choicelist, default=0):
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if not len(condlist):
        raise ValueError("select with an empty condition list is not possible")
    out = default
    for i, (c, x) in list(enumerate(zip(condlist, choicelist)))[::-1]:
        if asarray(c).dtype is not BOOL:
            raise TypeError(f"invalid entry {i} in condlist: should be boolean ndarray")
        out = where(c, x, out)
    return out


def piecewise(x, condlist, funclist, *args, **kw):
    x = asarray(x)
    condlist = asarray(condlist)
    condlist = list(condlist) if condlist.ndim > x.ndim else [condlist]
    n, wanted = len(condlist), len(funclist)
    if wanted == n + 1:
        condlist.append(~np.any(np.stack(condlist), 0))
    elif wanted != n:
        raise ValueError(f"with {n} condition(s), either {n} or {n + 1} functions are expected")
    y = np.zeros_like(x)
    for c, f in zip(condlist, funclist):
        if not callable(f):
            y[c] = f
        elif np.any(c):
            y[c] = f(x[c], *args, **kw)
    return y


def clip(a, a_min=_NO_VALUE, a_max=_NO_VALUE, out=None, *, min=_NO_VALUE, max=_NO_VALUE, **options):
    if (a_min is _NO_VALUE) != (a_max is _NO_VALUE):
        raise TypeError(f"clip() missing 1 required positional argument: '{'a_min' if a_min is _NO_VALUE else 'a_max'}'")
    low = min if a_min is _NO_VALUE else a_min
    high = max if a_max is _NO_VALUE else a_max
    low, high = (None if v is _NO_VALUE else v for v in (low, high))
    a = asarray(a)
    if a.dtype.kind in "iu":
        # A Python int outside the dtype's range bounds nothing more than the range itself.
        least, most = limits(a.dtype)
        low, high = (builtins.min(builtins.max(v, least), most) if type(v) is int else v for v in (low, high))
    r = a
    if low is not None:
        r = np.maximum(r, low)
    if high is not None:
        r = np.minimum(r, high)
    if low is None and high is None:
        r = np.positive(a) if a.dtype.kind in "iufc" else a.copy()
    wanted = options.pop("dtype", None)
    if options:
        raise NotImplementedError(f"numpy.clip({next(iter(options))}=)")
    r = r if wanted is None else asarray(r).astype(wanted)
    if out is not None:
        out._assign(asarray(r)._t)
        return out
    return r


def round(a, decimals=0, out=None):
    a = asarray(a)
    if a._boxed:
        if decimals == 0:
            return np.rint(a, out=out)
        from numpy import _boxed
        return _boxed.of([builtins.round(v, decimals) for v in a._flat()], a.shape, a.dtype)
    if a.dtype.kind == "c":
        made = np.empty_like(a)
        made.real, made.imag = round(a.real, decimals), round(a.imag, decimals)
        return made if a.ndim else made[()]
    t = a._t
    if a.dtype is BOOL:
        t = cast(t, ALL["float16"])
    if a.dtype.kind in "iu":
        if decimals < 0:
            unit = 10 ** -decimals
            r = cast(_quiet(_C.mul, _quiet(_C.round, _quiet(_C.true_divide, cast(t, FLOAT64), unit)), unit), a.dtype)
        else:
            r = t
    elif decimals == 0:
        r = _quiet(_C.round, t)
    else:
        unit = 10.0 ** builtins.abs(decimals)
        scaled = _quiet(_C.mul if decimals > 0 else _C.true_divide, t, unit)
        r = _quiet(_C.true_divide if decimals > 0 else _C.mul, _quiet(_C.round, scaled), unit)
    return finish(r, out)


around = round


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    a = asarray(x)
    if a.dtype.kind == "c":
        made = a.copy()
        made.real, made.imag = (nan_to_num(part, True, nan, posinf, neginf) for part in (a.real, a.imag))
        return made if a.ndim else made[()]
    if a.dtype.kind != "f":
        return (a.copy() if copy else a)[()]
    r = _quiet(_C.nan_to_num, a._t, nan, posinf, neginf)
    if not copy and isinstance(x, ndarray):
        x[...] = _wrap(r)
        return x
    return _answer(r)


def fix(x, out=None):
    return np.trunc(x, out=out)


def real(val):
    return val.real if isinstance(val, (generic, ndarray, int, float, complex)) else asarray(val).real


def imag(val):
    return val.imag if isinstance(val, (generic, ndarray, int, float, complex)) else asarray(val).imag


def angle(z, deg=False):
    z = asarray(z)
    z = z.astype(FLOAT64) if z.dtype.kind in "biu" else z
    a = np.arctan2(z.imag, z.real)
    return a * (180 / math.pi) if deg else a


def isreal(x):
    found = imag(x) == 0
    return found[()] if isinstance(found, ndarray) else found


def iscomplex(x):
    a = asarray(x)
    return np.not_equal(a.imag, 0) if a.dtype.kind == "c" else np.zeros(a.shape, BOOL)[()]


def iscomplexobj(x):
    return asarray(x).dtype.kind == "c"


def isrealobj(x):
    return not iscomplexobj(x)


def real_if_close(a, tol=100):
    a = asarray(a)
    if a.dtype.kind != "c":
        return a
    limit = tol * np.finfo(a.dtype).eps if tol > 1 else tol
    return a.real if np.all(np.abs(a.imag) < limit) else a


def _make_infinite(name, negative):
    def ask(x, out=None):
        x = asarray(x)
        if x.dtype.kind == "c":
            raise TypeError(f"This operation is not supported for {x.dtype} values because it would be ambiguous.")
        if x._boxed:
            raise unsupported("isinf")
        side = np.less(x, 0) if negative else np.greater(x, 0)
        return np.logical_and(np.isinf(x), side, out=out)
    ask.__name__ = ask.__qualname__ = name
    return ask


isposinf, isneginf = _make_infinite("isposinf", False), _make_infinite("isneginf", True)


def sinc(x):
    x = asarray(x)
    x = x if x.dtype.kind in "fc" else x.astype(FLOAT64)
    y = math.pi * where(x == 0, number(x.dtype, 1.0e-20 if x.dtype is not ALL["float16"] else 1e-4), x)
    return (np.sin(y) / y)[()]


def unwrap(p, discont=None, axis=-1, *, period=2 * math.pi):
    p = asarray(p)
    steps = np.diff(p, axis=axis)
    discont = period / 2 if discont is None else discont
    d = np.result_type(steps, period)
    if d.kind in "iu":
        high, rest = builtins.divmod(period, 2)
        boundary = rest == 0
    else:
        high, boundary = period / 2, True
    low = -high
    moved_ = np.mod(steps - low, period) + low
    if boundary:
        moved_ = where((moved_ == low) & (steps > 0), high, moved_)
    fix_ = where(np.abs(steps) < discont, 0, moved_ - steps)
    out = array(p, dtype=d)
    key = (slice(None),) * axes_of(axis, p.ndim)[0]
    out[key + (slice(1, None),)] = p[key + (slice(1, None),)] + np.cumsum(fix_, axis)
    return out


def packbits(a, axis=None, bitorder="big"):
    a = asarray(a)
    if a.dtype.kind not in "biu":
        raise TypeError("Expected an input array of integer or boolean data type")
    if axis is None:
        a, axis = a.ravel(), 0
    axis = axes_of(axis, a.ndim)[0]
    a = np.moveaxis(a.astype(BOOL).astype("uint8"), axis, -1)
    n = -(-a.shape[-1] // 8)
    a = np.pad(a, [(0, 0)] * (a.ndim - 1) + [(0, 8 * n - a.shape[-1])]).reshape(a.shape[:-1] + (n, 8))
    weights = array([128 >> i if bitorder == "big" else 1 << i for i in range(8)], dtype="uint8")
    return np.moveaxis(np.sum(a * weights, -1).astype("uint8"), -1, axis)


def unpackbits(a, axis=None, count=None, bitorder="big"):
    a = asarray(a)
    if a.dtype.name != "uint8":
        raise TypeError("Expected an input array of unsigned byte data type")
    if axis is None:
        a, axis = a.ravel(), 0
    a = np.moveaxis(a, axis, -1)
    shifts = array([7 - i if bitorder == "big" else i for i in range(8)], dtype="uint8")
    bits = ((a[..., None] >> shifts) & 1).reshape(a.shape[:-1] + (-1,))
    if count is not None:
        bits = bits[..., :count]
    return np.moveaxis(bits, -1, axis)


# ---- order -----------------------------------------------------------------------------------------------------------


def _ordered_along(a, axis, kind=None):
    if kind is not None and str(kind)[:1].lower() not in ("q", "h", "s", "m"):
        raise ValueError(f"sort kind must be one of 'quick', 'heap', or 'stable' (got '{kind}')")
    a = asarray(a)
    if axis is None:
        a, axis = a.ravel(), 0
    return a, axes_of(axis, a.ndim)[0] if a.ndim or axis != -1 else None


def sort(a, axis=-1, kind=None, order=None, *, stable=None):
    a, axis = _ordered_along(a, axis, kind)
    if axis is None:
        raise AxisError(-1, 0)
    if a._boxed or a.dtype.kind == "c":
        return take_along_axis(a, argsort(a, axis), axis)
    return _wrap(_quiet(_C.sort, a._t, axis).values)


def argsort(a, axis=-1, kind=None, order=None, *, stable=None):
    a, axis = _ordered_along(a, axis, kind)
    if axis is None:
        return np.zeros(1, INT64)
    if a._boxed:
        return order_of(a, axis)
    if a.dtype.kind == "c":
        first = argsort(a.imag, axis)
        return take_along_axis(first, argsort(take_along_axis(a.real, first, axis), axis), axis)
    return _wrap(_quiet(_C.sort, a._t, dim=axis, stable=True).indices)


def sort_complex(a):
    a = sort(asarray(a))
    return a if a.dtype.kind == "c" else a.astype("complex64" if a.dtype.itemsize < 4 and a.dtype.kind in "iu" else "complex128")


def _kth(a, kth, axis):
    a, axis = _ordered_along(a, axis)
    n = a.shape[axis]
    for k in asarray(kth).ravel().tolist():
        if not -n <= k < n:
            raise ValueError(f"kth(={k}) out of bounds ({n})")
    return a, axis


def partition(a, kth, axis=-1, kind="introselect", order=None):
    """Sorts completely, which is also a valid partition."""
    return sort(*_kth(a, kth, axis))


def argpartition(a, kth, axis=-1, kind="introselect", order=None):
    return argsort(*_kth(a, kth, axis))


def lexsort(keys, axis=-1):
    if isinstance(keys, ndarray) and not keys.ndim or not hasattr(keys, "__getitem__"):
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    keys = [asarray(k) for k in keys]
    if not keys:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if any(k.shape != keys[0].shape for k in keys):
        raise ValueError("all keys need to be the same shape")
    if not keys[0].ndim:
        return np.zeros((), INT64)[()]
    order = argsort(keys[0], axis)
    for key in keys[1:]:
        order = take_along_axis(order, argsort(take_along_axis(key, order, axis), axis), axis)
    return order


def _sort_in_place(self, axis=-1, kind=None, order=None, *, stable=None):
    self._writable()
    _ordered_along(self, axis, kind)
    if self._boxed:
        self[...] = sort(self, axis)
    elif self.dtype.kind == "c":
        self[...] = sort(self, axis)
    else:
        self._assign(_quiet(_C.sort, self._t, axes_of(axis, self.ndim)[0]).values)


def _partition_in_place(self, kth, axis=-1, kind="introselect", order=None):
    self[...] = partition(self, kth, axis)


def searchsorted(a, v, side="left", sorter=None):
    a = asarray(a)
    if a.ndim != 1:
        raise ValueError("object too deep for desired array" if a.ndim else "object of too small depth for desired array")
    if side not in ("left", "right"):
        raise ValueError(f"search side must be 'left' or 'right' (got '{side}')")
    a = a if sorter is None else a[asarray(sorter)]
    values = asarray(v)
    if "M" in (a.dtype.kind, values.dtype.kind) or "m" in (a.dtype.kind, values.dtype.kind):
        d = promote(a.dtype, values.dtype)
        a, values = (x.astype(d).keys() for x in (a, values))
    if a._boxed or values._boxed or "c" in (a.dtype.kind, values.dtype.kind):
        from bisect import bisect_left, bisect_right
        find, key = bisect_left if side == "left" else bisect_right, a.tolist()
        if a.dtype.kind == "c":
            key = [(z.real, z.imag) for z in key]
        found = [find(key, (complex(x).real, complex(x).imag) if a.dtype.kind == "c" else x) for x in values.ravel().tolist()]
        return array(found, dtype=INT64).reshape(values.shape)[()]
    d = promote(a.dtype, values.dtype)
    found = _quiet(_C.searchsorted, cast(a._t, d), cast(values._t.reshape(-1), d), right=side == "right")
    return _answer(found.reshape(values.shape))


def digitize(x, bins, right=False):
    bins, x = asarray(bins), asarray(x)
    if x.dtype.kind == "c":
        raise TypeError("x may not be complex")
    steps = np.diff(bins)
    if np.any(steps < 0) and np.any(steps > 0):
        raise ValueError("bins must be monotonically increasing or decreasing")
    if bins.size > 1 and bins[0] > bins[-1]:
        return np.subtract(bins.size, searchsorted(bins[::-1].copy(), x, "left" if right else "right"))
    return searchsorted(bins, x, "left" if right else "right")


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True):
    ar = asarray(ar)
    if axis is None:
        flat, rows = ar.ravel(), None
        order = argsort(flat)
        ranked = flat[order]
        first = np.ones(len(ranked), BOOL)
        if len(ranked):
            differ = ranked[1:] != ranked[:-1]
            if equal_nan and ar.dtype.kind in "fcmM":
                differ = differ & ~(np.isnan(ranked[1:]) & np.isnan(ranked[:-1]))
            first[1:] = differ
    else:
        axis = axes_of(axis, ar.ndim)[0]
        rows = np.moveaxis(ar, axis, 0)
        keys = rows.reshape(rows.shape[0], -1).tolist()
        order = array(builtins.sorted(range(len(keys)), key=keys.__getitem__), dtype=INT64)
        first = array([not i or keys[a] != keys[b] for i, (a, b) in enumerate(zip(
            order.tolist(), [None] + order.tolist()[:-1]))], dtype=BOOL)
    starts = flatnonzero(first)
    out = [ranked[starts] if rows is None else np.moveaxis(rows[order[starts]], 0, axis)]
    if return_index:
        out.append(order[starts])
    if return_inverse:
        inverse = np.empty(len(order), INT64)
        inverse[order] = np.cumsum(first) - 1
        out.append(inverse.reshape(ar.shape) if axis is None else inverse)
    if return_counts:
        out.append(np.diff(np.append(starts, len(order))))
    return out[0] if len(out) == 1 else tuple(out)


UniqueAllResult = namedtuple("UniqueAllResult", "values indices inverse_indices counts")
UniqueCountsResult = namedtuple("UniqueCountsResult", "values counts")
UniqueInverseResult = namedtuple("UniqueInverseResult", "values inverse_indices")


def unique_all(x):
    return UniqueAllResult(*unique(x, True, True, True, equal_nan=False))


def unique_counts(x):
    return UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False))


def unique_inverse(x):
    return UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False))


def unique_values(x):
    return unique(x, equal_nan=False)


def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    element, tests = asarray(element), asarray(test_elements).ravel()
    if not tests.size:
        return np.full(element.shape, invert)
    found = np.any(np.equal(element.reshape(element.shape + (1,)), tests), -1)
    return asarray(np.logical_not(found) if invert else found)


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    if return_indices:
        (first, at1), (second, at2) = unique(ar1, return_index=True), unique(ar2, return_index=True)
        return first[isin(first, second)], at1[isin(first, second)], at2[isin(second, first)]
    first = unique(ar1)
    return first[isin(first, ar2)]


def union1d(ar1, ar2):
    return unique(np.concatenate([asarray(ar1), asarray(ar2)], None))


def setdiff1d(ar1, ar2, assume_unique=False):
    ar1 = asarray(ar1).ravel() if assume_unique else unique(ar1)
    return ar1[isin(ar1, ar2, invert=True)]


def setxor1d(ar1, ar2, assume_unique=False):
    first, second = unique(ar1), unique(ar2)
    return unique(np.concatenate([first[isin(first, second, invert=True)], second[isin(second, first, invert=True)]]))


def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    dims = (dims,) if _is_int(dims) else tuple(dims)
    total, unit = 0, 1
    pairs = list(zip(multi_index, dims))
    for index, n in pairs[::-1] if order == "C" else pairs:
        index = asarray(index)
        if mode == "raise" and np.any((index < 0) | (index >= n)):
            raise ValueError("invalid entry in coordinates array")
        index = clip(index, 0, n - 1) if mode == "clip" else index % n
        total, unit = total + index * unit, unit * n
    return total


def unravel_index(indices, shape, order="C"):
    shape = (shape,) if _is_int(shape) else tuple(shape)
    index, total = asarray(indices), math.prod(shape)
    if index.dtype.kind not in "iu":
        raise TypeError("only int indices permitted")
    bad = [i for i in index.ravel().tolist() if not 0 <= i < total]
    if bad:
        raise ValueError(f"index {bad[0]} is out of bounds for array with size {total}")
    out = []
    for n in shape[::-1] if order == "C" else shape:
        out.append((index % n)[()])
        index = index // n
    return tuple(out[::-1] if order == "C" else out)


def bincount(x, /, weights=None, minlength=0):
    x = asarray(x)
    if x.ndim != 1:
        raise ValueError("object too deep for desired array" if x.ndim else "object of too small depth for desired array")
    if x.size and x.dtype.kind not in "iub":
        raise TypeError(f"Cannot cast array data from {x.dtype!r} to dtype('int64') according to the rule 'safe'")
    x = x.astype(INT64)
    if x.size and np.min(x) < 0:
        raise ValueError("'list' argument must have no negative elements")
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    if weights is None:
        return _wrap(_quiet(_C.bincount, x._t, None, minlength))
    if np.shape(weights) != x.shape:
        raise ValueError("The weights and list don't have the same length.")
    out = np.zeros(builtins.max(minlength, int(np.max(x)) + 1 if x.size else 0))
    _quiet(out._t.index_add_, 0, x._t, tensor_of(weights, FLOAT64))
    return out


def _width(a, rule, low, high):
    """The width of a bin by one of the rules of thumb; 0 if the rule gives no width for these numbers."""
    n, spread = a.size, high - low
    iqr = float(np.subtract(*np.percentile(a, [75, 25]))) if rule in ("fd", "auto") else 0.0
    if rule == "sqrt":
        return spread / math.sqrt(n)
    if rule == "sturges":
        return spread / (math.log2(n) + 1.0)
    if rule == "rice":
        return spread / (2.0 * n ** (1 / 3))
    if rule == "scott":
        return (24.0 * math.pi ** 0.5 / n) ** (1 / 3) * float(np.std(a))
    if rule == "fd":
        return 2.0 * iqr * n ** (-1 / 3)
    if rule == "auto":
        widths = [_width(a, "fd", low, high), _width(a, "sturges", low, high)]
        return builtins.min(widths) if widths[0] else widths[1]
    if rule == "doane":
        sigma = float(np.std(a))
        if n <= 2 or not sigma:
            return 0.0
        skew = float(np.mean(((a - np.mean(a)) / sigma) ** 3))
        return spread / (1.0 + math.log2(n) + math.log2(1.0 + builtins.abs(skew) / math.sqrt(
            6.0 * (n - 2) / ((n + 1.0) * (n + 3)))))
    if rule == "stone":
        raise NotImplementedError("numpy.histogram(bins='stone')")
    raise ValueError(f"{rule!r} is not a valid estimator for `bins`")


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    a = asarray(a).ravel()
    if not _is_int(bins) and not isinstance(bins, str):
        bins = asarray(bins)
        if not bins.ndim:
            raise TypeError("`bins` must be an integer, a string, or an array")
        if bins.ndim != 1:
            raise ValueError("`bins` must be 1d, when an array")
        if np.any(bins[:-1] > bins[1:]):
            raise ValueError("`bins` must increase monotonically, when an array")
        return bins
    if range is not None:
        low, high = (float(v) for v in range)
        if low > high:
            raise ValueError("max must be larger than min in range parameter.")
    else:
        low, high = (float(np.min(a)), float(np.max(a))) if a.size else (0.0, 1.0)
        if not math.isfinite(low - high):
            raise ValueError(f"autodetected range of [{low}, {high}] is not finite")
    if low == high:
        low, high = low - 0.5, high + 0.5
    if isinstance(bins, str):
        inside = a[(a >= low) & (a <= high)]
        width = _width(inside, bins, *(float(np.min(inside)), float(np.max(inside)))) if inside.size else 0.0
        if a.dtype.kind in "iu" and width < 1:
            width = 1
        bins = math.ceil((high - low) / width) if width else 1
    bins = operator.index(bins)
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    if a.dtype.kind != "f":
        return np.linspace(low, high, bins + 1)
    low, high = (a.dtype.type(v) if range is None else v for v in (low, high))
    return np.linspace(low, high, bins + 1, dtype=a.dtype)


def histogram(a, bins=10, range=None, density=None, weights=None):
    a = asarray(a)
    if weights is not None and np.shape(weights) != a.shape:
        raise ValueError("weights should have the same shape as a.")
    a = a.ravel()
    a = a.astype("uint8") if a.dtype is BOOL else a
    edges = histogram_bin_edges(a, bins, range)
    inside = np.logical_and(a >= edges[0], a <= edges[-1])
    at = clip(searchsorted(edges, a[inside], "right") - 1, 0, len(edges) - 2)
    counts = bincount(at, None if weights is None else asarray(weights).ravel()[inside], len(edges) - 1)
    if density:
        return counts / np.diff(edges) / np.sum(counts), edges
    if weights is not None and asarray(weights).dtype.kind in "iu":
        counts = counts.astype(asarray(weights).dtype)
    return counts, edges


def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    # An array has one row for each point; lists are one coordinate after the other.
    sample = sample if isinstance(sample, ndarray) and sample.ndim == 2 else np.atleast_2d(sample).T
    n = sample.shape[1]
    bins = [bins] * n if _is_int(bins) else list(bins)
    if len(bins) != n:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    edges, place, inside = [], 0, np.ones(len(sample), BOOL)
    for i, b in enumerate(bins):
        edge = histogram_bin_edges(sample[:, i], b, None if range is None else range[i]).astype(FLOAT64)
        edges.append(edge)
        inside = inside & (sample[:, i] >= edge[0]) & (sample[:, i] <= edge[-1])
        place = place * (len(edge) - 1) + clip(searchsorted(edge, sample[:, i], "right") - 1, 0, len(edge) - 2)
    shape = [len(e) - 1 for e in edges]
    counts = bincount(place[inside], None if weights is None else asarray(weights)[inside], math.prod(shape))
    counts = counts.astype(FLOAT64).reshape(shape)
    if density:
        total = np.sum(counts)
        for i, edge in enumerate(edges):
            counts = counts / np.diff(edge).reshape((1,) * i + (-1,) + (1,) * (n - i - 1))
        counts = counts / total
    return counts, edges


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    if not _is_int(bins) and len(bins) not in (1, 2):
        bins = [bins, bins]
    counts, edges = histogramdd(np.stack([asarray(x), asarray(y)], 1), bins, range, density, weights)
    return counts, edges[0], edges[1]


__all__ = [_name for _name, _value in list(globals().items()) if not _name.startswith("_") and getattr(
    _value, "__module__", None) == __name__ and not _name.startswith("Unique")]

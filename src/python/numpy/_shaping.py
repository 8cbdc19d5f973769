"""Functions that rearrange, join and split arrays."""

import builtins
import math
import operator

import _torch as _C

import numpy as np
from numpy._array import (
    AxisError, _is_int, _listed, _quiet, _shape, _wrap, array, asarray, axes_of, broadcast as broadcast_of, moved, ndarray,
)
from numpy._boxed import picked
from numpy._making import arange
from numpy._types import BOOL, INT64, as_dtype, promote


def reshape(a, /, shape, order="C", *, copy=None):
    return asarray(a).reshape(shape, order=order)


def ravel(a, order="C"):
    return asarray(a).ravel(order)


def transpose(a, axes=None):
    a = asarray(a)
    return a.transpose() if axes is None else a.transpose(axes)


permute_dims = transpose


def matrix_transpose(x):
    a = asarray(x)
    if a.ndim < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {a.ndim}")
    return a.mT


def swapaxes(a, axis1, axis2):
    return asarray(a).swapaxes(axis1, axis2)


def _axes(axis, ndim, name):
    try:
        found = axes_of(axis, ndim)
    except AxisError as error:
        raise AxisError(error.axis, ndim, name) from None
    except ValueError:
        raise ValueError(f"repeated axis in `{name}` argument") from None
    return found


def moveaxis(a, source, destination):
    a = asarray(a)
    source, destination = _axes(source, a.ndim, "source"), _axes(destination, a.ndim, "destination")
    if len(source) != len(destination):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    order = [n for n in range(a.ndim) if n not in source]
    for to, at in sorted(zip(destination, source)):
        order.insert(to, at)
    return a.transpose(order)


def rollaxis(a, axis, start=0):
    n = asarray(a).ndim
    axis = axes_of(axis, n)[0]
    start = start + n if start < 0 else start
    return moveaxis(a, axis, start - 1 if axis < start else start)


def squeeze(a, axis=None):
    return asarray(a).squeeze(axis)


def expand_dims(a, axis):
    a = asarray(a)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    for one in sorted(axes_of(axes, a.ndim + len(axes))):
        a = a[(slice(None),) * one + (None,)]
    return a


def atleast_1d(*arrays):
    out = [a if a.ndim else a.reshape(1) for a in map(asarray, arrays)]
    return out[0] if len(out) == 1 else tuple(out)


def atleast_2d(*arrays):
    out = [a if a.ndim > 1 else a.reshape(1, -1) for a in map(asarray, arrays)]
    return out[0] if len(out) == 1 else tuple(out)


def atleast_3d(*arrays):
    out = [a if a.ndim > 2 else a[:, :, None] if a.ndim == 2 else a.reshape(1, -1, 1) for a in map(asarray, arrays)]
    return out[0] if len(out) == 1 else tuple(out)


def broadcast_to(array, shape, subok=False):
    array, shape = asarray(array), _shape(shape)
    try:
        made = moved(array, lambda t: _C.broadcast_to(t, shape))
    except RuntimeError:
        if len(shape) < array.ndim:
            raise ValueError("input operand has more dimensions than allowed by the axis remapping") from None
        raise ValueError("operands could not be broadcast together with remapped shapes [original->remapped]: "
                         f"{_listed(array.shape)}  and requested shape {_listed(shape)}") from None
    made._writes, made._base = False, array
    return made


def broadcast_arrays(*args, subok=False):
    args = [asarray(a) for a in args]
    whole = _broadcast_shape([a.shape for a in args])
    return tuple(a if a.shape == whole else broadcast_to(a, whole) for a in args)


def broadcast_shapes(*shapes):
    return _broadcast_shape([_shape(s) for s in shapes])


def _broadcast_shape(shapes):
    try:
        return broadcast_of(*shapes) if shapes else ()
    except ValueError:
        for i, first in enumerate(shapes):
            for j, second in enumerate(shapes[i + 1:], i + 1):
                try:
                    broadcast_of(first, second)
                except ValueError:
                    raise ValueError("shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg "
                                     f"{i} with shape {_listed(first)} and arg {j} with shape {_listed(second)}.") from None
        raise


class broadcast:
    """What arrays broadcast to, and their elements side by side."""

    def __init__(self, *args):
        self._arrays = broadcast_arrays(*args)
        self.shape = self._arrays[0].shape if args else ()
        self.nd = self.ndim = len(self.shape)
        self.size, self.numiter, self.index = math.prod(self.shape), len(args), 0
        self.iters = tuple(a.flat for a in self._arrays)

    def __iter__(self):
        return zip(*[a.flat for a in self._arrays])


def _together(arrays, dtype=None, casting="same_kind"):
    """Arrays of one dtype."""
    if isinstance(arrays, ndarray) and not arrays.ndim:
        raise TypeError("iteration over a 0-d array")
    arrays = [asarray(a) for a in arrays]
    if not arrays:
        raise ValueError("need at least one array to concatenate")
    d = arrays[0].dtype
    for a in arrays[1:]:
        d = promote(d, a.dtype)
    if dtype is not None:
        wanted = as_dtype(dtype)
        if not np.can_cast(d, wanted, casting):
            raise TypeError(f"Cannot cast array data from {d!r} to {wanted!r} according to the rule '{casting}'")
        d = wanted
    return [a.astype(d, copy=False) for a in arrays], d


def _laid(arrays, d, function):
    """Joins arrays of one dtype with `function`. For arrays of objects, it joins their arrays of places."""
    if d._torch is not None:
        return _wrap(_quiet(function, [a._t for a in arrays]))
    if d.kind in "mM":
        return arrays[0]._of(_wrap(_quiet(function, [a._at._t for a in arrays])), d)
    items, places = [], []
    for a in arrays:
        places.append((a._at + len(items))._t)
        items = items + a._items
    return picked(items, _wrap(_quiet(function, places)), d)


def _put(made, out):
    if out is None:
        return made
    if out.shape != made.shape:
        raise ValueError("Output array is the wrong shape")
    out[...] = made
    return out


def concatenate(arrays, /, axis=0, out=None, *, dtype=None, casting="same_kind"):
    arrays, d = _together(arrays, dtype, casting)
    if axis is None:
        arrays, axis = [a.ravel() for a in arrays], 0
    first = arrays[0]
    if not first.ndim:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    axis = axes_of(axis, first.ndim)[0]
    for i, a in enumerate(arrays):
        if a.ndim != first.ndim:
            raise ValueError("all the input arrays must have same number of dimensions, but the array at index 0 has "
                             f"{first.ndim} dimension(s) and the array at index {i} has {a.ndim} dimension(s)")
        for k, (m, n) in enumerate(zip(first.shape, a.shape)):
            if m != n and k != axis:
                raise ValueError("all the input array dimensions except for the concatenation axis must match exactly, but "
                                 f"along dimension {k}, the array at index 0 has size {m} and the array at index {i} has size "
                                 f"{n}")
    return _put(_laid(arrays, d, lambda tensors: _C.cat(tensors, axis)), out)


concat = concatenate


def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    arrays = [asarray(a) for a in arrays]
    if not arrays:
        raise ValueError("need at least one array to stack")
    if builtins.any(a.shape != arrays[0].shape for a in arrays):
        raise ValueError("all input arrays must have the same shape")
    arrays, d = _together(arrays, dtype, casting)
    axis = axes_of(axis, arrays[0].ndim + 1)[0]
    return _put(_laid(arrays, d, lambda tensors: _C.stack(tensors, axis)), out)


def unstack(x, /, *, axis=0):
    x = asarray(x)
    if not x.ndim:
        raise ValueError("Input array must be at least 1-d.")
    return tuple(moveaxis(x, axis, 0))


def block(arrays):
    def depth(part):
        return 1 + builtins.max(depth(p) for p in part) if isinstance(part, list) else 0

    def joined(part, level):
        if not isinstance(part, list):
            return part
        parts = [joined(p, level - 1) for p in part]
        most = builtins.max(np.ndim(p) for p in parts)
        most = builtins.max(most, whole)
        return concatenate([asarray(p)[(None,) * (most - np.ndim(p))] for p in parts], -level)

    whole = depth(arrays)
    return joined(arrays, whole) if whole else array(arrays)


def vstack(tup, *, dtype=None, casting="same_kind"):
    return concatenate([atleast_2d(a) for a in tup], 0, dtype=dtype)


row_stack = vstack


def hstack(tup, *, dtype=None, casting="same_kind"):
    arrays = [atleast_1d(a) for a in tup]
    return concatenate(arrays, 0 if arrays and arrays[0].ndim == 1 else 1, dtype=dtype)


def column_stack(tup):
    return concatenate([a if a.ndim > 1 else a.reshape(-1, 1) for a in map(asarray, tup)], 1)


def dstack(tup):
    arrays = [atleast_2d(a) for a in tup]
    return concatenate([a if a.ndim > 2 else a.reshape(a.shape + (1,)) for a in arrays], 2)


def append(arr, values, axis=None):
    arr, values = asarray(arr), asarray(values)
    return concatenate([arr.ravel(), values.ravel()]) if axis is None else concatenate([arr, values], axis)


def _place(arr, obj, axis):
    """An array and the axis that positions count along."""
    arr = asarray(arr)
    if axis is None:
        arr, axis = arr.ravel(), 0
    return arr, axes_of(axis, arr.ndim)[0]


def delete(arr, obj, axis=None):
    arr, axis = _place(arr, obj, axis)
    n = arr.shape[axis]
    if isinstance(obj, slice):
        gone = set(range(*obj.indices(n)))
    else:
        found = asarray(obj)
        if found.dtype is BOOL:
            if found.shape != (n,):
                raise ValueError(f"boolean array argument obj to delete must be one dimensional and match the axis length of {n}")
            gone = {i for i, out in enumerate(found.tolist()) if out}
        else:
            gone = set()
            for i in found.ravel().tolist():
                if not -n <= i < n:
                    raise IndexError(f"index {i} is out of bounds for axis {axis} with size {n}")
                gone.add(operator.index(i) % n)
    return np.take(arr, array([i for i in range(n) if i not in gone], INT64), axis)


def insert(arr, obj, values, axis=None):
    arr, axis = _place(arr, obj, axis)
    n = arr.shape[axis]
    values = asarray(values).astype(arr.dtype)
    places = arange(n)[obj] if isinstance(obj, slice) else asarray(obj)
    if places.dtype is BOOL:
        places = np.flatnonzero(places)
    single = places.size == 1
    for i in places.ravel().tolist():
        if not -n <= i <= n:
            raise IndexError(f"index {i} is out of bounds for axis {axis} with size {n}")
    if single:
        at = places.ravel().tolist()[0] % (n + 1) if places.ravel().tolist()[0] >= 0 else places.ravel().tolist()[0] + n
        values = array(values, ndmin=arr.ndim)
        if not places.ndim:
            values = moveaxis(values, 0, axis)
        rest = list(arr.shape)
        rest[axis] = values.shape[axis]
        key = (slice(None),) * axis
        return concatenate([arr[key + (slice(None, at),)], broadcast_to(values, rest), arr[key + (slice(at, None),)]], axis)
    ranks = sorted((i + n if i < 0 else i, k) for k, i in enumerate(places.tolist()))
    new = {at + k: order for k, (at, order) in enumerate(ranks)}
    shape = tuple(size + len(new) if i == axis else size for i, size in enumerate(arr.shape))
    spread = broadcast_to(values, tuple(len(new) if i == axis else size for i, size in enumerate(arr.shape)))
    whole = concatenate([arr, spread], axis)
    old, order = iter(range(n)), []
    for i in range(shape[axis]):
        order.append(n + new[i] if i in new else next(old))
    return np.take(whole, array(order, INT64), axis)


def array_split(ary, indices_or_sections, axis=0):
    ary = asarray(ary)
    axis = axes_of(axis, ary.ndim)[0]
    n = ary.shape[axis]
    if _is_int(indices_or_sections):
        parts = operator.index(indices_or_sections)
        if parts <= 0:
            raise ValueError("number sections must be larger than 0.")
        each, extra = divmod(n, parts)
        ends = [i * each + builtins.min(i, extra) for i in range(parts + 1)]
    else:
        ends = [0, *[operator.index(i) for i in asarray(indices_or_sections).astype(INT64).tolist()], n]
    key = (slice(None),) * axis
    return [ary[key + (slice(a, b),)] for a, b in zip(ends, ends[1:])]


def split(ary, indices_or_sections, axis=0):
    ary = asarray(ary)
    if _is_int(indices_or_sections) and ary.shape[axis] % indices_or_sections:
        raise ValueError("array split does not result in an equal division")
    return array_split(ary, indices_or_sections, axis)


def _need(ary, least, name):
    if ary.ndim < least:
        raise ValueError(f"{name} only works on arrays of {least} or more dimensions")


def hsplit(ary, indices_or_sections):
    ary = asarray(ary)
    _need(ary, 1, "hsplit")
    return split(ary, indices_or_sections, 0 if ary.ndim == 1 else 1)


def vsplit(ary, indices_or_sections):
    ary = asarray(ary)
    _need(ary, 2, "vsplit")
    return split(ary, indices_or_sections, 0)


def dsplit(ary, indices_or_sections):
    ary = asarray(ary)
    _need(ary, 3, "dsplit")
    return split(ary, indices_or_sections, 2)


def tile(A, reps):
    return moved(asarray(A), lambda t: _C.tile(t, _shape(reps)))


def repeat(a, repeats, axis=None):
    a = asarray(a)
    if axis is None:
        a, axis = a.ravel(), 0
    axis = axes_of(axis, a.ndim)[0]
    counts = asarray(repeats)
    if counts.dtype.kind not in "biu":
        raise TypeError(f"Cannot cast array data from {counts.dtype!r} to dtype('int64') according to the rule 'safe'")
    if np.any(counts < 0):
        raise ValueError("negative dimensions are not allowed" if counts.size == 1 else
                         "repeats may not contain negative values.")
    n = a.shape[axis]
    if counts.ndim and counts.size != 1 and counts.shape != (n,):
        raise ValueError(f"operands could not be broadcast together with shape {_listed((n,))} {_listed(counts.shape)}")
    counts = counts.ravel().tolist() * (n if counts.size == 1 else 1)
    return np.take(a, array([i for i, count in enumerate(counts) for _ in range(count)], INT64), axis)


def resize(a, new_shape):
    a, new_shape = asarray(a).ravel(), _shape(new_shape)
    count = math.prod(new_shape)
    if not a.size or not count:
        return np.zeros(new_shape, a.dtype)
    return concatenate([a] * -(-count // a.size))[:count].reshape(new_shape)


def flip(m, axis=None):
    m = asarray(m)
    axes = range(m.ndim) if axis is None else axes_of(axis, m.ndim)
    key = [slice(None)] * m.ndim
    for a in axes:
        key[a] = slice(None, None, -1)
    return m[tuple(key)]


def fliplr(m):
    m = asarray(m)
    if m.ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    return flip(m, 1)


def flipud(m):
    m = asarray(m)
    if m.ndim < 1:
        raise ValueError("Input must be >= 1-d.")
    return flip(m, 0)


def rot90(m, k=1, axes=(0, 1)):
    m, axes = asarray(m), tuple(axes)
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    a, b = axes
    if a == b or builtins.abs(a - b) == m.ndim:
        raise ValueError("Axes must be different.")
    if not (-m.ndim <= a < m.ndim and -m.ndim <= b < m.ndim):
        raise ValueError(f"Axes={axes} out of range for array of ndim={m.ndim}.")
    for _ in range(k % 4):
        m = flip(m.swapaxes(a, b), a)
    return m


def roll(a, shift, axis=None):
    a = asarray(a)
    if axis is None:
        return roll(a.ravel(), shift, 0).reshape(a.shape)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    shifts, axes = broadcast_arrays(shift, [axes_of(one, a.ndim)[0] for one in axes])
    return moved(a, lambda t: _C.roll(t, tuple(shifts.ravel().tolist()), tuple(axes.ravel().tolist())) if t.numel() else t.clone())


_PADS = {"constant": {"constant_values"}, "edge": set(), "wrap": set(), "empty": set(), "linear_ramp": {"end_values"},
         "maximum": {"stat_length"}, "mean": {"stat_length"}, "median": {"stat_length"}, "minimum": {"stat_length"},
         "reflect": {"reflect_type"}, "symmetric": {"reflect_type"}}


def _sides(x, ndim, name="pad_width"):
    return broadcast_to(asarray(x), (ndim, 2)).tolist()


def _mirrored(n, before, after, edge):
    """The indices of the elements that mirroring pads with; `edge` says whether the outermost element is repeated."""
    if n == 1 and not edge:
        return [0] * (before + 1 + after)
    period = 2 * n if edge else 2 * n - 2
    places = [i % period for i in range(-before, n + after)]
    return [i if i < n else period - i - (1 if edge else 0) for i in places]


def pad(array, pad_width, mode="constant", **options):
    a = asarray(array)
    if isinstance(pad_width, dict):
        pad_width = [pad_width.get(i, pad_width.get(i - a.ndim, 0)) for i in range(a.ndim)]
        pad_width = [w if isinstance(w, (tuple, list)) else (w, w) for w in pad_width]
    if asarray(pad_width).dtype.kind not in "iu":
        raise TypeError("`pad_width` must be of integral type.")
    widths = _sides(pad_width, a.ndim)
    if builtins.any(n < 0 for pair in widths for n in pair):
        raise ValueError("index can't contain negative values")
    if callable(mode):
        raise NotImplementedError("numpy.pad with a function as mode")
    if mode not in _PADS:
        raise ValueError(f"mode '{mode}' is not supported")
    unknown = set(options) - _PADS[mode]
    if unknown:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {unknown}")
    if options.get("reflect_type", "even") != "even":
        raise NotImplementedError("numpy.pad(reflect_type='odd')")
    given = _sides(options.get("constant_values", options.get("end_values", 0)), a.ndim)
    length = options.get("stat_length")
    lengths = _sides(length, a.ndim) if length is not None else [(None, None)] * a.ndim
    for axis, (before, after) in enumerate(widths):
        n, key = a.shape[axis], (slice(None),) * axis
        if mode in ("edge", "reflect", "symmetric", "wrap"):
            if not n and (before or after):
                raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
            if mode == "edge":
                places = [0] * before + list(range(n)) + [n - 1] * after
            elif mode == "wrap":
                places = [i % n for i in range(-before, n + after)]
            else:
                places = _mirrored(n, before, after, mode == "symmetric")
            a = np.take(a, np.array(places, INT64), axis)
            continue
        parts = []
        for side, count in enumerate((before, after)):
            shape = a.shape[:axis] + (count,) + a.shape[axis + 1:]
            if mode in ("constant", "empty"):
                parts.append(np.full(shape, given[axis][side]).astype(a.dtype))
            elif mode == "linear_ramp":
                edge = a[key + (0 if side == 0 else -1,)]
                ramp = np.linspace(given[axis][side], edge, count, endpoint=False, axis=axis)
                parts.append((ramp if side == 0 else flip(ramp, axis)).astype(a.dtype))
            else:
                most = lengths[axis][side]
                seen = a[key + ((slice(None, most) if side == 0 else slice(-most, None)) if most else slice(None),)]
                found = getattr(np, {"maximum": "max", "minimum": "min"}.get(mode, mode))(seen, axis, keepdims=True)
                if a.dtype.kind in "iu" and mode in ("mean", "median"):
                    found = np.rint(found)
                parts.append(broadcast_to(found.astype(a.dtype), shape))
        a = concatenate([parts[0], a, parts[1]], axis)
    return a


def shape(a):
    return asarray(a).shape


def ndim(a):
    return asarray(a).ndim


def size(a, axis=None):
    a = asarray(a)
    return a.size if axis is None else math.prod(a.shape[i] for i in axes_of(axis, a.ndim))


def trim_zeros(filt, trim="fb", axis=None):
    a = asarray(filt)
    kept = np.argwhere(a)
    if not a.ndim or not a.size:
        return filt
    low = np.min(kept, 0).tolist() if len(kept) else [n for n in a.shape]
    high = (np.max(kept, 0) + 1).tolist() if len(kept) else [n for n in a.shape]
    axes = range(a.ndim) if axis is None else axes_of(axis, a.ndim)
    trim = trim.lower()
    if not len(kept) and "f" not in trim:
        low = high = [0] * a.ndim
    key = tuple(slice(low[i] if "f" in trim else None, high[i] if "b" in trim else None) if i in axes else slice(None)
                for i in range(a.ndim))
    made = a[key]
    return made.tolist() if isinstance(filt, list) else made


def isfortran(a):
    return a.flags.fnc


__all__ = [_name for _name, _value in list(globals().items()) if not _name.startswith("_") and getattr(
    _value, "__module__", None) == __name__]

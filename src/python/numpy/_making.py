"""Functions that make arrays."""

import builtins
import functools
import math
import operator
import struct
import warnings

import _torch as _C

import numpy as np
from numpy import _boxed
from numpy import _types as _t
from numpy._array import (
    _quiet, _shape, _weak, _wrap, array, asarray, axes_of, broadcast, cast, full as _fill, meets, moved, ndarray,
)
from numpy._elementwise import divide, equal, floor, log10, power
from numpy._types import BOOL, FLOAT64, INT64, as_dtype, generic, number, promote


def _filled(shape, value, d):
    shape = _shape(shape)
    if builtins.any(n < 0 for n in shape):
        raise ValueError("negative dimensions are not allowed")
    if d._torch is None:
        blank = {"O": value, "U": str(value) if value else "", "S": b""}.get(d.kind, value)
        return _boxed.of([blank] * math.prod(shape), shape, d)
    return _wrap(_fill(shape, value, d))


def _in_order(made, order):
    """The array, in column-major order if `order` asks for it."""
    return made.copy("F") if order == "F" and made.ndim > 1 else made


def on_host(device):
    if device not in (None, "cpu"):
        raise ValueError(f'Device not understood. Only "cpu" is allowed, but received: {device}')


def zeros(shape, dtype=float, order="C", *, device=None, like=None):
    on_host(device)
    return _in_order(_filled(shape, 0, as_dtype(dtype)), order)


def ones(shape, dtype=None, order="C", *, device=None, like=None):
    on_host(device)
    return _in_order(_filled(shape, 1, as_dtype(dtype)), order)


def empty(shape, dtype=float, order="C", *, device=None, like=None):
    on_host(device)
    d = as_dtype(dtype)
    if d._torch is None or builtins.any(n < 0 for n in _shape(shape)):
        return _filled(shape, None if d.kind == "O" else 0, d)
    return _in_order(_wrap(_quiet(_C.empty, _shape(shape), dtype=d._torch, device="cpu")), order)


def full(shape, fill_value, dtype=None, order="C", *, device=None, like=None):
    on_host(device)
    fill = asarray(fill_value)
    d = fill.dtype if dtype is None else as_dtype(dtype)
    if fill.ndim == 0 and not fill._boxed and d._torch is not None:
        return _in_order(_filled(shape, fill.astype(d).item(), d), order)
    return np.broadcast_to(fill.astype(d), _shape(shape)).copy(order)


def _like(a, dtype, shape):
    a = asarray(a)
    return (a.shape if shape is None else shape), (a.dtype if dtype is None else dtype)


def zeros_like(a, dtype=None, order="K", subok=True, shape=None):
    return zeros(*_like(a, dtype, shape))


def ones_like(a, dtype=None, order="K", subok=True, shape=None):
    return ones(*_like(a, dtype, shape))


def empty_like(prototype, dtype=None, order="K", subok=True, shape=None):
    return empty(*_like(prototype, dtype, shape))


def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None):
    shape, dtype = _like(a, dtype, shape)
    return full(shape, fill_value, dtype)


def eye(N, M=None, k=0, dtype=float, order="C", *, device=None, like=None):
    on_host(device)
    M = N if M is None else M
    if N < 0 or M < 0:
        raise ValueError("negative dimensions are not allowed")
    return equal(arange(N).reshape(-1, 1) + k, arange(M)).astype(dtype)


def identity(n, dtype=None, *, like=None):
    return eye(n, dtype=float if dtype is None else dtype)


def arange(*args, dtype=None, start=None, stop=None, step=None, device=None, like=None):
    on_host(device)
    given = list(args)
    if start is not None:
        given.insert(0, start)
    if stop is not None:
        given.append(stop)
    if step is not None:
        given = [0, *given, step] if len(given) == 1 else [*given[:2], step]
    if len(given) == 4:
        *given, dtype = given
    if not given:
        raise TypeError("arange() requires stop to be specified.")
    dtype = None if dtype is None else as_dtype(dtype)
    if (dtype or FLOAT64).kind in "mM" or builtins.any(isinstance(v, generic) and v.dtype.kind in "mM" for v in given):
        from numpy import _dates
        return _dates.arange(*(None, given[0], None) if len(given) == 1 else (*given, None)[:3], dtype)
    start, stop, step = (0, given[0], 1) if len(given) == 1 else (*given, 1)[:3]
    values = [v.item() if isinstance(v, (generic, ndarray)) else v for v in (start, stop, step)]
    if builtins.any(isinstance(v, (str, bytes)) for v in values):
        raise TypeError("arange() not supported for inputs with DType <class 'numpy.dtypes.StrDType'>.")
    start, stop, step = values
    if step == 0:
        raise ZeroDivisionError("division by zero")
    real = builtins.any(isinstance(v, float) for v in values)
    d = as_dtype(dtype) if dtype is not None else FLOAT64 if real else INT64
    count = builtins.max(0, math.ceil((stop - start) / step))
    if count > 1 << 60:
        raise ValueError("Maximum allowed size exceeded")
    if not real:
        out = _quiet(_C.arange, count, dtype=_C.int64, device="cpu")
        return _wrap(cast(_quiet(_C.add, _quiet(_C.mul, out, step), start), d))
    # As NumPy fills: each element from the first and the difference to the second.
    delta = (start + step) - start
    out = _quiet(_C.arange, count, dtype=_C.float64, device="cpu")
    return _wrap(cast(_quiet(_C.add, _quiet(_C.mul, out, delta), start), d))


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    given, start, stop = (start, stop), asarray(start), asarray(stop)
    try:
        num = operator.index(num)
    except TypeError:
        raise TypeError(f"'{type(num).__name__}' object cannot be interpreted as an integer") from None
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    pieces = num - 1 if endpoint else num
    told = [end.dtype for end, x in zip((start, stop), given) if not _weak(x)]
    d = promote(told[0], told[-1]) if told else INT64
    d = functools.reduce(meets, filter(_weak, given), d if d.kind in "fc" else FLOAT64)
    start, stop = start.astype(d), stop.astype(d)
    delta = stop - start
    places = arange(num, dtype=d).reshape((-1,) + (1,) * asarray(delta).ndim)
    step = divide(delta, pieces) if pieces > 0 else number(FLOAT64, math.nan)
    step = number(d, step) if asarray(step).ndim == 0 else step
    y = places * step + start if pieces > 0 else places * delta + start
    if endpoint and num > 1:
        y[-1] = stop
    if dtype is not None:
        wanted = as_dtype(dtype)
        y = (floor(y) if wanted.kind in "iu" else y).astype(wanted)
    if axis:
        y = np.moveaxis(y, 0, axis)
    return (y, step) if retstep else y


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    y = power(base, linspace(start, stop, num, endpoint, axis=axis))
    return y if dtype is None else y.astype(dtype)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    if np.any(equal(start, 0)) or np.any(equal(stop, 0)):
        raise ValueError("Geometric sequence cannot include zero")
    start, stop = asarray(start), asarray(stop)
    turn = np.sign(start) if start.dtype.kind != "c" and stop.dtype.kind != "c" else 1
    y = logspace(log10(start * turn), log10(stop * turn), num, endpoint) * turn
    if num:
        y[0] = start
        if endpoint and num > 1:
            y[-1] = stop
    y = np.moveaxis(y, 0, axis) if axis else y
    return y if dtype is None else y.astype(dtype)


def asanyarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    return asarray(a, dtype, order, copy=copy)


def ascontiguousarray(a, dtype=None, *, like=None):
    a = asarray(a, dtype)
    return a.reshape(1) if a.ndim == 0 else asarray(a, order="C") if not a._negative else a.copy()


def asfortranarray(a, dtype=None, *, like=None):
    a = asarray(a, dtype)
    return a.reshape(1) if a.ndim == 0 else asarray(a, order="F")


def require(a, dtype=None, requirements=None, *, like=None):
    wanted = [r.upper()[0] for r in ([requirements] if isinstance(requirements, str) else requirements or [])]
    a = asarray(a, dtype, "F" if "F" in wanted else "C" if "C" in wanted else None)
    return a.copy() if "O" in wanted and a.base is not None else a


def asarray_chkfinite(a, dtype=None, order=None):
    a = asarray(a, dtype, order)
    if a.dtype.kind in "fc" and not np.isfinite(a).all():
        raise ValueError("array must not contain infs or NaNs")
    return a


def astype(x, dtype, /, *, copy=True, device=None):
    if not isinstance(x, ndarray):
        raise TypeError(f"Input should be a NumPy array. It is of type {type(x)}.")
    return x.astype(dtype, copy=copy)


def copy(a, order="K", subok=False):
    return array(a, order=order)


_said = set()


def _said_swapped(swapped):
    """Warns that the values are NumPy's but the dtype isn't: arrays here have no swapped byte order."""
    if swapped.str not in _said:
        _said.add(swapped.str)
        warnings.warn(f"Arrays of dtype '{swapped.str}' can't be had here: the numbers are the same, but their dtype is "
                      f"'{swapped.native}'.", stacklevel=3)


def frombuffer(buffer, dtype=float, count=-1, offset=0, *, like=None):
    swapped = _t.dtype(dtype) if isinstance(dtype, str) else dtype
    swapped = swapped if isinstance(swapped, _t.SwappedDtype) else None
    d = as_dtype(dtype) if swapped is None else swapped.native
    if isinstance(buffer, (ndarray, generic)):
        buffer = buffer.tobytes()
    elif not isinstance(buffer, (bytes, bytearray)):
        try:
            buffer = memoryview(buffer).tobytes()
        except TypeError:
            raise TypeError(f"a bytes-like object is required, not '{type(buffer).__name__}'") from None
    if not 0 <= offset <= len(buffer):
        raise ValueError(f"offset must be non-negative and no greater than buffer length ({len(buffer)})")
    data = bytes(buffer)[offset:]
    if not d.itemsize:
        raise ValueError("itemsize cannot be zero in type")
    if count < 0 and len(data) % d.itemsize:
        raise ValueError("buffer size must be a multiple of element size")
    n = len(data) // d.itemsize if count < 0 else count
    if n * d.itemsize > len(data):
        raise ValueError("buffer is smaller than requested size")
    data = data[:n * d.itemsize]
    if d.kind == "O":
        raise ValueError("cannot create an OBJECT array from memory buffer")
    if d.kind in "US":
        width = d.itemsize
        items = [data[i:i + width] for i in range(0, n * width, width)]
        if d.kind == "U":
            items = ["".join(map(chr, struct.unpack(f"<{width // 4}I", item))).rstrip("\0") for item in items]
        return _boxed.of([item if d.kind == "U" else item.rstrip(b"\0") for item in items], (n,), d)
    if swapped is not None:
        _said_swapped(swapped)
        width = d.itemsize // 2 if d.kind == "c" else d.itemsize
        turned = bytearray(len(data))
        for i in range(width):
            turned[i::width] = data[width - 1 - i::width]
        data = bytes(turned)
    made = _wrap(_quiet(_C._storage_from, data, d._torch))
    # NumPy's is a view of memory that nobody may write: bytes.
    made._writes = not isinstance(buffer, bytes)
    return made


def fromfile(file, dtype=float, count=-1, sep="", offset=0, *, like=None):
    if sep:
        if hasattr(file, "read"):
            return fromstring(file.read(), dtype, count, sep=sep)
        with open(file) as opened:
            return fromstring(opened.read(), dtype, count, sep=sep)
    d = _t.dtype(dtype)
    # A file that is open stays where the last number ended.
    wanted = -1 if count < 0 else count * d.itemsize
    if hasattr(file, "read"):
        if offset:
            file.seek(offset, 1)
        data = file.read(wanted)
    else:
        with open(file, "rb") as opened:
            opened.seek(offset)
            data = opened.read(wanted)
    data = data[:len(data) - len(data) % d.itemsize]
    return frombuffer(data, d).copy() if data else empty(0, d.native if type(d) is _t.SwappedDtype else d)


def fromstring(string, dtype=float, count=-1, *, sep, like=None):
    if not sep:
        raise ValueError("The binary mode of fromstring is removed, use frombuffer instead")
    words = string.split(sep.strip()) if sep.strip() else string.split()
    words = [word for word in words if word.strip()]
    d = as_dtype(dtype)
    return array([(int if d.kind in "iu" else float)(word) for word in (words if count < 0 else words[:count])], dtype=d)


def fromiter(iter, dtype, count=-1, *, like=None):
    items = list(iter) if count < 0 else [item for _, item in zip(range(count), iter)]
    if len(items) < count:
        raise ValueError(f"iterator too short: Expected {count} but iterator had only {len(items)} items.")
    return array(items, dtype=dtype)


def fromfunction(function, shape, *, dtype=float, **kwargs):
    return function(*indices(shape, dtype), **kwargs)


def indices(dimensions, dtype=int, sparse=False):
    n = len(dimensions)
    grids = [arange(size, dtype=dtype).reshape((1,) * i + (-1,) + (1,) * (n - i - 1)) for i, size in enumerate(dimensions)]
    if sparse:
        return tuple(grids)
    return np.stack([np.broadcast_to(g, tuple(dimensions)) for g in grids]) if grids else zeros((0,), dtype)


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    xi = [asarray(x).reshape(-1) for x in xi]
    n = len(xi)
    order = [1, 0, *range(2, n)] if indexing == "xy" and n > 1 else list(range(n))
    out = []
    for i, x in enumerate(xi):
        shape = [1] * n
        shape[order.index(i)] = -1
        out.append(x.reshape(shape))
    if sparse:
        return tuple(out)
    whole = broadcast(*[x.shape for x in out]) if out else ()
    return tuple(np.broadcast_to(x, whole).copy() for x in out)


def diag(v, k=0):
    v = asarray(v)
    if v.ndim == 2:
        return diagonal(v, k)
    if v.ndim != 1:
        raise ValueError("Input must be 1- or 2-d.")
    n = len(v) + builtins.abs(k)
    made = zeros((n, n), v.dtype)
    at = arange(len(v))
    made[at + builtins.max(-k, 0), at + builtins.max(k, 0)] = v
    return made


def diagflat(v, k=0):
    return diag(asarray(v).ravel(), k)


def diagonal(a, offset=0, axis1=0, axis2=1):
    a = asarray(a)
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    first, second = axes_of(axis1, a.ndim)[0], axes_of(axis2, a.ndim)[0]
    if first == second:
        raise ValueError("axis1 and axis2 cannot be the same")
    made = moved(a, lambda t: t.diagonal(offset, first, second))
    made._writes = False
    return made


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    return np.sum(diagonal(a, offset, axis1, axis2), -1, dtype, out)


def tril(m, k=0):
    m = asarray(m)
    m = np.broadcast_to(m, m.shape * 2) if m.ndim == 1 else m
    if not m.ndim:
        raise TypeError("tri() missing 1 required positional argument: 'N'")
    return np.where(tri(*m.shape[-2:], k, bool), m, zeros(1, m.dtype))


def triu(m, k=0):
    m = asarray(m)
    m = np.broadcast_to(m, m.shape * 2) if m.ndim == 1 else m
    if not m.ndim:
        raise TypeError("tri() missing 1 required positional argument: 'N'")
    return np.where(tri(*m.shape[-2:], k - 1, bool), zeros(1, m.dtype), m)


def tri(N, M=None, k=0, dtype=float, *, like=None):
    return np.greater_equal(arange(N).reshape(-1, 1), arange(-k, (N if M is None else M) - k)).astype(dtype)


def tril_indices(n, k=0, m=None):
    return np.nonzero(tri(n, m, k, bool))


def triu_indices(n, k=0, m=None):
    return np.nonzero(~tri(n, m, k - 1, bool))


def _square(arr):
    arr = asarray(arr)
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    return arr.shape


def tril_indices_from(arr, k=0):
    rows, columns = _square(arr)
    return tril_indices(rows, k, columns)


def triu_indices_from(arr, k=0):
    rows, columns = _square(arr)
    return triu_indices(rows, k, columns)


def mask_indices(n, mask_func, k=0):
    return np.nonzero(mask_func(ones((n, n), int), k) != 0)


def diag_indices(n, ndim=2):
    return (arange(n),) * ndim


def diag_indices_from(arr):
    arr = asarray(arr)
    if not arr.ndim >= 2:
        raise ValueError("input array must be at least 2-d")
    if len(set(arr.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    return diag_indices(arr.shape[0], arr.ndim)


def vander(x, N=None, increasing=False):
    x = asarray(x)
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    N = len(x) if N is None else N
    d = np.promote_types(x.dtype, int)
    columns = [ones(len(x), d)]
    for _ in range(N - 1):
        columns.append(columns[-1] * x)
    columns = columns[:N] if increasing else columns[:N][::-1]
    return np.stack(columns, 1) if columns else zeros((len(x), 0), d)


def _window(function):
    def window(M):
        if M < 1:
            return zeros(0)
        n = arange(1 - M, M, 2)
        return ones(1) if M == 1 else function(n, M)
    window.__name__ = window.__qualname__ = function.__name__
    return window


@_window
def bartlett(n, M):
    return np.where(n <= 0, 1 + n / (M - 1), 1 - n / (M - 1))


@_window
def blackman(n, M):
    return 0.42 + 0.5 * np.cos(np.pi * n / (M - 1)) + 0.08 * np.cos(2.0 * np.pi * n / (M - 1))


@_window
def hamming(n, M):
    return 0.54 + 0.46 * np.cos(np.pi * n / (M - 1))


@_window
def hanning(n, M):
    return 0.5 + 0.5 * np.cos(np.pi * n / (M - 1))


def i0(x):
    """The modified Bessel function, by its series: every term is positive, so nothing cancels."""
    x = asarray(x)
    if x.dtype.kind == "c":
        raise TypeError("i0 not supported for complex values")
    x = asarray(np.abs(x.astype(_t.to_float(x.dtype) if x.dtype.kind == "f" else FLOAT64)))
    quarter, term = asarray(x * x / 4), ones(x.shape, x.dtype)
    total = term
    for k in range(1, 60 + 2 * int(np.max(x, initial=0, where=np.isfinite(x)))):
        term = term * quarter / (k * k)
        total = total + term
    return asarray(total)


def kaiser(M, beta):
    if M == 1:
        return ones(1)
    n, alpha = arange(0, M), (M - 1) / 2.0
    return i0(beta * np.sqrt(1 - ((n - alpha) / alpha) ** 2.0)) / i0(float(beta))


# ---- what is indexed to make arrays ----------------------------------------------------------------------------------


class _Grid:
    def __init__(self, sparse):
        self.sparse = sparse

    def __getitem__(self, key):
        parts = [_stretch(k) for k in (key if isinstance(key, tuple) else (key,))]
        if not isinstance(key, tuple):
            return parts[0]
        grids = meshgrid(*_same_dtype(parts), indexing="ij", sparse=self.sparse)
        return grids if self.sparse else np.stack(np.broadcast_arrays(*grids))


def _same_dtype(arrays):
    d = np.result_type(*[a.dtype for a in arrays])
    return [a.astype(d) for a in arrays]


def _stretch(key):
    """The numbers that a slice names; an imaginary step is their count."""
    start = 0 if key.start is None else key.start
    step = 1 if key.step is None else key.step
    if isinstance(step, complex):
        return linspace(start, key.stop, int(builtins.abs(step)))
    return arange(start, key.stop, step)


mgrid, ogrid = _Grid(False), _Grid(True)


class _Joined:
    def __init__(self, columns):
        self.columns = columns

    def __getitem__(self, key):
        parts = list(key) if isinstance(key, tuple) else [key]
        axis, least, place = (-1, 2, 0) if self.columns else (0, 1, -1)
        if isinstance(parts[0], str):
            words = parts.pop(0).split(",")
            if not words[0].strip().lstrip("-").isdigit():
                raise NotImplementedError("numpy.r_['r'] makes matrices")
            given = [int(word) for word in words]
            axis, least, place = (given + [1, -1][len(given) - 1:])[:3]
        out = []
        for part in parts:
            made = _stretch(part) if isinstance(part, slice) else asarray(part)
            missing = least - made.ndim
            if missing > 0:
                at = place if place >= 0 else missing
                before = at if place >= 0 else missing if place == -1 else builtins.max(0, missing + place + 1)
                shape = (1,) * before + made.shape + (1,) * (missing - before) if made.ndim and place < 0 else \
                    (made.shape + (1,) * missing if place == 0 else (1,) * missing + made.shape)
                made = made.reshape(shape)
            out.append(made)
        return np.concatenate(out, axis)


r_, c_ = _Joined(False), _Joined(True)


class _Key:
    def __init__(self, always):
        self.always = always

    def __getitem__(self, key):
        return (key,) if self.always and not isinstance(key, tuple) else key


s_, index_exp = _Key(False), _Key(True)


def ix_(*args):
    out = []
    for i, a in enumerate(args):
        a = asarray(a)
        if a.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if a.dtype is BOOL:
            a = np.flatnonzero(a)
        elif not a.size:
            a = a.astype(INT64)
        out.append(a.reshape((1,) * i + (-1,) + (1,) * (len(args) - i - 1)))
    return tuple(out)


__all__ = ["mgrid", "ogrid", "r_", "c_", "s_", "index_exp"] + [
    _name for _name, _value in list(globals().items()) if not _name.startswith("_") and getattr(
        _value, "__module__", None) == __name__ and _name not in ("mgrid", "ogrid", "r_", "c_", "s_", "index_exp")]

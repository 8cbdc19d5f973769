"""The functions of `numpy`, over the operators of `torch`."""

import builtins
import math
import operator

import _torch as _C

from numpy import _types as _t
from numpy._array import (
    AxisError, _answer, _at, _bits, _call, _compare, _divide, _extreme, _logical, _operators, _power, _quiet, _real,
    _real_pair, _rounding, _same, _shape, _subtract, _test, _whole, _add, _listed, _multiply, _wrap, array, asarray, axes_of, broadcast,
    cast, ndarray, pair, tensor_of, ufunc, _is_int, _Tensor,
)
from numpy._types import ALL, BOOL, FLOAT64, INT64, as_dtype, generic, number, promote

_NO_VALUE = object()


# ---- reductions ------------------------------------------------------------------------------------------------------


def _dims(t, axis):
    return list(range(t.dim())) if axis is None else axes_of(axis, t.dim())


def _spread(t, axis, keepdims):
    """The shape of a reduction's result over `axis`."""
    dims = _dims(t, axis)
    return tuple(1 if i in dims else n for i, n in enumerate(t.shape) if keepdims or i not in dims)


def _finish(t, out):
    if out is None:
        return _answer(t)
    out._assign(t)
    return out


def _total(d):
    """The dtype that sums and products of a dtype have."""
    return INT64 if d.kind in "biu" and d.itemsize < 8 else d


def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True):
    _plain("sum", where)
    if isinstance(a, _Tensor):
        # NumPy hands the call to the tensor, whose `sum` does not take what NumPy passes.
        raise TypeError("sum() got an unexpected keyword argument 'axis'")
    t = tensor_of(a)
    t = cast(t, as_dtype(dtype) if dtype is not None else _total(_t.OF_TORCH[t.dtype]))
    dims = _dims(t, axis)
    r = _quiet(_C.sum, t, dims, keepdims) if dims else t
    return _finish(_quiet(_C.add, r, initial) if initial else r, out)


def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=1, where=True):
    _plain("prod", where)
    t = tensor_of(a)
    t = cast(t, as_dtype(dtype) if dtype is not None else _total(_t.OF_TORCH[t.dtype]))
    shape = _spread(t, axis, keepdims)
    for dim in sorted(_dims(t, axis), reverse=True):
        t = _quiet(_C.prod, t, dim)
    t = t.reshape(shape)
    return _finish(_quiet(_C.mul, t, initial) if initial != 1 else t, out)


def _plain(name, where):
    if where is not True:
        raise NotImplementedError(f"numpy.{name}(where=)")


def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    _plain("mean", where)
    t = tensor_of(a)
    d = _t.OF_TORCH[t.dtype]
    d = as_dtype(dtype) if dtype is not None else d if d.kind == "f" else FLOAT64
    dims = _dims(t, axis)
    wide = cast(t, ALL["float32"] if d.name == "float16" else d)
    return _finish(cast(_quiet(_C.mean, wide, dims, keepdims) if dims else wide, d), out)


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None):
    _plain("var", where)
    ddof = ddof if correction is None else correction
    t = tensor_of(a)
    d = _t.OF_TORCH[t.dtype]
    d = as_dtype(dtype) if dtype is not None else d if d.kind == "f" else FLOAT64
    t = cast(t, d)
    dims = _dims(t, axis)
    count = math.prod(t.shape[i] for i in dims)
    center = _quiet(_C.mean, t, dims, True) if dims else t
    away = _quiet(_C.sub, t, center)
    squares = _quiet(_C.mul, away, away)
    total = _quiet(_C.sum, squares, dims, keepdims) if dims else squares
    return _finish(_quiet(_C.true_divide, total, count - ddof if count > ddof else 0), out)


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None):
    spread = var(a, axis, dtype, None, ddof, keepdims, where=where, correction=correction)
    return _finish(_quiet(_C.sqrt, tensor_of(spread)), out)


def _make_extreme(name, function):
    def reduce(a, axis=None, out=None, keepdims=False, initial=_NO_VALUE, where=True):
        _plain(name, where)
        t = tensor_of(a)
        dims = _dims(t, axis)
        if builtins.any(t.shape[i] == 0 for i in dims):
            if initial is _NO_VALUE:
                raise ValueError(f"zero-size array to reduction operation {name}imum which has no identity")
            return _answer(_quiet(_C.full, _spread(t, axis, keepdims), initial, dtype=t.dtype, device="cpu"))
        boolean = t.dtype == _C.bool
        r = cast(t, ALL["uint8"]) if boolean else t
        r = _quiet(function, r, dims, keepdims) if dims else r
        r = cast(r, BOOL) if boolean else r
        if initial is not _NO_VALUE:
            r = (maximum if name == "max" else minimum)._compute(_wrap(r), initial)
        return _finish(r, out)
    reduce.__name__ = reduce.__qualname__ = name
    return reduce


max = amax = _make_extreme("max", _C.amax)
min = amin = _make_extreme("min", _C.amin)


def ptp(a, axis=None, out=None, keepdims=False):
    return subtract(max(a, axis, keepdims=keepdims), min(a, axis, keepdims=keepdims))


def _make_argument(name, function):
    def reduce(a, axis=None, out=None, *, keepdims=False):
        t = tensor_of(a)
        if t.numel() == 0:
            raise ValueError(f"attempt to get {name} of an empty sequence")
        if t.dtype == _C.bool:
            t = cast(t, ALL["uint8"])
        if axis is None:
            r = _quiet(function, t.reshape(-1), 0)
            return _finish(r.reshape((1,) * t.dim()) if keepdims else r, out)
        return _finish(_quiet(function, t, axes_of(axis, t.dim())[0], keepdims), out)
    reduce.__name__ = reduce.__qualname__ = name
    return reduce


argmax = _make_argument("argmax", _C.argmax)
argmin = _make_argument("argmin", _C.argmin)


def _make_truth(name, function):
    def reduce(a, axis=None, out=None, keepdims=False, *, where=True):
        _plain(name, where)
        t = cast(tensor_of(a), BOOL)
        dims = _dims(t, axis)
        return _finish(_quiet(function, t, dims, keepdims) if dims else t, out)
    reduce.__name__ = reduce.__qualname__ = name
    return reduce


any = _make_truth("any", _C.any)
all = _make_truth("all", _C.all)


def count_nonzero(a, axis=None, *, keepdims=False):
    t = cast(cast(tensor_of(a), BOOL), INT64)
    return sum(_wrap(t), axis, keepdims=keepdims)


def _make_scan(name, function):
    def scan(a, axis=None, dtype=None, out=None):
        t = tensor_of(a)
        t = cast(t, as_dtype(dtype) if dtype is not None else _total(_t.OF_TORCH[t.dtype]))
        if axis is None:
            t, axis = t.reshape(-1), 0
        r = _quiet(function, t, axes_of(axis, t.dim())[0])
        if out is not None:
            out._assign(r)
            return out
        return _wrap(r)
    scan.__name__ = scan.__qualname__ = name
    return scan


cumsum = _make_scan("cumsum", _C.cumsum)
cumprod = _make_scan("cumprod", _C.cumprod)


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    return _finish(tensor_of(quantile(a, 0.5, axis, keepdims=keepdims)), out)


def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    return quantile(a, true_divide(q, 100), axis, out, overwrite_input, method, keepdims)


def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    if method != "linear":
        raise NotImplementedError(f"numpy.quantile(method='{method}')")
    t = tensor_of(a)
    t = cast(t, _t.to_float(_t.OF_TORCH[t.dtype]) if t.dtype.is_floating_point else FLOAT64)
    kept = _spread(t, axis, True)
    if axis is None:
        t, axis = t.reshape(-1), 0
    axis = axes_of(axis, t.dim())
    if len(axis) != 1:
        raise NotImplementedError("numpy.quantile over several axes")
    t = _quiet(_C.sort, t, axis[0]).values
    n = t.shape[axis[0]]
    scalar = not hasattr(q, "__len__") or getattr(q, "ndim", 1) == 0
    results = []
    for one in [float(q)] if scalar else [float(v) for v in asarray(q).tolist()]:
        if not 0 <= one <= 1:
            raise ValueError("Quantiles must be in the range [0, 1]")
        place = one * (n - 1)
        low = int(math.floor(place))
        share = place - low
        a0, a1 = t.select(axis[0], low), t.select(axis[0], builtins.min(low + 1, n - 1))
        gap = _quiet(_C.sub, a1, a0)
        r = (_quiet(_C.sub, a1, _quiet(_C.mul, gap, 1 - share)) if share >= 0.5
             else _quiet(_C.add, a0, _quiet(_C.mul, gap, share)))
        results.append(r.reshape(kept) if keepdims else r)
    return _finish(results[0] if scalar else _quiet(_C.stack, results), out)


def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    if weights is None:
        return mean(a, axis, keepdims=keepdims)
    a, weights = asarray(a), asarray(weights)
    if weights.shape != a.shape and weights.ndim == 1 and axis is not None:
        shape = [1] * a.ndim
        shape[axes_of(axis, a.ndim)[0]] = -1
        weights = weights.reshape(shape)
    total = sum(multiply(weights, ones_like(a, dtype=FLOAT64)), axis, keepdims=keepdims)
    found = divide(sum(multiply(a, weights), axis, keepdims=keepdims), total)
    return (found, total) if returned else found


# ---- universal functions ---------------------------------------------------------------------------------------------

add = ufunc("add", 2, _add, sum, cumsum, 0)
subtract = ufunc("subtract", 2, _subtract)
multiply = ufunc("multiply", 2, _multiply, prod, cumprod, 1)
divide = true_divide = ufunc("divide", 2, _divide)
floor_divide = ufunc("floor_divide", 2, _whole(_C.floor_divide))
remainder = mod = ufunc("remainder", 2, _whole(_C.remainder))
fmod = ufunc("fmod", 2, _whole(_C.fmod))
power = pow = ufunc("power", 2, _power)
maximum = ufunc("maximum", 2, _extreme(_C.maximum), max)
minimum = ufunc("minimum", 2, _extreme(_C.minimum), min)
fmax = ufunc("fmax", 2, _extreme(_C.fmax))
fmin = ufunc("fmin", 2, _extreme(_C.fmin))
equal = ufunc("equal", 2, _compare(_C.eq))
not_equal = ufunc("not_equal", 2, _compare(_C.ne))
less = ufunc("less", 2, _compare(_C.lt))
less_equal = ufunc("less_equal", 2, _compare(_C.le))
greater = ufunc("greater", 2, _compare(_C.gt))
greater_equal = ufunc("greater_equal", 2, _compare(_C.ge))
logical_and = ufunc("logical_and", 2, _logical(_C.logical_and), all)
logical_or = ufunc("logical_or", 2, _logical(_C.logical_or), any)
logical_xor = ufunc("logical_xor", 2, _logical(_C.logical_xor))
logical_not = ufunc("logical_not", 1, _test(_C.logical_not))
bitwise_and = ufunc("bitwise_and", 2, _bits("bitwise_and", _C.bitwise_and))
bitwise_or = ufunc("bitwise_or", 2, _bits("bitwise_or", _C.bitwise_or))
bitwise_xor = ufunc("bitwise_xor", 2, _bits("bitwise_xor", _C.bitwise_xor))
left_shift = ufunc("left_shift", 2, _bits("left_shift", _C.bitwise_left_shift))
right_shift = ufunc("right_shift", 2, _bits("right_shift", _C.bitwise_right_shift))
invert = bitwise_not = ufunc("invert", 1, _same(_C.bitwise_not))
arctan2 = ufunc("arctan2", 2, _real_pair(_C.arctan2))
hypot = ufunc("hypot", 2, _real_pair(_C.hypot))
negative = ufunc("negative", 1, _same(
    _C.negative, "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the logical_not "
    "function instead."))
positive = ufunc("positive", 1, _same(_C.clone))
absolute = abs = ufunc("absolute", 1, lambda x: _quiet(_C.clone if tensor_of(x).dtype in (_C.bool, _C.uint8) else _C.abs,
                                                       tensor_of(x)))
fabs = ufunc("fabs", 1, _real(_C.abs))
square = ufunc("square", 1, _same(_C.square))
sign = ufunc("sign", 1, _same(_C.sign))
floor = ufunc("floor", 1, _rounding(_C.floor))
ceil = ufunc("ceil", 1, _rounding(_C.ceil))
trunc = fix = ufunc("trunc", 1, _rounding(_C.trunc))
rint = ufunc("rint", 1, _real(_C.round))
isnan = ufunc("isnan", 1, _test(_C.isnan))
isinf = ufunc("isinf", 1, _test(_C.isinf))
isfinite = ufunc("isfinite", 1, _test(_C.isfinite))
signbit = ufunc("signbit", 1, lambda x: _quiet(_C.lt, _quiet(_C.where, _quiet(_C.eq, tensor_of(x), 0), _quiet(
    _C.reciprocal, cast(tensor_of(x), FLOAT64)), tensor_of(x)), 0))
reciprocal = ufunc("reciprocal", 1, _real(_C.reciprocal))
sqrt, exp, exp2, expm1, log, log2, log10, log1p, sin, cos, tan, sinh, cosh, tanh, arcsin, arccos, arctan, arcsinh, arccosh, \
    arctanh = (ufunc(name, 1, _real(getattr(_C, inner))) for name, inner in [
        ("sqrt", "sqrt"), ("exp", "exp"), ("exp2", "exp2"), ("expm1", "expm1"), ("log", "log"), ("log2", "log2"),
        ("log10", "log10"), ("log1p", "log1p"), ("sin", "sin"), ("cos", "cos"), ("tan", "tan"), ("sinh", "sinh"),
        ("cosh", "cosh"), ("tanh", "tanh"), ("arcsin", "asin"), ("arccos", "acos"), ("arctan", "atan"),
        ("arcsinh", "asinh"), ("arccosh", "acosh"), ("arctanh", "atanh")])
asin, acos, atan, asinh, acosh, atanh, atan2 = arcsin, arccos, arctan, arcsinh, arccosh, arctanh, arctan2
deg2rad = radians = ufunc("deg2rad", 1, lambda x: _quiet(_C.mul, _real(_C.clone)(x), math.pi / 180))
rad2deg = degrees = ufunc("rad2deg", 1, lambda x: _quiet(_C.mul, _real(_C.clone)(x), 180 / math.pi))


def _logaddexp(x, y):
    a, b, d = pair(x, y)
    d = _t.to_float(d)
    a, b = (cast(tensor_of(v) if not isinstance(v, _Tensor) else v, d) for v in (a, b))
    return _quiet(_C.logsumexp, _quiet(_C.stack, list(_quiet(_C.broadcast_tensors, a, b))), 0)


logaddexp = ufunc("logaddexp", 2, _logaddexp)


def _matmul(x, y):
    a, b, d = pair_matrices("matmul", x, y)
    if a.dim() == 0 or b.dim() == 0:
        which = 0 if a.dim() == 0 else 1
        raise ValueError(f"matmul: Input operand {which} does not have enough dimensions (has 0, gufunc core with signature "
                         "(n?,k),(k,m?)->(n?,m?) requires 1)")
    left, right = a.shape[-1], b.shape[0 if b.dim() == 1 else -2]
    if left != right:
        raise ValueError(f"matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
                         f"(n?,k),(k,m?)->(n?,m?) (size {right} is different from {left})")
    return _product(a, b, d)


def pair_matrices(name, x, y):
    a, b = tensor_of(x), tensor_of(y)
    return a, b, promote(_t.OF_TORCH[a.dtype], _t.OF_TORCH[b.dtype])


def _product(a, b, d):
    if d is BOOL:
        return cast(_quiet(_C.matmul, cast(a, INT64), cast(b, INT64)), BOOL)
    return _quiet(_C.matmul, cast(a, d), cast(b, d))


matmul = ufunc("matmul", 2, _matmul)

_operators([
    ("add", "+", add), ("sub", "-", subtract), ("mul", "*", multiply), ("truediv", "/", divide),
    ("floordiv", "//", floor_divide), ("mod", "%", remainder), ("pow", "** or pow()", power), ("and", "&", bitwise_and),
    ("or", "|", bitwise_or), ("xor", "^", bitwise_xor), ("lshift", "<<", left_shift), ("rshift", ">>", right_shift),
    ("matmul", "@", matmul), ("eq", None, equal), ("ne", None, not_equal), ("lt", None, less), ("le", None, less_equal),
    ("gt", None, greater), ("ge", None, greater_equal),
])


def _unary_operators():
    for cls in (ndarray, generic, _t.float64):
        cls.__neg__ = lambda self: negative(self)
        cls.__pos__ = lambda self: positive(self)
        cls.__abs__ = lambda self: absolute(self)
        cls.__invert__ = lambda self: invert(self)
        cls.__divmod__ = lambda self, other: (floor_divide(self, other), remainder(self, other))
        cls.__rdivmod__ = lambda self, other: (floor_divide(other, self), remainder(other, self))


_unary_operators()


# ---- making arrays ---------------------------------------------------------------------------------------------------


def _filled(shape, value, d):
    shape = _shape(shape)
    if builtins.any(n < 0 for n in shape):
        raise ValueError("negative dimensions are not allowed")
    return _wrap(_quiet(_C.full, shape, value, dtype=d._torch, device="cpu"))


def zeros(shape, dtype=float, order="C", **options):
    return _filled(shape, 0, as_dtype(dtype))


def ones(shape, dtype=None, order="C", **options):
    return _filled(shape, 1, as_dtype(dtype))


def empty(shape, dtype=float, order="C", **options):
    return _wrap(_quiet(_C.empty, _shape(shape), dtype=as_dtype(dtype)._torch, device="cpu"))


def full(shape, fill_value, dtype=None, order="C", **options):
    fill = asarray(fill_value)
    d = fill.dtype if dtype is None else as_dtype(dtype)
    if fill.ndim == 0:
        return _filled(shape, fill.item(), d)
    return broadcast_to(fill.astype(d), _shape(shape)).copy()


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


def eye(N, M=None, k=0, dtype=float, order="C"):
    M = N if M is None else M
    return equal(arange(N).reshape(-1, 1) + k, arange(M)).astype(dtype)


def identity(n, dtype=None):
    return eye(n, dtype=float if dtype is None else dtype)


def arange(*args, dtype=None, start=None, stop=None, step=None, device=None):
    given = list(args)
    if start is not None:
        given.insert(0, start)
    if stop is not None:
        given.append(stop)
    if step is not None:
        given = [0, *given, step] if len(given) == 1 else [*given[:2], step]
    if len(given) == 4:
        *given, dtype = given
    start, stop, step = (0, given[0], 1) if len(given) == 1 else (*given, 1)[:3]
    values = [v.item() if isinstance(v, (generic, ndarray)) else v for v in (start, stop, step)]
    start, stop, step = values
    if step == 0:
        raise ZeroDivisionError("division by zero")
    real = builtins.any(isinstance(v, float) for v in values)
    d = as_dtype(dtype) if dtype is not None else FLOAT64 if real else INT64
    count = builtins.max(0, math.ceil((stop - start) / step))
    if not real:
        out = _quiet(_C.arange, count, dtype=_C.int64, device="cpu")
        return _wrap(cast(_quiet(_C.add, _quiet(_C.mul, out, step), start), d))
    # As NumPy fills: each element from the first and the difference to the second.
    delta = (start + step) - start
    out = _quiet(_C.arange, count, dtype=_C.float64, device="cpu")
    return _wrap(cast(_quiet(_C.add, _quiet(_C.mul, out, delta), start), d))


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    start, stop = asarray(start), asarray(stop)
    num = operator.index(num)
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    pieces = num - 1 if endpoint else num
    d = promote(promote(start.dtype, stop.dtype), FLOAT64)
    start, stop = start.astype(d), stop.astype(d)
    delta = stop - start
    places = arange(num, dtype=d).reshape((-1,) + (1,) * asarray(delta).ndim)
    step = divide(delta, pieces) if pieces > 0 else number(FLOAT64, math.nan)
    y = places * step + start if pieces > 0 else places * delta + start
    if endpoint and num > 1:
        y[-1] = stop
    if dtype is not None:
        wanted = as_dtype(dtype)
        y = (floor(y) if wanted.kind in "iu" else y).astype(wanted)
    if axis:
        y = moveaxis(y, 0, axis)
    return (y, step) if retstep else y


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    y = power(base, linspace(start, stop, num, endpoint, axis=axis))
    return y if dtype is None else y.astype(dtype)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    y = logspace(log10(start), log10(stop), num, endpoint)
    if num:
        y[0] = start
        if endpoint and num > 1:
            y[-1] = stop
    return y if dtype is None else y.astype(dtype)


def asanyarray(a, dtype=None, order=None):
    return asarray(a, dtype)


def ascontiguousarray(a, dtype=None):
    a = asarray(a, dtype)
    if a.ndim == 0:
        return a.reshape(1)
    return a if a._t.is_contiguous() else _wrap(_quiet(a._t.contiguous))


def copy(a, order="K", subok=False):
    return array(a, order=order)


def frombuffer(buffer, dtype=float, count=-1, offset=0):
    import struct
    d = as_dtype(dtype)
    data = bytes(buffer)[offset:]
    n = len(data) // d.itemsize if count < 0 else count
    return array(list(struct.unpack_from(f"<{n}{d.char.replace('l', 'q')}", data)), dtype=d)


def fromiter(iter, dtype, count=-1):
    return array(list(iter), dtype=dtype)


def fromfunction(function, shape, *, dtype=float, **kwargs):
    return function(*indices(shape, dtype), **kwargs)


def indices(dimensions, dtype=int):
    n = len(dimensions)
    grids = [arange(size, dtype=dtype).reshape((-1,) + (1,) * (n - i - 1)) for i, size in enumerate(dimensions)]
    return stack([broadcast_to(g, tuple(dimensions)) for g in grids])


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
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
    whole = broadcast(*[x.shape for x in out])
    return tuple(broadcast_to(x, whole).copy() for x in out)


def diag(v, k=0):
    v = asarray(v)
    if v.ndim not in (1, 2):
        raise ValueError("Input must be 1- or 2-d.")
    return _call(_C.diag, v._t, k)


def diagonal(a, offset=0, axis1=0, axis2=1):
    return _wrap(asarray(a)._t.diagonal(offset, axis1, axis2))


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    return sum(diagonal(a, offset, axis1, axis2), -1, dtype, out)


def tril(m, k=0):
    return _call(_C.tril, tensor_of(m), k)


def triu(m, k=0):
    return _call(_C.triu, tensor_of(m), k)


def tri(N, M=None, k=0, dtype=float):
    return tril(ones((N, N if M is None else M), dtype), k)


def vander(x, N=None, increasing=False):
    x = asarray(x)
    N = len(x) if N is None else N
    powers = arange(N) if increasing else arange(N)[::-1].copy()
    return power(x.reshape(-1, 1), powers)


# ---- shape -----------------------------------------------------------------------------------------------------------


def reshape(a, shape=None, order="C", *, newshape=None, copy=None):
    return asarray(a).reshape(newshape if shape is None else shape, order=order)


def ravel(a, order="C"):
    return asarray(a).ravel(order)


def transpose(a, axes=None):
    a = asarray(a)
    return a.transpose() if axes is None else a.transpose(axes)


permute_dims = transpose


def matrix_transpose(x):
    return asarray(x).mT


def swapaxes(a, axis1, axis2):
    return asarray(a).swapaxes(axis1, axis2)


def moveaxis(a, source, destination):
    return _wrap(asarray(a)._t.movedim(source, destination))


def rollaxis(a, axis, start=0):
    n = asarray(a).ndim
    axis %= n
    start = start + n if start < 0 else start
    return moveaxis(a, axis, start - 1 if axis < start else start)


def squeeze(a, axis=None):
    return asarray(a).squeeze(axis)


def expand_dims(a, axis):
    a = asarray(a)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    t = a._t
    for one in sorted(axes_of(axes, a.ndim + len(axes))):
        t = t.unsqueeze(one)
    return _wrap(t)


def atleast_1d(*arrays):
    out = [a if a.ndim else a.reshape(1) for a in map(asarray, arrays)]
    return out[0] if len(out) == 1 else tuple(out)


def atleast_2d(*arrays):
    out = [a if a.ndim > 1 else a.reshape(1, -1) for a in map(asarray, arrays)]
    return out[0] if len(out) == 1 else tuple(out)


def broadcast_to(array, shape, subok=False):
    array, shape = asarray(array), _shape(shape)
    try:
        return _wrap(_quiet(_C.broadcast_to, array._t, shape))
    except RuntimeError:
        raise ValueError("operands could not be broadcast together with remapped shapes [original->remapped]: "
                         f"{_listed(array.shape)}  and requested shape {_listed(shape)}") from None


def broadcast_arrays(*args, subok=False):
    args = [asarray(a) for a in args]
    whole = broadcast(*[a.shape for a in args])
    return tuple(broadcast_to(a, whole) for a in args)


def broadcast_shapes(*shapes):
    return broadcast(*[_shape(s) for s in shapes])


def _together(arrays):
    """Tensors of one dtype."""
    arrays = [asarray(a) for a in arrays]
    if not arrays:
        raise ValueError("need at least one array to concatenate")
    d = arrays[0].dtype
    for a in arrays[1:]:
        d = promote(d, a.dtype)
    return [cast(a._t, d) for a in arrays]


def concatenate(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    tensors = _together(arrays)
    if axis is None:
        tensors, axis = [t.reshape(-1) for t in tensors], 0
    first = tensors[0]
    if first.dim() == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    axis = axes_of(axis, first.dim())[0]
    for i, t in enumerate(tensors):
        if t.dim() != first.dim():
            raise ValueError("all the input array dimensions except for the concatenation axis must match exactly, but along "
                             f"dimension {axis}, the array at index 0 has {first.dim()} dimension(s) and the array at index "
                             f"{i} has {t.dim()} dimension(s)".replace(
                                 f"all the input array dimensions except for the concatenation axis must match exactly, but "
                                 f"along dimension {axis}, the array", "all the input arrays must have same number of "
                                 "dimensions, but the array"))
        for k, (m, n) in enumerate(zip(first.shape, t.shape)):
            if m != n and k != axis:
                raise ValueError("all the input array dimensions except for the concatenation axis must match exactly, but "
                                 f"along dimension {k}, the array at index 0 has size {m} and the array at index {i} has size "
                                 f"{n}")
    r = _quiet(_C.cat, tensors, axis)
    return _wrap(r if dtype is None else cast(r, as_dtype(dtype)))


concat = concatenate


def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    tensors = _together(arrays)
    if builtins.any(t.shape != tensors[0].shape for t in tensors):
        raise ValueError("all input arrays must have the same shape")
    r = _quiet(_C.stack, tensors, axes_of(axis, tensors[0].dim() + 1)[0])
    return _wrap(r if dtype is None else cast(r, as_dtype(dtype)))


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


def delete(arr, obj, axis=None):
    arr = asarray(arr)
    if axis is None:
        arr, axis = arr.ravel(), 0
    axis = axes_of(axis, arr.ndim)[0]
    n = arr.shape[axis]
    gone = range(*obj.indices(n)) if isinstance(obj, slice) else [operator.index(i) for i in atleast_1d(obj).tolist()]
    gone = {i % n for i in gone}
    return take(arr, [i for i in range(n) if i not in gone], axis)


def insert(arr, obj, values, axis=None):
    arr = asarray(arr)
    if axis is None:
        arr, axis = arr.ravel(), 0
    if not _is_int(obj) or arr.ndim != 1:
        raise NotImplementedError("numpy.insert at several places or into several dimensions")
    at = operator.index(obj)
    at = at + len(arr) if at < 0 else at
    return concatenate([arr[:at], atleast_1d(asarray(values).astype(arr.dtype)), arr[at:]])


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
        ends = [0, *[operator.index(i) for i in asarray(indices_or_sections).tolist()], n]
    key = (slice(None),) * axis
    return [ary[key + (slice(a, b),)] for a, b in zip(ends, ends[1:])]


def split(ary, indices_or_sections, axis=0):
    ary = asarray(ary)
    if _is_int(indices_or_sections) and ary.shape[axis] % indices_or_sections:
        raise ValueError("array split does not result in an equal division")
    return array_split(ary, indices_or_sections, axis)


def hsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 0 if asarray(ary).ndim == 1 else 1)


def vsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 0)


def tile(A, reps):
    return _wrap(_quiet(_C.tile, tensor_of(A), _shape(reps)))


def repeat(a, repeats, axis=None):
    a = asarray(a)
    if axis is None:
        a, axis = a.ravel(), 0
    axis = axes_of(axis, a.ndim)[0]
    counts = asarray(repeats)
    if counts.ndim == 0 or counts.size == 1:
        return _wrap(_quiet(_C.repeat_interleave, a._t, int(counts.item()), axis))
    order = [i for i, count in enumerate(counts.tolist()) for _ in range(count)]
    return take(a, order, axis)


def flip(m, axis=None):
    m = asarray(m)
    axes = range(m.ndim) if axis is None else axes_of(axis, m.ndim)
    key = [slice(None)] * m.ndim
    for a in axes:
        key[a] = slice(None, None, -1)
    return m[tuple(key)]


def fliplr(m):
    return flip(m, 1)


def flipud(m):
    return flip(m, 0)


def rot90(m, k=1, axes=(0, 1)):
    m, (a, b) = asarray(m), axes
    for _ in range(k % 4):
        m = flip(m.swapaxes(a, b), a)
    return m


def roll(a, shift, axis=None):
    a = asarray(a)
    if axis is None:
        return _wrap(_quiet(_C.roll, a._t.reshape(-1), shift, 0)).reshape(a.shape)
    return _wrap(_quiet(_C.roll, a._t, shift, tuple(axes_of(axis, a.ndim)) if isinstance(axis, tuple) else axis))


def pad(array, pad_width, mode="constant", constant_values=0, **options):
    array = asarray(array)
    if mode != "constant" or options or not isinstance(constant_values, (int, float)):
        raise NotImplementedError(f"numpy.pad(mode='{mode}')")
    widths = asarray(pad_width)
    widths = broadcast_to(widths, (array.ndim, 2)).tolist()
    out = full([n + a + b for n, (a, b) in zip(array.shape, widths)], constant_values, array.dtype)
    out[tuple(slice(a, a + n) for n, (a, b) in zip(array.shape, widths))] = array
    return out


def shape(a):
    return asarray(a).shape


def ndim(a):
    return asarray(a).ndim


def size(a, axis=None):
    a = asarray(a)
    return a.size if axis is None else a.shape[axis]


# ---- choosing --------------------------------------------------------------------------------------------------------


def where(condition, x=_NO_VALUE, y=_NO_VALUE):
    if x is _NO_VALUE and y is _NO_VALUE:
        return nonzero(condition)
    if x is _NO_VALUE or y is _NO_VALUE:
        raise ValueError("either both or neither of x and y should be given")
    a, b, d = pair(x, y)
    a, b = (v if isinstance(v, _Tensor) else _quiet(_C.full, (), v, dtype=d._torch, device="cpu") for v in (a, b))
    c = cast(tensor_of(condition), BOOL)
    broadcast(c.shape, a.shape, b.shape)
    r = _quiet(_C.where, c, cast(a, d), cast(b, d))
    return _wrap(r)


def nonzero(a):
    found = _quiet(_C.nonzero, tensor_of(a))
    return tuple(_wrap(_quiet(t.clone)) for t in _quiet(found.unbind, 1))


def flatnonzero(a):
    return nonzero(asarray(a).ravel())[0]


def argwhere(a):
    return _wrap(_quiet(_C.nonzero, tensor_of(a)))


def take(a, indices, axis=None, out=None, mode="raise"):
    a = asarray(a)
    index = asarray(indices)
    if index.size == 0:
        index = index.astype(INT64)
    if axis is None:
        return a.ravel()[index if index.ndim else index.item()]
    key = (slice(None),) * axes_of(axis, a.ndim)[0]
    return a[key + (index if index.ndim else index.item(),)]


def take_along_axis(arr, indices, axis=-1):
    return _wrap(_quiet(_C.gather, tensor_of(arr), axes_of(axis, asarray(arr).ndim)[0], tensor_of(indices, INT64)))


def choose(a, choices, out=None, mode="raise"):
    return take_along_axis(stack(broadcast_arrays(*choices)), asarray(a).reshape((1,) + asarray(a).shape), 0)[0]


def compress(condition, a, axis=None):
    return take(a, flatnonzero(condition), axis)


def extract(condition, arr):
    return asarray(arr).ravel()[asarray(condition).ravel().astype(BOOL)]


def select(condlist, choicelist, default=0):
    out = default
    for c, x in list(zip(condlist, choicelist))[::-1]:
        out = where(c, x, out)
    return out


def clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None, **options):
    low, high = a_min if min is None else min, a_max if max is None else max
    r = a
    if low is not None:
        r = maximum(r, low)
    if high is not None:
        r = minimum(r, high)
    if out is not None:
        out._assign(tensor_of(r))
        return out
    return r if r is not a else array(a)


def round(a, decimals=0, out=None):
    t = tensor_of(a)
    if not t.dtype.is_floating_point:
        if decimals < 0:
            unit = 10 ** -decimals
            r = cast(_quiet(_C.mul, _quiet(_C.round, _quiet(_C.true_divide, cast(t, FLOAT64), unit)), unit), _t.OF_TORCH[t.dtype])
        else:
            r = t
    elif decimals == 0:
        r = _quiet(_C.round, t)
    else:
        unit = 10.0 ** builtins.abs(decimals)
        scaled = _quiet(_C.mul if decimals > 0 else _C.true_divide, t, unit)
        r = _quiet(_C.true_divide if decimals > 0 else _C.mul, _quiet(_C.round, scaled), unit)
    return _finish(r, out)


around = round


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    return _call(_C.nan_to_num, tensor_of(x), nan, posinf, neginf)


def nansum(a, axis=None, **options):
    return sum(_without_nan(a), axis, **options)


def _without_nan(a):
    a = asarray(a)
    return where(isnan(a), number(a.dtype, 0), a) if a.dtype.kind == "f" else a


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False):
    return divide(nansum(a, axis, keepdims=keepdims), sum(~asarray(isnan(a)), axis, keepdims=keepdims))


def nanmax(a, axis=None, out=None, keepdims=False):
    a = asarray(a)
    return max(where(isnan(a), number(a.dtype, -math.inf), a) if a.dtype.kind == "f" else a, axis, keepdims=keepdims)


def nanmin(a, axis=None, out=None, keepdims=False):
    a = asarray(a)
    return min(where(isnan(a), number(a.dtype, math.inf), a) if a.dtype.kind == "f" else a, axis, keepdims=keepdims)


# ---- order -----------------------------------------------------------------------------------------------------------


def sort(a, axis=-1, kind=None, order=None, *, stable=None):
    t = tensor_of(a)
    if axis is None:
        t, axis = t.reshape(-1), 0
    return _wrap(_quiet(_C.sort, t, axes_of(axis, t.dim())[0]).values)


def argsort(a, axis=-1, kind=None, order=None, *, stable=None):
    t = tensor_of(a)
    if axis is None:
        t, axis = t.reshape(-1), 0
    return _wrap(_quiet(_C.sort, t, dim=axes_of(axis, t.dim())[0], stable=True).indices)


def _sort_in_place(self, axis=-1, kind=None, order=None, *, stable=None):
    self._writable()
    self._assign(_quiet(_C.sort, self._t, axes_of(axis, self.ndim)[0]).values)


def searchsorted(a, v, side="left", sorter=None):
    a = asarray(a)
    a = a if sorter is None else a[sorter]
    values = asarray(v)
    d = promote(a.dtype, values.dtype)
    found = _quiet(_C.searchsorted, cast(a._t, d), cast(values._t.reshape(-1), d), right=side == "right")
    return _answer(found.reshape(values.shape))


def digitize(x, bins, right=False):
    bins = asarray(bins)
    if bins.size > 1 and bins[0] > bins[-1]:
        return subtract(bins.size, searchsorted(bins[::-1].copy(), x, "right" if right else "left"))
    return searchsorted(bins, x, "left" if right else "right")


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True):
    ar = asarray(ar)
    if getattr(ar, "_is_text", False):
        if return_index or axis is not None:
            raise NotImplementedError("numpy.unique(return_index=, axis=) of an array of str")
        from numpy import _strings
        return _strings.unique(ar, return_inverse, return_counts)
    if axis is not None:
        raise NotImplementedError("numpy.unique(axis=)")
    ar = asarray(ar)
    flat = ar.ravel()
    order = argsort(flat)
    ranked = flat[order]
    first = ones(len(ranked), BOOL)
    if len(ranked):
        first[1:] = ranked[1:] != ranked[:-1]
    starts = flatnonzero(first)
    out = [ranked[starts]]
    if return_index:
        out.append(order[starts])
    if return_inverse:
        inverse = empty(len(ranked), INT64)
        inverse[order] = cumsum(first) - 1
        out.append(inverse.reshape(ar.shape))
    if return_counts:
        out.append(diff(append(starts, len(ranked))))
    return out[0] if len(out) == 1 else tuple(out)


def isin(element, test_elements, assume_unique=False, invert=False):
    element, tests = asarray(element), asarray(test_elements).ravel()
    found = any(equal(element.reshape(element.shape + (1,)), tests), -1)
    return logical_not(found) if invert else found


in1d = isin


def intersect1d(ar1, ar2):
    ar1 = unique(ar1)
    return ar1[isin(ar1, ar2)]


def union1d(ar1, ar2):
    return unique(concatenate([ar1, ar2], None))


def setdiff1d(ar1, ar2):
    ar1 = unique(ar1)
    return ar1[isin(ar1, ar2, invert=True)]


def bincount(x, weights=None, minlength=0):
    x = asarray(x)
    if x.dtype.kind not in "iub":
        raise TypeError(f"Cannot cast array data from dtype('{x.dtype}') to dtype('int64') according to the rule 'safe'")
    if x.size and min(x) < 0:
        raise ValueError("'list' argument must have no negative elements")
    if weights is None:
        return _wrap(_quiet(_C.bincount, cast(x._t, INT64), None, minlength))
    out = zeros(builtins.max(minlength, int(max(x)) + 1 if x.size else 0))
    _quiet(out._t.index_add_, 0, cast(x._t, INT64), tensor_of(weights, FLOAT64))
    return out


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    a = asarray(a)
    if not _is_int(bins):
        if isinstance(bins, str):
            raise NotImplementedError(f"numpy.histogram(bins='{bins}')")
        return asarray(bins)
    low, high = (float(v) for v in range) if range is not None else (float(min(a)), float(max(a))) if a.size else (0.0, 1.0)
    if low == high:
        low, high = low - 0.5, high + 0.5
    return linspace(low, high, operator.index(bins) + 1)


def histogram(a, bins=10, range=None, density=None, weights=None):
    a = asarray(a).ravel()
    edges = histogram_bin_edges(a, bins, range)
    inside = logical_and(a >= edges[0], a <= edges[-1])
    place = clip(searchsorted(edges, a[inside], "right") - 1, 0, len(edges) - 2)
    counts = bincount(place, None if weights is None else asarray(weights).ravel()[inside], len(edges) - 1)
    if density:
        return counts / diff(edges) / sum(counts), edges
    return counts, edges


# ---- products and differences ----------------------------------------------------------------------------------------


def dot(a, b, out=None):
    x, y, d = pair_matrices("dot", a, b)
    if x.dim() == 0 or y.dim() == 0:
        return multiply(a, b)
    left, right = x.shape[-1], y.shape[0 if y.dim() == 1 else -2]
    if left != right:
        places = f"(dim {x.dim() - 1}) != {right} (dim {0 if y.dim() == 1 else y.dim() - 2})"
        raise ValueError(f"shapes {_listed(x.shape)} and {_listed(y.shape)} not aligned: {left} {places}")
    if y.dim() <= 2:
        return _finish(_product(x, y, d), out)
    return tensordot(a, b, axes=([-1], [y.dim() - 2]))


def inner(a, b):
    x, y, d = pair_matrices("inner", a, b)
    if x.dim() == 0 or y.dim() == 0:
        return multiply(a, b)
    return tensordot(a, b, axes=([-1], [-1]))


def outer(a, b, out=None):
    return multiply(asarray(a).reshape(-1, 1), asarray(b).reshape(1, -1), out=out)


def vdot(a, b):
    return dot(asarray(a).ravel(), asarray(b).ravel())


def tensordot(a, b, axes=2):
    x, y, d = pair_matrices("tensordot", a, b)
    if not _is_int(axes):
        axes = [[v] if _is_int(v) else list(v) for v in axes]
        axes = (axes_of(axes[0], x.dim()), axes_of(axes[1], y.dim()))
    return _call(_C.tensordot, cast(x, d), cast(y, d), axes)


def einsum(subscripts, *operands, optimize=False):
    if not isinstance(subscripts, str):
        raise NotImplementedError("numpy.einsum with lists of axes")
    return _call(_C.einsum, subscripts, *_together(operands))


def kron(a, b):
    a, b = asarray(a), asarray(b)
    return einsum("ij,kl->ikjl", atleast_2d(a), atleast_2d(b)).reshape(
        [m * n for m, n in zip(atleast_2d(a).shape, atleast_2d(b).shape)])


def cross(a, b):
    a, b = asarray(a), asarray(b)
    x, y = roll(a, -1, -1), roll(b, -1, -1)
    return roll(a * y - x * b, -1, -1)


def diff(a, n=1, axis=-1):
    a = asarray(a)
    axis = axes_of(axis, a.ndim)[0]
    key = (slice(None),) * axis
    for _ in range(n):
        late, early = a[key + (slice(1, None),)], a[key + (slice(None, -1),)]
        a = not_equal(late, early) if a.dtype is BOOL else subtract(late, early)
    return a


def gradient(f, *varargs, axis=None, edge_order=1):
    f = asarray(f)
    if f.ndim != 1 or edge_order != 1 or len(varargs) > 1 or varargs and asarray(varargs[0]).ndim:
        raise NotImplementedError("numpy.gradient of several dimensions or uneven steps")
    h = varargs[0] if varargs else 1.0
    f = f.astype(_t.to_float(f.dtype) if f.dtype.kind == "f" else FLOAT64)
    return concatenate([(f[1:2] - f[:1]) / h, (f[2:] - f[:-2]) / (2.0 * h), (f[-1:] - f[-2:-1]) / h])


def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = asarray(y)
    d = diff(asarray(x)) if x is not None else dx
    key = (Ellipsis,)
    return sum(d * (y[key + (slice(1, None),)] + y[key + (slice(None, -1),)]) / 2.0, axis)


def convolve(a, v, mode="full"):
    a, v = asarray(a), asarray(v)
    if len(v) > len(a):
        a, v = v, a
    n, m = len(a), len(v)
    out = zeros(n + m - 1, promote(a.dtype, v.dtype))
    for i in range(m):
        out[i:i + n] += a * v[i]
    if mode == "full":
        return out
    start, length = ((m - 1) // 2, n) if mode == "same" else (m - 1, n - m + 1)
    return out[start:start + length]


def interp(x, xp, fp, left=None, right=None, period=None):
    if period is not None:
        raise NotImplementedError("numpy.interp(period=)")
    x, xp, fp = (asarray(v).astype(FLOAT64) for v in (x, xp, fp))
    at = clip(searchsorted(xp, x, "right") - 1, 0, len(xp) - 2)
    slope = (fp[at + 1] - fp[at]) / (xp[at + 1] - xp[at])
    y = slope * (x - xp[at]) + fp[at]
    y = where(x < xp[0], fp[0] if left is None else left, y)
    y = where(x >= xp[-1], where(x > xp[-1], fp[-1] if right is None else right, fp[-1]), y)
    return y if y.ndim else y[()]


def cov(m, y=None, rowvar=True, bias=False, ddof=None):
    m = atleast_2d(asarray(m).astype(FLOAT64))
    if y is not None:
        m = concatenate([m, atleast_2d(asarray(y).astype(FLOAT64))])
    if not rowvar and m.shape[0] != 1:
        m = m.T
    away = m - mean(m, 1, keepdims=True)
    count = m.shape[1] - ((0 if bias else 1) if ddof is None else ddof)
    return squeeze(away @ away.T / count)[()]


def corrcoef(x, y=None, rowvar=True):
    c = atleast_2d(cov(x, y, rowvar))
    spread = sqrt(diagonal(c))
    return squeeze(c / spread.reshape(-1, 1) / spread)[()]


def polyfit(x, y, deg):
    from numpy import linalg
    return linalg.lstsq(vander(asarray(x).astype(FLOAT64), deg + 1), y)[0]


def polyval(p, x):
    y = zeros_like(asarray(x), FLOAT64)
    for c in asarray(p).tolist():
        y = y * x + c
    return y


# ---- comparing -------------------------------------------------------------------------------------------------------


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    x, y = asarray(a).astype(FLOAT64), asarray(b).astype(FLOAT64)
    near = less_equal(absolute(x - y), atol + rtol * absolute(y))
    near = where(isfinite(x) & isfinite(y), near, equal(x, y))
    if equal_nan:
        near = near | (isnan(x) & isnan(y))
    near = asarray(near)
    return near if near.ndim else near[()]


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return builtins.bool(all(isclose(a, b, rtol, atol, equal_nan)))


def array_equal(a1, a2, equal_nan=False):
    a1, a2 = asarray(a1), asarray(a2)
    if a1.shape != a2.shape:
        return False
    same = equal(a1, a2)
    if equal_nan and a1.dtype.kind == a2.dtype.kind == "f":
        same = same | (isnan(a1) & isnan(a2))
    return builtins.bool(all(same))


def array_equiv(a1, a2):
    try:
        return builtins.bool(all(equal(a1, a2)))
    except ValueError:
        return False


def shares_memory(a, b, max_work=None):
    return _C._shares_memory(asarray(a)._t, asarray(b)._t)


may_share_memory = shares_memory


def isscalar(element):
    return isinstance(element, (generic, int, float, complex, str, bytes))


def iterable(y):
    try:
        iter(y)
    except TypeError:
        return False
    return True


def result_type(*arrays_and_dtypes):
    found = None
    for x in arrays_and_dtypes:
        try:
            d = as_dtype(x) if not isinstance(x, (int, float)) or isinstance(x, builtins.bool) else asarray(x).dtype
        except TypeError:
            d = asarray(x).dtype
        found = d if found is None else promote(found, d)
    return found


def promote_types(type1, type2):
    return promote(as_dtype(type1), as_dtype(type2))


def can_cast(from_, to, casting="safe"):
    a, b = as_dtype(from_), as_dtype(to)
    if casting == "unsafe":
        return True
    if casting == "same_kind":
        return "biuf".index(a.kind) <= "biuf".index(b.kind)
    return promote(a, b) is b


def issubdtype(arg1, arg2):
    def kind(x):
        return x if isinstance(x, type) and issubclass(x, generic) else as_dtype(x).type
    return issubclass(kind(arg1), kind(arg2))


def ndenumerate(arr):
    arr = asarray(arr)
    return zip(ndindex(arr.shape), arr.flat)


def ndindex(*shape):
    import itertools
    shape = shape[0] if len(shape) == 1 and not _is_int(shape[0]) else shape
    return itertools.product(*map(range, shape))


def vectorize(pyfunc, otypes=None, **options):
    def call(*args):
        arrays = broadcast_arrays(*args)
        values = [pyfunc(*row) for row in zip(*[a.flat for a in arrays])]
        return array(values, dtype=None if otypes is None else otypes[0]).reshape(arrays[0].shape)
    return call


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    arr = moveaxis(arr, axis, -1)
    rows = arr.reshape(-1, arr.shape[-1])
    found = stack([asarray(func1d(row, *args, **kwargs)) for row in rows])
    out = found.reshape(arr.shape[:-1] + found.shape[1:])
    return moveaxis(out, -1, axis) if found.ndim > 1 else out


def _methods():
    """What arrays and numbers have as methods as well."""
    for function in (sum, prod, mean, var, std, max, min, argmax, argmin, any, all, cumsum, cumprod, argsort, clip, round, dot,
                     nonzero, take, trace, diagonal, searchsorted, compress):
        def method(self, *args, _function=function, **options):
            return _function(self, *args, **options)
        method.__name__ = function.__name__
        setattr(ndarray, function.__name__, method)
        if function in (sum, prod, mean, var, std, max, min, argmax, argmin, any, all, round, clip):
            setattr(generic, function.__name__, method)
            if function is not round:
                setattr(_t.float64, function.__name__, method)
    ndarray.sort = _sort_in_place
    generic.astype = lambda self, dtype, **options: number(as_dtype(dtype), self._v)
    generic.reshape = lambda self, *shape: asarray(self).reshape(*shape)
    generic.__array__ = lambda self, dtype=None, copy=None: asarray(self, dtype)
    generic.__getitem__ = _index_number
    generic.copy = lambda self: self
    generic.squeeze = lambda self, axis=None: self
    generic.flatten = generic.ravel = lambda self: asarray(self).reshape(1)


def _index_number(self, key):
    if key == () or key is Ellipsis:
        return self
    raise IndexError("invalid index to scalar variable.")


_methods()

__all__ = [_name for _name, _value in list(globals().items()) if not _name.startswith("_") and (
    isinstance(_value, ufunc) or getattr(_value, "__module__", None) == __name__)]

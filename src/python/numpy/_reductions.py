"""Reductions and scans."""

import builtins
import math
import types

import _torch as _C

import numpy as np
from numpy import _types as _t
from numpy._array import AxisError, _Tensor, _answer, _quiet, _wrap, asarray, axes_of, cast, full, ndarray, tensor_of
from numpy import _errors
from numpy._elementwise import divide, equal, isnan, maximum, minimum, multiply, sqrt, subtract, true_divide
from numpy._types import ALL, BOOL, FLOAT64, INT64, as_dtype, generic, number
from numpy._ufunc import UFuncTypeError

_NO_VALUE = object()


def _dims(t, axis):
    return list(range(t.dim())) if axis is None else axes_of(axis, t.dim())


def _spread(t, axis, keepdims):
    """The shape of a reduction's result over `axis`."""
    dims = _dims(t, axis)
    return tuple(1 if i in dims else n for i, n in enumerate(t.shape) if keepdims or i not in dims)


def finish(t, out):
    if out is None:
        return _answer(t)
    refused = out._assign(t)
    if refused is not None:
        raise UFuncTypeError(f"Cannot cast ufunc 'add' output from {refused!r} to {out.dtype!r} with casting rule 'same_kind'")
    return out


def _total(d):
    """The dtype that sums and products of a dtype have."""
    return INT64 if d.kind in "biu" and d.itemsize < 8 else d


def _masked(t, where, fill):
    """The tensor with `fill` where `where` is false."""
    if where is True:
        return t
    return _quiet(_C.where, cast(tensor_of(where), BOOL), t, full((), fill, _t.OF_TORCH[t.dtype]))


def _text(name, a):
    if a.dtype.kind in "US":
        d = a.dtype
        if name == "add":
            raise TypeError(f"the resolved dtypes are not compatible with add.reduce. Resolved ({d!r}, {d!r}, "
                            f"{_t.sized(d.kind, 2 * d.itemsize // (4 if d.kind == 'U' else 1))!r})")
        raise UFuncTypeError(f"ufunc '{name}' did not contain a loop with signature matching types ({d!r}, {d!r}) -> None")


def _folded(name, a, axis, keepdims, initial, out):
    from numpy import _boxed
    _text(name, a)
    if a.dtype.kind in "mM":
        from numpy import _dates
        made = _dates.fold(a, name, axis, keepdims)
    else:
        made = _boxed.fold(a, _boxed._OPERATORS[name], axis, keepdims, initial)
    if out is not None:
        out[...] = made
        return out
    return made


def _has_own(a, name):
    """Whether a call goes to the object's own method, as NumPy does it for anything that isn't an array: a pandas Series skips NaN."""
    return (not isinstance(a, (ndarray, generic, _Tensor)) or getattr(a, "_asks", False)) and hasattr(type(a), name)


def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=_NO_VALUE, where=True):
    if _has_own(a, "sum"):
        return a.sum(axis=axis)
    if isinstance(a, types.GeneratorType):
        raise TypeError("Calling np.sum(generator) is deprecated.Use np.sum(np.fromiter(generator)) or the python sum builtin "
                        "instead.")
    a = asarray(a)
    if a._boxed:
        return _folded("add", a, axis, keepdims, 0 if initial is _NO_VALUE else initial, out)
    t = cast(a._t, as_dtype(dtype) if dtype is not None else _total(a.dtype))
    t = _masked(t, where, 0)
    dims = _dims(t, axis)
    r = _quiet(_C.sum, t, dims, keepdims) if dims else t
    r = cast(r, _t.OF_TORCH[t.dtype])
    _errors.check_sum(t, r)
    return finish(_quiet(_C.add, r, initial) if initial is not _NO_VALUE else r, out)


def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=_NO_VALUE, where=True):
    if _has_own(a, "prod"):
        return a.prod(axis=axis)
    a = asarray(a)
    if a._boxed:
        return _folded("multiply", a, axis, keepdims, 1 if initial is _NO_VALUE else initial, out)
    t = cast(a._t, as_dtype(dtype) if dtype is not None else _total(a.dtype))
    t = _masked(t, where, 1)
    shape, d, whole = _spread(t, axis, keepdims), _t.OF_TORCH[t.dtype], t
    for dim in sorted(_dims(t, axis), reverse=True):
        if d.kind == "c":
            rows = _quiet(t.unbind, dim)
            t = rows[0] if rows else full(t.select(dim, 0).shape if t.shape[dim] else _spread(t, dim, False), 1, d)
            for row in rows[1:]:
                t = _quiet(_C.mul, t, row)
        else:
            t = _quiet(_C.prod, t, dim)
    t = cast(t, d).reshape(shape)
    _errors.check_sum(whole, t)
    return finish(_quiet(_C.mul, t, initial) if initial is not _NO_VALUE else t, out)


def _real_dtype(d, dtype):
    return as_dtype(dtype) if dtype is not None else d if d.kind in "fc" else FLOAT64


def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    if _has_own(a, "mean"):
        return a.mean(axis=axis)
    a = asarray(a)
    if a._boxed:
        total = _folded("add", a, axis, keepdims, 0, None)
        return total / math.prod(a.shape[i] for i in _dims(a._at._t, axis))
    d = _real_dtype(a.dtype, dtype)
    if where is not True:
        count = sum(np.broadcast_to(asarray(where), a.shape), axis, keepdims=keepdims)
        return divide(sum(a, axis, d, keepdims=keepdims, where=where), count)
    dims = _dims(a._t, axis)
    wide = cast(a._t, ALL["float32"] if d.name == "float16" else d)
    found = _quiet(_C.mean, wide, dims, keepdims) if dims else wide
    if builtins.any(a.shape[i] == 0 for i in dims):
        _errors.warn("Mean of empty slice")
        if found.numel():
            _errors.report({"invalid"}, "divide" if found.dim() else "scalar divide")
    _errors.check_sum(wide, found)
    return finish(cast(found, d), out)


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=_NO_VALUE, correction=_NO_VALUE):
    if correction is not _NO_VALUE:
        if ddof:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = correction
    if _has_own(a, "var"):
        return a.var(axis=axis, ddof=ddof)
    a = asarray(a)
    _text("add", a)
    d = _real_dtype(a.dtype, dtype)
    wide = ALL["float32"] if d.name == "float16" else d
    t = cast(a._t, wide)
    dims = _dims(t, axis)
    if where is not True:
        count = tensor_of(sum(np.broadcast_to(asarray(where), a.shape), axis, keepdims=True))
        center = _quiet(_C.true_divide, tensor_of(sum(_wrap(t), axis, keepdims=True, where=where)), count)
    else:
        count = math.prod(t.shape[i] for i in dims)
        center = (_quiet(_C.mean, t, dims, True) if dims else t) if mean is _NO_VALUE else tensor_of(mean, wide)
    away = _quiet(_C.sub, t, center)
    squares = _quiet(lambda: (_C.view_as_real(away) ** 2).sum(-1)) if d.kind == "c" else _quiet(_C.mul, away, away)
    squares = _masked(squares, where, 0)
    total = _quiet(_C.sum, squares, dims, keepdims) if dims else squares
    if where is True:
        left = count - ddof if count > ddof else 0
        if not left:
            _errors.warn("Degrees of freedom <= 0 for slice")
            if total.numel() and not count:
                _errors.report({"invalid"}, "divide")
            if total.numel():
                _errors.report({"invalid"}, "divide" if total.dim() else "scalar divide")
        elif total.is_floating_point() and total.numel() and _errors.infinite(total):
            _errors.report({"invalid"} if _errors.infinite(t) and not _quiet(lambda: t.isnan().any().item()) else
                           set() if _errors.infinite(t) else {"over"}, "subtract" if _errors.infinite(t) else "multiply")
    else:
        left = _quiet(lambda: (count - ddof).clamp(min=0).reshape(total.shape))
    return finish(cast(_quiet(_C.true_divide, total, left), _t.to_real(d)), out)


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=_NO_VALUE, correction=_NO_VALUE):
    if _has_own(a, "std"):
        return a.std(axis=axis, ddof=ddof)
    spread = var(a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction)
    return finish(_quiet(_C.sqrt, tensor_of(spread)), out)


def _make_extreme(name, function, pick):
    def reduce(a, axis=None, out=None, keepdims=False, initial=_NO_VALUE, where=True):
        if _has_own(a, name):
            return getattr(a, name)(axis=axis)
        a = asarray(a)
        if a._boxed:
            return _folded(name + "imum", a, axis, keepdims, None if initial is _NO_VALUE else initial, out)
        t = a._t
        dims = _dims(t, axis)
        if where is not True:
            if initial is _NO_VALUE:
                raise ValueError(f"reduction operation '{name}imum' does not have an identity, so to use a where mask one has to "
                                 "specify 'initial'")
            t = _masked(t, where, initial)
        if builtins.any(t.shape[i] == 0 for i in dims):
            if initial is _NO_VALUE:
                raise ValueError(f"zero-size array to reduction operation {name}imum which has no identity")
            return _answer(full(_spread(t, axis, keepdims), initial, a.dtype))
        d = a.dtype
        if d.kind == "c":
            r = _picked(t, dims, keepdims, pick)
        else:
            r = cast(t, ALL["uint8"]) if d is BOOL else t
            r = cast(_quiet(function, r, dims, keepdims) if dims else r, d)
        if initial is not _NO_VALUE:
            r = (maximum if name == "max" else minimum)._of(_wrap(r), number(d, initial))
        return finish(r, out)
    reduce.__name__ = reduce.__qualname__ = name
    return reduce


def _picked(t, dims, keepdims, pick):
    """The largest or least of complex numbers, which are compared by their real parts first."""
    shape = tuple(1 if i in dims else n for i, n in enumerate(t.shape) if keepdims or i not in dims)
    order = [i for i in range(t.dim()) if i not in dims] + list(dims)
    rows = _quiet(lambda: t.permute(order).reshape(math.prod(shape), -1).tolist())
    values = [pick(row, key=lambda v: (v.real, v.imag)) for row in rows]
    return _quiet(_C.tensor, values, dtype=t.dtype, device="cpu").reshape(shape)


max = amax = _make_extreme("max", _C.amax, builtins.max)
min = amin = _make_extreme("min", _C.amin, builtins.min)


def ptp(a, axis=None, out=None, keepdims=False):
    return subtract(max(a, axis, keepdims=keepdims), min(a, axis, keepdims=keepdims), out=out)


def _make_argument(name, function):
    def reduce(a, axis=None, out=None, *, keepdims=False):
        a = asarray(a)
        if isinstance(axis, (tuple, list)):
            raise TypeError(f"'{type(axis).__name__}' object cannot be interpreted as an integer")
        if a._boxed or a.dtype.kind == "c":
            flat = a if axis is not None else a.ravel()
            order = argsort_of(flat, 0 if axis is None else axis)
            if a.size == 0:
                raise ValueError(f"attempt to get {name} of an empty sequence")
            key = (slice(None),) * (0 if axis is None else axes_of(axis, a.ndim)[0])
            ranked = np.take_along_axis(flat, order, 0 if axis is None else axis)
            best = ranked[key + (slice(-1, None) if name == "argmax" else slice(0, 1),)]
            return argmax(equal(flat, best), axis, out, keepdims=keepdims)
        t = a._t
        dims = _dims(t, axis)
        if builtins.any(t.shape[i] == 0 for i in dims):
            raise ValueError(f"attempt to get {name} of an empty sequence")
        if not t.dim():
            return finish(full((), 0, INT64), out)
        if t.dtype == _C.bool:
            t = cast(t, ALL["uint8"])
        if axis is None:
            r = _quiet(function, t.reshape(-1), 0)
            return finish(r.reshape((1,) * t.dim()) if keepdims else r, out)
        return finish(_quiet(function, t, dims[0], keepdims), out)
    reduce.__name__ = reduce.__qualname__ = name
    return reduce


def argsort_of(a, axis):
    from numpy._choosing import argsort
    return argsort(a, axis)


argmax = _make_argument("argmax", _C.argmax)
argmin = _make_argument("argmin", _C.argmin)


def _make_truth(name, function):
    def reduce(a, axis=None, out=None, keepdims=False, *, where=True):
        a = asarray(a)
        t = _masked(cast(a.astype(BOOL)._t if a._boxed else a._t, BOOL), where, name == "all")
        dims = _dims(t, axis)
        return finish(_quiet(function, t, dims, keepdims) if dims else t, out)
    reduce.__name__ = reduce.__qualname__ = name
    return reduce


any = _make_truth("any", _C.any)
all = _make_truth("all", _C.all)


def count_nonzero(a, axis=None, *, keepdims=False):
    found = sum(asarray(a).astype(BOOL), axis, keepdims=keepdims)
    return found


def _make_scan(name, function, step):
    def scan(a, axis=None, dtype=None, out=None):
        a = asarray(a)
        _text(step, a)
        if a._boxed:
            flat = a.ravel() if axis is None else a
            return getattr(np, step).accumulate(flat, axis or 0)
        t = cast(a._t, as_dtype(dtype) if dtype is not None else _total(a.dtype))
        if axis is None:
            t, axis = t.reshape(-1), 0
        axis = axes_of(axis, t.dim())[0]
        if t.dtype.is_complex and name == "cumprod" and t.numel():
            rows = list(_quiet(t.unbind, axis))
            for i in range(1, len(rows)):
                rows[i] = _quiet(_C.mul, rows[i - 1], rows[i])
            r = _quiet(_C.stack, rows, axis)
        else:
            r = cast(_quiet(function, t, axis), _t.OF_TORCH[t.dtype])
        _errors.check_sum(t, r, "accumulate")
        if out is not None:
            out._assign(r)
            return out
        return _wrap(r)
    scan.__name__ = scan.__qualname__ = name
    return scan


cumsum = _make_scan("cumsum", _C.cumsum, "add")
cumprod = _make_scan("cumprod", _C.cumprod, "multiply")


def _make_cumulative(name, scan, first):
    def cumulative(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
        x = np.atleast_1d(x)
        if axis is None:
            if x.ndim > 1:
                raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
            axis = 0
        found = scan(x, axis, dtype, out)
        if include_initial:
            key = [slice(None)] * x.ndim
            key[axis] = slice(0, 1)
            shape = tuple(1 if i == axis % x.ndim else n for i, n in enumerate(x.shape))
            found = np.concatenate([np.full(shape, first, found.dtype), found], axis)
        return found
    cumulative.__name__ = cumulative.__qualname__ = name
    return cumulative


cumulative_sum = _make_cumulative("cumulative_sum", cumsum, 0)
cumulative_prod = _make_cumulative("cumulative_prod", cumprod, 1)


# ---- quantiles -------------------------------------------------------------------------------------------------------

# For each method, the place of a quantile among n sorted elements counted from 0: `n·q + a + q·b - 1`, or what becomes of it.
_METHODS = {"linear": (1, 1), "weibull": (0, 0), "hazen": (0.5, 0.5), "median_unbiased": (1 / 3, 1 / 3),
            "normal_unbiased": (3 / 8, 3 / 8), "interpolated_inverted_cdf": (0, 1)}
_STEPS = {"lower", "higher", "midpoint", "nearest", "inverted_cdf", "averaged_inverted_cdf", "closest_observation"}


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    a = asarray(a)
    _text("add", a)
    if a.size == 0:
        return mean(a, axis, keepdims=keepdims)
    d = _real_dtype(a.dtype, None)
    return finish(cast(tensor_of(_quantile(a, 0.5, axis, keepdims=keepdims)), d), out)


def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    q = true_divide(q, 100)
    if not np.all((q >= 0) & (q <= 1)):
        raise ValueError("Percentiles must be in the range [0, 100]")
    return quantile(a, q, axis, out, overwrite_input, method, keepdims, weights=weights)


def _place(q, n, method):
    if method in _METHODS:
        alpha, beta = _METHODS[method]
        if method == "interpolated_inverted_cdf":
            alpha, beta = 0, 1
        place = q * (n - 1) if method == "linear" else n * q + (alpha + q * (1 - alpha - beta)) - 1
        return builtins.min(builtins.max(place, 0.0), n - 1.0)
    place = q * (n - 1)
    if method == "lower":
        return math.floor(place)
    if method == "higher":
        return math.ceil(place)
    if method == "midpoint":
        return (math.floor(place) + math.ceil(place)) / 2
    if method == "nearest":
        return round_even(place)
    inner = n * q - 1
    low = math.floor(inner)
    if method == "inverted_cdf":
        place = low if inner == low else low + 1
    elif method == "averaged_inverted_cdf":
        place = low + 0.5 if inner == low else low + 1
    else:
        inner = n * q - 1.5
        low = math.floor(inner)
        place = low if inner == low and low % 2 == 1 else low + 1
    return builtins.min(builtins.max(place, 0), n - 1)


round_even = builtins.round


def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    if weights is not None:
        raise NotImplementedError("numpy.quantile(weights=)")
    if method not in _METHODS and method not in _STEPS:
        raise ValueError(f"{method!r} is not a valid method. Use one of: dict_keys(['inverted_cdf', 'averaged_inverted_cdf', "
                         "'closest_observation', 'interpolated_inverted_cdf', 'hazen', 'weibull', 'linear', 'median_unbiased', "
                         "'normal_unbiased', 'lower', 'higher', 'midpoint', 'nearest'])")
    if asarray(a).dtype.kind == "c":
        raise TypeError("a must be an array of real numbers")
    return _quantile(a, q, axis, out, method, keepdims)


def _quantile(a, q, axis=None, out=None, method="linear", keepdims=False):
    a, q = asarray(a), asarray(q)
    t = a._t
    if a.dtype.kind in "biu" and method not in ("lower", "higher", "nearest", "inverted_cdf", "closest_observation"):
        t = cast(t, FLOAT64)
    kept, dims = _spread(t, axis, True), _dims(t, axis)
    places = [float(v) for v in q.ravel().tolist()]
    if not builtins.all(0 <= v <= 1 for v in places):
        raise ValueError("Quantiles must be in the range [0, 1]")
    rest = [i for i in range(t.dim()) if i not in dims]
    t = _quiet(lambda: t.permute(rest + list(dims)).reshape(tuple(t.shape[i] for i in rest) + (-1,)))
    n = t.shape[-1]
    if not n:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    t = np.sort(_wrap(t))._t
    results = []
    for one in places:
        place = _place(one, n, method)
        low = int(math.floor(place))
        share = place - low
        a0, a1 = t.select(-1, low), t.select(-1, builtins.min(low + 1, n - 1))
        if share:
            gap = _quiet(_C.sub, a1, a0)
            r = (_quiet(_C.sub, a1, _quiet(_C.mul, gap, 1 - share)) if share >= 0.5
                 else _quiet(_C.add, a0, _quiet(_C.mul, gap, share)))
        else:
            r = a0
        if t.dtype.is_floating_point:
            r = _quiet(_C.where, _quiet(_C.isnan, t.select(-1, n - 1)), full((), math.nan, _t.OF_TORCH[t.dtype]), r)
        results.append(r.reshape(kept) if keepdims else r)
    whole = results[0] if not q.ndim else _quiet(_C.stack, results)
    return finish(whole if q.ndim < 2 else whole.reshape(q.shape + tuple(results[0].shape)), out)


def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    a = asarray(a)
    if axis is not None:
        try:
            axes_of(axis, a.ndim)
        except AxisError as error:
            raise AxisError(error.axis, a.ndim, "axis") from None
    if weights is None:
        found = mean(a, axis, keepdims=keepdims)
        count = a.size if not asarray(found).size else a.size / asarray(found).size
        return (found, np.full_like(found, count)[()]) if returned else found
    weights = asarray(weights)
    if weights.shape != a.shape:
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        axis = axes_of(axis, a.ndim)
        if weights.shape != tuple(a.shape[i] for i in axis):
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        weights = weights.reshape([a.shape[i] if i in axis else 1 for i in range(a.ndim)])
        axis = tuple(axis)
    d = _real_dtype(np.result_type(a.dtype, weights.dtype), None)
    total = sum(np.broadcast_to(weights, a.shape), axis, d, keepdims=keepdims)
    if np.any(total == 0):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    found = divide(sum(multiply(a, weights), axis, d, keepdims=keepdims), total)
    return (found, np.broadcast_to(total, found.shape)[()] if asarray(found).ndim else total) if returned else found


# ---- without NaN -----------------------------------------------------------------------------------------------------


def _filled(a, fill):
    """The array with `fill` in place of NaN, and a mask that is true where it had a number."""
    a = asarray(a)
    if a._boxed or a.dtype.kind not in "fc":
        return a, None
    gone = asarray(isnan(a))
    return np.where(gone, number(a.dtype, fill), a), gone


def _make_nan(name, function, fill):
    def reduce(a, axis=None, *args, **options):
        return function(_filled(a, fill)[0], axis, *args, **options)
    reduce.__name__ = reduce.__qualname__ = name
    return reduce


nansum, nanprod = _make_nan("nansum", sum, 0), _make_nan("nanprod", prod, 1)
nancumsum, nancumprod = _make_nan("nancumsum", cumsum, 0), _make_nan("nancumprod", cumprod, 1)


def _make_nan_extreme(name, function, fill):
    def reduce(a, axis=None, out=None, keepdims=False, initial=_NO_VALUE, where=True):
        filled, gone = _filled(a, fill)
        try:
            found = function(filled, axis, None, keepdims, initial, where)
        except (ValueError, UFuncTypeError) as error:
            # NumPy reduces by `fmax` and `fmin`.
            raise type(error)(str(error).replace("maximum", "fmax").replace("minimum", "fmin")) from None
        if gone is not None and initial is _NO_VALUE:
            if any(all(gone, axis)):
                _errors.warn("All-NaN slice encountered" if axis is not None and type(a) is ndarray else "All-NaN axis encountered")
            found = np.where(all(gone, axis, keepdims=keepdims), number(filled.dtype, math.nan), found)[()]
        return found if out is None else finish(tensor_of(found), out)
    reduce.__name__ = reduce.__qualname__ = name
    return reduce


nanmax, nanmin = _make_nan_extreme("nanmax", max, -math.inf), _make_nan_extreme("nanmin", min, math.inf)


def _make_nan_argument(name, function, fill):
    def reduce(a, axis=None, out=None, *, keepdims=False):
        filled, gone = _filled(a, fill)
        if gone is not None and gone.size and any(all(gone, axis)):
            raise ValueError("All-NaN slice encountered")
        return function(filled, axis, out, keepdims=keepdims)
    reduce.__name__ = reduce.__qualname__ = name
    return reduce


nanargmax = _make_nan_argument("nanargmax", argmax, -math.inf)
nanargmin = _make_nan_argument("nanargmin", argmin, math.inf)


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    filled, gone = _filled(a, 0)
    if gone is None:
        return mean(filled, axis, dtype, out, keepdims, where=where)
    d = _real_dtype(filled.dtype, dtype)
    count = sum(~gone, axis, d, keepdims=keepdims)
    if any(equal(count, 0)):
        _errors.warn("Mean of empty slice")
    with _errors.errstate(all="ignore"):
        found = divide(sum(filled, axis, d, keepdims=keepdims), count)
    return found if out is None else finish(tensor_of(found), out)


def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=_NO_VALUE, correction=_NO_VALUE):
    filled, gone = _filled(a, 0)
    if gone is None:
        return var(filled, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction)
    found = var(filled, axis, dtype, None, ddof, keepdims, where=~gone, mean=mean, correction=correction)
    lost = sum(~gone, axis, keepdims=keepdims) <= (ddof if correction is _NO_VALUE else correction)
    if any(lost):
        _errors.warn("Degrees of freedom <= 0 for slice.")
    found = np.where(lost, number(asarray(found).dtype, math.nan), found)[()]
    return found if out is None else finish(tensor_of(found), out)


def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=_NO_VALUE, correction=_NO_VALUE):
    return sqrt(nanvar(a, axis, dtype, None, ddof, keepdims, mean=mean, correction=correction), out=out)


def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    if weights is not None:
        raise NotImplementedError("numpy.nanquantile(weights=)")
    a = asarray(a)
    if a.dtype.kind != "f":
        return quantile(a, q, axis, out, overwrite_input, method, keepdims)
    dims = _dims(a._t, axis)
    rest = [i for i in range(a.ndim) if i not in dims]
    rows = a.transpose(rest + list(dims)).reshape(math.prod(a.shape[i] for i in rest), -1)
    found = []
    for row in rows:
        row = row[~isnan(row)]
        if not row.size:
            _errors.warn("All-NaN slice encountered")
        found.append(asarray(quantile(row, q, method=method) if row.size else np.full(np.shape(q), math.nan, a.dtype)))
    made = np.stack(found, -1).reshape(np.shape(q) + _spread(a._t, axis, keepdims))
    return made[()] if out is None else finish(made._t, out)


def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    return nanquantile(a, true_divide(q, 100), axis, out, overwrite_input, method, keepdims, weights=weights)


def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    a = asarray(a)
    if a.size == 0 or a.dtype.kind != "f":
        return median(a, axis, out, overwrite_input, keepdims)
    return nanquantile(a, 0.5, axis, out, keepdims=keepdims)


__all__ = [_name for _name, _value in list(globals().items()) if not _name.startswith("_") and getattr(
    _value, "__module__", None) == __name__ and _name not in ("finish", "argsort_of")]

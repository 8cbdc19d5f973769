"""Products, differences and statistics of several arrays."""

import builtins
import math

import _torch as _C

import numpy as np
from numpy import _errors
from numpy._array import _is_int, _listed, _quiet, asarray, axes_of, cast
from numpy._elementwise import multiply, product, subtract
from numpy._reductions import finish
from numpy._types import BOOL, FLOAT64, INT64, as_dtype, promote
from numpy._ufunc import no_loop

_NO_VALUE = object()


def _operands(name, a, b):
    a, b = asarray(a), asarray(b)
    if a._boxed or b._boxed:
        raise no_loop(name, [a, b])
    return a, b, promote(a.dtype, b.dtype)


def _not_aligned(x, y, last):
    left, right = x.shape[-1], y.shape[last]
    places = f"{left} (dim {x.ndim - 1}) != {right} (dim {last + y.ndim if last < 0 else last})"
    return ValueError(f"shapes {_listed(x.shape)} and {_listed(y.shape)} not aligned: {places}")


def dot(a, b, out=None):
    x, y, d = _operands("dot", a, b)
    if x.ndim == 0 or y.ndim == 0:
        return multiply(x, y, out=out)
    last = 0 if y.ndim == 1 else -2
    if x.shape[-1] != y.shape[last]:
        raise _not_aligned(x, y, last)
    if y.ndim <= 2:
        made = product(d, x._t, y._t)
        _errors.check(dot, (x, y), made)
        return finish(made, out)
    return tensordot(x, y, axes=([-1], [y.ndim - 2]))[()]


def inner(a, b, /):
    x, y, d = _operands("inner", a, b)
    if x.ndim == 0 or y.ndim == 0:
        return multiply(x, y)
    if x.shape[-1] != y.shape[-1]:
        raise _not_aligned(x, y, -1)
    return tensordot(x, y, axes=([-1], [-1]))[()]


def outer(a, b, out=None):
    return multiply(asarray(a).reshape(-1, 1), asarray(b).reshape(1, -1), out=out)


def vdot(a, b):
    return dot(np.conjugate(asarray(a).ravel()), asarray(b).ravel())


def tensordot(a, b, axes=2):
    x, y, d = _operands("tensordot", a, b)
    if _is_int(axes):
        axes = (list(range(-axes, 0)), list(range(axes)))
    else:
        axes = [[v] if _is_int(v) else list(v) for v in axes]
    if len(axes[0]) != len(axes[1]) or builtins.any(not -x.ndim <= i < x.ndim or not -y.ndim <= j < y.ndim or
                                                    x.shape[i] != y.shape[j] for i, j in zip(*axes)):
        raise ValueError("shape-mismatch for sum")
    axes = (axes_of(axes[0], x.ndim), axes_of(axes[1], y.ndim))
    rest = [i for i in range(x.ndim) if i not in axes[0]], [i for i in range(y.ndim) if i not in axes[1]]
    shape = tuple(x.shape[i] for i in rest[0]) + tuple(y.shape[i] for i in rest[1])
    count = math.prod(x.shape[i] for i in axes[0])
    left = x.transpose(rest[0] + axes[0]).reshape(math.prod(x.shape[i] for i in rest[0]), count)
    right = y.transpose(axes[1] + rest[1]).reshape(count, math.prod(y.shape[i] for i in rest[1]))
    return np.matmul(left, right).reshape(shape)


def einsum(*operands, out=None, dtype=None, optimize=False, order="K", casting="safe"):
    if not isinstance(operands[0], str):
        # Operands each with a list of axes, and maybe one of the result's.
        names = "abcdefghijklmnopqrstuvwxyz"
        given = list(operands)
        result = given.pop() if len(given) % 2 else None
        terms = ["".join("..." if i is Ellipsis else names[i] for i in sub) for sub in given[1::2]]
        operands = [",".join(terms) + ("" if result is None else "->" + "".join(names[i] for i in result)), *given[::2]]
    subscripts, *arrays = operands
    arrays = [asarray(a) if dtype is None else asarray(a).astype(dtype, casting=casting) for a in arrays]
    d = np.result_type(*[a.dtype for a in arrays])
    terms = subscripts.replace(" ", "").split("->")[0].split(",")
    if len(terms) != len(arrays):
        raise ValueError("fewer operands provided to einstein sum function than specified in the subscripts string"
                         if len(terms) < len(arrays) else
                         "more operands provided to einstein sum function than specified in the subscripts string")
    result = subscripts.replace(" ", "").partition("->")[2]
    for c in subscripts.replace(" ", "").replace("->", ""):
        if not (c.isascii() and c.isalpha()) and c not in ",.":
            raise ValueError(f"invalid subscript '{c}' in einstein sum subscripts string, subscripts must be letters")
    for c in result.replace(".", ""):
        if result.count(c) > 1:
            raise ValueError(f"einstein sum subscripts string includes output subscript '{c}' multiple times")
        if not any(c in term for term in terms):
            raise ValueError(f"einstein sum subscripts string included output subscript '{c}' which never appeared in an input")
    sizes = {}
    for i, (term, a) in enumerate(zip(terms, arrays)):
        if "." in term:
            continue
        if len(term) != a.ndim:
            few = len(term) > a.ndim
            raise ValueError("einstein sum subscripts string contains too many subscripts for operand " + str(i) if few else
                             "operand has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided "
                             "to broadcast the extra dimensions.")
        for letter, n in zip(term, a.shape):
            first = a.shape[term.index(letter)]
            if first != n and 1 not in (first, n):
                raise ValueError(f"dimensions in operand {i} for collapsing index '{letter}' don't match ({first} != {n})")
            if sizes.setdefault(letter, n) != n and 1 not in (n, sizes[letter]):
                letters = _order(terms, subscripts)
                seen = []
                for t, x in zip(terms, arrays):
                    spread = ["newaxis" if w not in t else str(x.shape[t.index(w)]) for w in letters]
                    first = next((k for k, word in enumerate(spread) if word != "newaxis"), 0)
                    seen.append(f"{_listed(x.shape)}->({','.join(spread[first:])})")
                raise ValueError("operands could not be broadcast together with remapped shapes [original->remapped]: "
                                 + " ".join(seen) + " ")
            sizes[letter] = builtins.max(n, sizes[letter])
    whole = arrays[0].dtype if d is BOOL else d
    made = _quiet(_C.einsum, subscripts, *[cast(a._t, INT64 if d is BOOL else d) for a in arrays])
    return finish(cast(made, whole), out)


def _order(terms, subscripts):
    """The letters in the order in which NumPy walks them: the result's, then the others."""
    letters = sorted(set("".join(terms)))
    if "->" in subscripts:
        first = list(subscripts.split("->")[1])
    else:
        first = [c for c in letters if "".join(terms).count(c) == 1]
    return first + [c for c in letters if c not in first]


def kron(a, b):
    a, b = asarray(a), asarray(b)
    n = builtins.max(a.ndim, b.ndim)
    a, b = a.reshape((1,) * (n - a.ndim) + a.shape), b.reshape((1,) * (n - b.ndim) + b.shape)
    left = a.reshape([m for size in a.shape for m in (size, 1)])
    right = b.reshape([m for size in b.shape for m in (1, size)])
    return multiply(left, right).reshape([m * k for m, k in zip(a.shape, b.shape)]) if n else multiply(a, b)


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = np.moveaxis(a, axisa, -1), np.moveaxis(b, axisb, -1)
    if a.shape[-1] == b.shape[-1] == 2:
        return (a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])[()] if a.ndim > 1 or b.ndim > 1 else asarray(
            a[0] * b[1] - a[1] * b[0])
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise ValueError(f"Both input arrays must be (arrays of) 3-dimensional vectors, but they are {a.shape[-1]} and "
                         f"{b.shape[-1]} dimensional instead.")
    x, y = np.roll(a, -1, -1), np.roll(b, -1, -1)
    return np.moveaxis(np.roll(a * y - x * b, -1, -1), -1, axisc)


def diff(a, n=1, axis=-1, prepend=_NO_VALUE, append=_NO_VALUE):
    if n == 0:
        return a
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    a = asarray(a)
    if not a.ndim:
        raise ValueError("diff requires input that is at least one dimensional")
    axis = axes_of(axis, a.ndim)[0]
    parts = [a]
    for given, at in ((prepend, 0), (append, len(parts) + 1)):
        if given is not _NO_VALUE:
            given = asarray(given)
            given = given if given.ndim else np.broadcast_to(given, tuple(1 if i == axis else m for i, m in enumerate(a.shape)))
            parts.insert(at, given)
    a = np.concatenate(parts, axis) if len(parts) > 1 else a
    key = (slice(None),) * axis
    for _ in range(n):
        late, early = a[key + (slice(1, None),)], a[key + (slice(None, -1),)]
        a = np.not_equal(late, early) if a.dtype is BOOL else subtract(late, early)
    return a


def ediff1d(ary, to_end=None, to_begin=None):
    ary = asarray(ary).ravel()
    parts = [] if to_begin is None else [asarray(to_begin).ravel()]
    for extra in (to_begin, to_end):
        if extra is not None and not np.can_cast(asarray(extra).dtype, ary.dtype, "same_kind"):
            name = "to_begin" if extra is to_begin else "to_end"
            raise TypeError(f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule.")
    parts.append(subtract(ary[1:], ary[:-1]))
    if to_end is not None:
        parts.append(asarray(to_end).ravel())
    return np.concatenate([p.astype(ary.dtype) for p in parts]) if len(parts) > 1 else parts[0]


def gradient(f, *varargs, axis=None, edge_order=1):
    f = asarray(f)
    axes = list(range(f.ndim)) if axis is None else axes_of(axis, f.ndim)
    if len(varargs) not in (0, 1, len(axes)):
        raise TypeError("invalid number of arguments")
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    steps = [1.0] * len(axes) if not varargs else list(varargs) * (len(axes) if len(varargs) == 1 else 1)
    if f.dtype is BOOL:
        subtract(f, f)
    f = f if f.dtype.kind in "fc" else f.astype(FLOAT64)
    out = []
    for one, h in zip(axes, steps):
        n = f.shape[one]
        if n < edge_order + 1:
            raise ValueError("Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are "
                             "required.")
        y, h = np.moveaxis(f, one, 0), asarray(h)
        if h.ndim > 1:
            raise ValueError("distances must be either scalars or 1d")
        if h.ndim:
            if len(h) != n:
                raise ValueError("when 1d, distances must match the length of the corresponding dimension")
            d = diff(h).astype(FLOAT64)
            d = d.reshape((-1,) + (1,) * (y.ndim - 1))
            a, b = d[:-1], d[1:]
            inside = -b / (a * (a + b)) * y[:-2] + (b - a) / (a * b) * y[1:-1] + a / (b * (a + b)) * y[2:]
            h0, h1 = d[:1], d[-1:]
        else:
            h0 = h1 = a = b = h
            inside = (y[2:] - y[:-2]) / (2.0 * h)
            d = np.broadcast_to(asarray(h).astype(FLOAT64).reshape((1,) * y.ndim), (n - 1,) + (1,) * (y.ndim - 1))
        if edge_order == 1:
            first, last = (y[1:2] - y[:1]) / h0, (y[-1:] - y[-2:-1]) / h1
        else:
            p, q = d[:1], d[1:2]
            first = -(2.0 * p + q) / (p * (p + q)) * y[:1] + (p + q) / (p * q) * y[1:2] - p / (q * (p + q)) * y[2:3]
            p, q = d[-2:-1], d[-1:]
            last = q / (p * (p + q)) * y[-3:-2] - (q + p) / (p * q) * y[-2:-1] + (2.0 * q + p) / (q * (p + q)) * y[-1:]
        out.append(np.moveaxis(np.concatenate([first, inside, last]).astype(f.dtype), 0, one))
    return out[0] if len(out) == 1 and (f.ndim == 1 or axis is not None and _is_int(axis)) else tuple(out)


def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = asarray(y)
    if not y.ndim:
        raise IndexError("list assignment index out of range")
    y = np.moveaxis(y, axis, -1)
    if x is None:
        d = dx
    else:
        x = asarray(x)
        d = diff(x) if x.ndim == 1 else diff(np.moveaxis(x, axis, -1))
    return np.sum(d * (y[..., 1:] + y[..., :-1]) / 2.0, -1)


def _slid(a, v, mode):
    """Slides `v` along `a` and sums the products at each position. `mode` says which positions are kept."""
    n, m = len(a), len(v)
    out = np.zeros(n + m - 1, promote(a.dtype, v.dtype))
    for i in range(m):
        out[i:i + n] += a * v[i]
    if mode not in ("full", "same", "valid", 0, 1, 2):
        raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got '{mode}')")
    if mode in ("full", 2):
        return out
    start, length = ((m - 1) // 2, n) if mode in ("same", 1) else (m - 1, n - m + 1)
    return out[start:start + length]


def convolve(a, v, mode="full"):
    a, v = np.atleast_1d(a), np.atleast_1d(v)
    if a.ndim > 1 or v.ndim > 1:
        raise ValueError("object too deep for desired array")
    for name, x in (("a", a), ("v", v)):
        if not len(x):
            raise ValueError(f"{name} cannot be empty")
    return _slid(v, a, mode) if len(v) > len(a) else _slid(a, v, mode)


def correlate(a, v, mode="valid"):
    a, v = np.atleast_1d(a), np.conjugate(np.atleast_1d(v))
    if not len(a) or not len(v):
        raise ValueError(f"{'first' if not len(a) else 'second'} array argument cannot be empty")
    if len(v) > len(a):
        return _slid(v, a[::-1].copy(), mode)[::-1].copy()
    return _slid(a, v[::-1].copy(), mode)


def interp(x, xp, fp, left=None, right=None, period=None):
    x, xp, fp = asarray(x).astype(FLOAT64), asarray(xp).astype(FLOAT64), asarray(fp)
    fp = fp if fp.dtype.kind == "c" else fp.astype(FLOAT64)
    if not xp.size:
        raise ValueError("array of sample points is empty")
    if len(xp) != len(fp):
        raise ValueError("fp and xp are not of the same length.")
    if period is not None:
        if not period:
            raise ValueError("period must be a non-zero value")
        period = builtins.abs(period)
        x, xp = x % period, xp % period
        order = np.argsort(xp)
        xp, fp = xp[order], fp[order]
        xp = np.concatenate([xp[-1:] - period, xp, xp[:1] + period])
        fp = np.concatenate([fp[-1:], fp, fp[:1]])
    at = asarray(np.clip(np.searchsorted(xp, x, "right") - 1, 0, builtins.max(len(xp) - 2, 0)))
    after = np.minimum(at + 1, len(xp) - 1)
    slope = (fp[after] - fp[at]) / np.where(after == at, 1.0, xp[after] - xp[at])
    y = slope * (x - xp[at]) + fp[at]
    y = np.where(x < xp[0], fp[0] if left is None else left, y)
    y = np.where(x >= xp[-1], np.where(x > xp[-1], fp[-1] if right is None else right, fp[-1]), y)
    return np.where(np.isnan(x), math.nan, y)[()]


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    m = asarray(m)
    if m.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    d = promote(m.dtype, FLOAT64) if dtype is None else as_dtype(dtype)
    m = np.atleast_2d(m.astype(d))
    m = m.T if not rowvar and m.shape[0] != 1 else m
    if y is not None:
        y = np.atleast_2d(asarray(y).astype(d))
        m = np.concatenate([m, y.T if not rowvar and y.shape[0] != 1 else y])
    weights = None
    for given in (fweights, aweights):
        if given is not None:
            weights = asarray(given).astype(FLOAT64) * (1.0 if weights is None else weights)
    ddof = (0 if bias else 1) if ddof is None else ddof
    if weights is None:
        away = m - np.mean(m, 1, keepdims=True)
        count = m.shape[1] - ddof
        right = away
    else:
        total = np.sum(weights)
        away = m - (np.sum(m * weights, 1) / total).reshape(-1, 1)
        count = total if not ddof else total - ddof if aweights is None else total - ddof * np.sum(weights * aweights) / total
        right = away * weights
    if count <= 0:
        _errors.warn("Degrees of freedom <= 0 for slice")
    return np.squeeze(away @ np.conjugate(right.T) * np.true_divide(1, builtins.max(count, 0)))


def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    c = cov(x, y, rowvar, dtype=dtype)
    if not np.ndim(c):
        return c / c
    spread = np.sqrt(np.diagonal(c).real)
    c = c / spread.reshape(-1, 1) / spread
    if c.dtype.kind == "c":
        np.clip(c.real, -1, 1, out=c.real)
        np.clip(c.imag, -1, 1, out=c.imag)
        return c
    return np.clip(c, -1, 1)


__all__ = [_name for _name, _value in list(globals().items()) if not _name.startswith("_") and getattr(
    _value, "__module__", None) == __name__]

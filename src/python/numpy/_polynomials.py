"""Polynomials by their coefficients, the highest power first."""

import numpy as np
from numpy._array import asarray
from numpy._types import FLOAT64


def poly(seq_of_zeros):
    if isinstance(seq_of_zeros, (int, float, complex)) or isinstance(seq_of_zeros, np.ndarray) and not seq_of_zeros.ndim:
        raise TypeError("dispatcher for __array_function__ did not return an iterable")
    roots_ = np.atleast_1d(seq_of_zeros)
    if roots_.dtype.kind in "US" and roots_.size:
        raise ValueError(f"could not convert string to float: {roots_.flat[0]!r}")
    if roots_.ndim == 2 and roots_.shape[0] == roots_.shape[1] and roots_.shape[0]:
        roots_ = np.linalg.eigvals(roots_)
    elif roots_.ndim != 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    if not len(roots_):
        return 1.0
    a = np.ones(1, np.result_type(roots_.dtype, float) if roots_.dtype.kind not in "f" else roots_.dtype)
    for zero in roots_.astype(a.dtype):
        a = np.convolve(a, np.array([1, -zero], dtype=a.dtype))
    if a.dtype.kind == "c":
        pairs = np.sort(roots_)
        if np.all(pairs == np.sort(np.conjugate(roots_))):
            a = a.real.copy()
    return a


def roots(p):
    p = np.atleast_1d(p)
    if p.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    places = np.flatnonzero(p)
    if not len(places):
        return np.array([])
    behind = len(p) - int(places[-1]) - 1
    p = p[int(places[0]):int(places[-1]) + 1]
    p = p if p.dtype.kind in "fc" else p.astype(FLOAT64)
    if len(p) > 1:
        a = np.zeros((len(p) - 1, len(p) - 1), p.dtype)
        for i in range(len(p) - 2):
            a[i + 1, i] = 1
        a[0] = -p[1:] / p[0]
        found = np.linalg.eigvals(a)
    else:
        found = np.array([])
    return np.concatenate([found, np.zeros(behind, found.dtype)])


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    x, y = asarray(x).astype(FLOAT64) + 0.0, asarray(y).astype(FLOAT64) + 0.0
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if x.size == 0:
        raise TypeError("expected non-empty vector for x")
    if x.shape[0] != y.shape[0]:
        raise TypeError("expected x and y to have same length")
    rcond = len(x) * np.finfo(x.dtype).eps if rcond is None else rcond
    left, right = np.vander(x, deg + 1), y
    if w is not None:
        w = asarray(w).astype(FLOAT64)
        left, right = left * w[:, None], (right.T * w).T
    scale = np.sqrt(np.sum(left * left, 0))
    c, resids, rank, s = np.linalg.lstsq(left / scale, right, rcond)
    c = (c.T / scale).T
    if full:
        return c, resids, rank, s, rcond
    if cov:
        base = np.linalg.inv((left / scale).T @ (left / scale)) / np.outer(scale, scale)
        factor = 1 if cov == "unscaled" else resids / (len(x) - deg - 1)
        return c, base * factor
    return c


def polyval(p, x):
    if isinstance(x, poly1d):
        y = poly1d([0])
    else:
        x = np.asanyarray(x)
        y = np.zeros_like(x)
    for c in asarray(p):
        y = y * x + c
    return y


def _padded(a1, a2):
    one = isinstance(a1, poly1d) or isinstance(a2, poly1d)
    a1, a2 = np.atleast_1d(a1), np.atleast_1d(a2)
    n = max(len(a1), len(a2))
    return [np.concatenate([np.zeros(n - len(a), a.dtype), a]) for a in (a1, a2)], one


def polyadd(a1, a2):
    (x, y), one = _padded(a1, a2)
    return poly1d(x + y) if one else x + y


def polysub(a1, a2):
    (x, y), one = _padded(a1, a2)
    return poly1d(x - y) if one else x - y


def polymul(a1, a2):
    one = isinstance(a1, poly1d) or isinstance(a2, poly1d)
    found = np.convolve(poly1d(a1).coeffs, poly1d(a2).coeffs)
    return poly1d(found) if one else found


def polydiv(u, v):
    one = isinstance(u, poly1d) or isinstance(v, poly1d)
    u, v = np.atleast_1d(u) + 0.0, np.atleast_1d(v) + 0.0
    m, n = len(u) - 1, len(v) - 1
    q, r = np.zeros(max(m - n + 1, 1), u.dtype), u.copy()
    for k in range(m - n + 1):
        d = r[k] / v[0]
        q[k] = d
        r[k:k + n + 1] -= d * v
    while np.allclose(r[0], 0, rtol=1e-14) and r.shape[-1] > 1:
        r = r[1:]
    return (poly1d(q), poly1d(r)) if one else (q, r)


def polyder(p, m=1):
    one = isinstance(p, poly1d)
    p = asarray(p)
    for _ in range(m):
        p = p[:-1] * np.arange(len(p) - 1, 0, -1)
    return poly1d(p) if one else p


def polyint(p, m=1, k=None):
    one = isinstance(p, poly1d)
    p = asarray(p)
    constants = [0.0] * m if k is None else list(np.broadcast_to(k, (m,)).tolist())
    for i in range(m):
        p = np.concatenate([np.true_divide(p, np.arange(len(p), 0, -1)), [constants[i]]])
    return poly1d(p) if one else p


class poly1d:
    """One polynomial."""

    __module__ = "numpy"

    __hash__ = None

    def __init__(self, c_or_r, r=False, variable=None):
        self.variable = variable or "x"
        if isinstance(c_or_r, poly1d):
            self.coeffs = c_or_r.coeffs
            return
        c = np.atleast_1d(poly(c_or_r) if r else c_or_r)
        if c.ndim > 1:
            raise ValueError("Polynomial must be 1d only.")
        self.coeffs = np.trim_zeros(c, trim="f") if len(np.trim_zeros(c, trim="f")) else np.zeros(1, c.dtype)

    c = coef = coefficients = property(lambda self: self.coeffs)
    order = o = property(lambda self: len(self.coeffs) - 1)
    r = roots = property(lambda self: roots(self.coeffs))

    def __array__(self, dtype=None, copy=None):
        return self.coeffs if dtype is None else self.coeffs.astype(dtype)

    def __len__(self):
        return self.order

    def __call__(self, x):
        return polyval(self.coeffs, x)

    def __repr__(self):
        return f"poly1d({repr(self.coeffs)[6:-1]})"

    def __str__(self):
        upper, lower = "", ""
        for i, c in enumerate(self.coeffs.tolist()):
            power = self.order - i
            text = f"{c:.4g}" if not isinstance(c, complex) else f"({c:.4g})"
            if c == 0 and (power or self.order):
                continue
            sign = "" if not lower else " - " if text[0] == "-" else " + "
            text = text if not lower else text.lstrip("-")
            body = text if not power else f"{text} {self.variable}"
            lower += sign + body
            upper += " " * (len(lower) - len(upper)) + (str(power) if power > 1 else "")
        return f"{upper.rstrip() or ' '}\n{lower}" if lower else "0"

    def __getitem__(self, power):
        return self.coeffs[self.order - power] if 0 <= power <= self.order else self.coeffs.dtype.type(0)

    def __iter__(self):
        return iter(self.coeffs)

    def __neg__(self):
        return poly1d(-self.coeffs)

    def __pos__(self):
        return self

    def __add__(self, other):
        return poly1d(polyadd(self.coeffs, poly1d(other).coeffs))

    __radd__ = __add__

    def __sub__(self, other):
        return poly1d(polysub(self.coeffs, poly1d(other).coeffs))

    def __rsub__(self, other):
        return poly1d(polysub(poly1d(other).coeffs, self.coeffs))

    def __mul__(self, other):
        return poly1d(self.coeffs * other) if np.isscalar(other) else poly1d(polymul(self.coeffs, poly1d(other).coeffs))

    __rmul__ = __mul__

    def __truediv__(self, other):
        return poly1d(self.coeffs / other) if np.isscalar(other) else polydiv(self, poly1d(other))

    def __pow__(self, n):
        out = poly1d([1])
        for _ in range(n):
            out = out * self
        return out

    def __eq__(self, other):
        return isinstance(other, poly1d) and self.coeffs.shape == other.coeffs.shape and bool(np.all(self.coeffs == other.coeffs))

    def __ne__(self, other):
        return not self == other

    def deriv(self, m=1):
        return poly1d(polyder(self.coeffs, m))

    def integ(self, m=1, k=0):
        return poly1d(polyint(self.coeffs, m, k))

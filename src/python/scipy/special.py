"""Special functions, each element by element."""

import math

import _torch as _C
import numpy as np
import torch
from numpy._array import _quiet, _wrap, asarray
from scipy import lacking


def _floats(x):
    x = asarray(x)
    return x if x.dtype.kind in "fc" else x.astype(np.float64)


def _made(name, function):
    """A function of torch's, for arrays that broadcast."""
    def call(*args):
        arrays = np.broadcast_arrays(*[_floats(x) for x in args]) if len(args) > 1 else [_floats(args[0])]
        out = _wrap(_quiet(function, *(x._t for x in arrays)))
        return out if out.ndim else out[()]

    call.__name__ = call.__qualname__ = name
    return call


erf = _made("erf", _C.erf)
erfc = _made("erfc", _C.erfc)
erfinv = _made("erfinv", _C.erfinv)
gammaln = loggamma = _made("gammaln", _C.lgamma)
digamma = psi = _made("digamma", _C.digamma)
expit = _made("expit", _C.sigmoid)
ndtr = _made("ndtr", torch.special.ndtr)
ndtri = _made("ndtri", torch.special.ndtri)
log_ndtr = _made("log_ndtr", torch.special.log_ndtr)
gammainc = _made("gammainc", torch.special.gammainc)
gammaincc = _made("gammaincc", torch.special.gammaincc)
xlogy = _made("xlogy", torch.special.xlogy)
xlog1py = _made("xlog1py", torch.special.xlog1py)
entr = _made("entr", torch.special.entr)
expm1 = np.expm1
log1p = np.log1p
cbrt = np.cbrt


def _each(function):
    """A function of numbers, for arrays that broadcast."""
    def call(*args):
        arrays = np.broadcast_arrays(*[asarray(a) for a in args])
        small = all(asarray(a).dtype == np.float32 for a in args)
        out = np.array([function(*(float(v) for v in of)) for of in zip(*(a.reshape(-1).tolist() for a in arrays))],
                       dtype=np.float32 if small else np.float64).reshape(arrays[0].shape)
        return out if out.ndim else out[()]

    call.__name__ = call.__qualname__ = function.__name__.strip("_")
    return call


def _gamma(x):
    if x == 0:
        return math.copysign(math.inf, x)
    if x == -math.inf or x < 0 and x == math.floor(x):
        return math.nan
    try:
        return math.gamma(x)
    except OverflowError:
        return math.inf
    except ValueError:
        return math.nan


gamma = _each(_gamma)


def logit(x):
    x = _floats(x)
    with np.errstate(all="ignore"):
        return np.log(x / (1 - x))


def log_expit(x):
    x = _floats(x)
    return np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x)))


def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False):
    if return_sign:
        raise NotImplementedError("scipy.special.logsumexp(return_sign=True)")
    a = _floats(a)
    if b is not None:
        b = asarray(b)
        a, b = np.broadcast_arrays(a, b)
        a = np.where(b == 0, -np.inf, a)
    most = np.max(a, axis=axis, keepdims=True)
    most = np.where(np.isfinite(most), most, 0.0).astype(a.dtype)
    shares = np.exp(a - most)
    total = np.sum(shares if b is None else b * shares, axis=axis, keepdims=True)
    out = np.log(total) + most
    if not keepdims:
        out = out.reshape(()) if axis is None else np.squeeze(out, axis)
    return out if out.ndim else out[()]


def softmax(x, axis=None):
    x = _floats(x)
    shares = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return shares / np.sum(shares, axis=axis, keepdims=True)


def log_softmax(x, axis=None):
    x = _floats(x)
    away = x - np.max(x, axis=axis, keepdims=True)
    return away - np.log(np.sum(np.exp(away), axis=axis, keepdims=True))


def _betainc(a, b, x):
    """The share of a beta distribution below `x`, by its continued fraction."""
    if not (a > 0 and b > 0 and 0 <= x <= 1):
        return math.nan
    if x in (0.0, 1.0):
        return x
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x > (a + 1) / (a + b + 2):
        return 1.0 - _betainc_front(b, a, 1 - x, front)
    return _betainc_front(a, b, x, front)


def _betainc_front(a, b, x, front):
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1)
    d = 1.0 / (d or 1e-300)
    out = d
    for m in range(1, 10000):
        for term in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1.0 / ((1.0 + term * d) or 1e-300)
            c = (1.0 + term / c) or 1e-300
            out *= c * d
        if abs(c * d - 1.0) < 1e-16:
            break
    return front * out / a


betainc = _each(_betainc)


def betaln(a, b):
    return gammaln(a) + gammaln(b) - gammaln(_floats(a) + b)


def beta(a, b):
    return np.exp(betaln(a, b))


def rel_entr(x, y):
    x, y = np.broadcast_arrays(_floats(x), _floats(y))
    inside = (x > 0) & (y > 0)
    made = x * np.log(np.where(inside, x, 1.0) / np.where(inside, y, 1.0))
    out = np.where(inside, made, np.where((x == 0) & (y >= 0), 0.0, np.inf))
    return out if out.ndim else out[()]


def kl_div(x, y):
    x, y = np.broadcast_arrays(_floats(x), _floats(y))
    out = rel_entr(x, y) - x + y
    return out


def factorial(n, exact=False):
    if exact:
        if not isinstance(n, int):
            raise NotImplementedError("scipy.special.factorial(exact=True) of an array")
        return math.factorial(n) if n >= 0 else 0
    x = asarray(n)
    return np.where(x < 0, 0.0, gamma(np.maximum(x, 0) + 1.0))[()]


def comb(N, k, *, exact=False, repetition=False):
    if repetition:
        return comb(N + k - 1, k, exact=exact)
    if exact:
        return math.comb(N, k) if 0 <= k <= N else 0
    return _each(lambda n, j: float(math.comb(int(n), int(j))) if 0 <= j <= n else 0.0)(N, k)


def perm(N, k, exact=False):
    if exact:
        return math.perm(N, k) if 0 <= k <= N else 0
    return _each(lambda n, j: float(math.perm(int(n), int(j))) if 0 <= j <= n else 0.0)(N, k)


def binom(n, k):
    return comb(n, k)


__getattr__ = lacking("scipy.special")

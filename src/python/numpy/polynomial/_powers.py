"""Power series by their coefficients, the lowest power first."""

import numpy as np
from numpy._array import asarray
from numpy._types import FLOAT64


def polyval(x, c, tensor=True):
    c = np.atleast_1d(c)
    c = c.astype(FLOAT64) if c.dtype.kind in "biu" else c
    x = asarray(x)
    c = c.reshape(c.shape + (1,) * x.ndim) if tensor and x.ndim else c
    total = c[-1] + x * 0
    for i in range(2, len(c) + 1):
        total = c[-i] + total * x
    return total


def polyvander(x, deg):
    return np.vander(asarray(x).astype(FLOAT64), deg + 1, increasing=True)


def polyfit(x, y, deg, rcond=None, full=False, w=None):
    from ._family import fitted

    return fitted(polyvander, x, y, deg, rcond, full, w)


def polyroots(c):
    return np.sort(np.roots(np.atleast_1d(c)[::-1].copy()))


def _floats(c):
    c = np.atleast_1d(c)
    return c if c.dtype.kind in "fc" else c.astype(FLOAT64)


def polyadd(c1, c2):
    return polytrim(np.polyadd(_floats(c1)[::-1].copy(), _floats(c2)[::-1].copy())[::-1].copy())


def polysub(c1, c2):
    return polyadd(c1, -_floats(c2))


def polymul(c1, c2):
    return np.convolve(_floats(c1), _floats(c2))


def polyder(c, m=1):
    c = _floats(c)
    for _ in range(m):
        c = c[1:] * np.arange(1, len(c)) if len(c) > 1 else c[:1] * 0
    return c


def polyint(c, m=1, k=0):
    c = _floats(c)
    for _ in range(m):
        c = np.concatenate([[float(k)], c / np.arange(1, len(c) + 1)])
    return c


def polytrim(c, tol=0):
    c = _floats(c)
    kept = np.flatnonzero(np.abs(c) > tol)
    return c[:int(kept[-1]) + 1] if len(kept) else c[:1] * 0


def polydiv(c1, c2):
    found, left = np.polydiv(_floats(c1)[::-1].copy(), _floats(c2)[::-1].copy())
    return found[::-1].copy(), polytrim(left[::-1].copy())


def polypow(c, pow, maxpower=None):
    found = np.ones(1)
    for _ in range(pow):
        found = polymul(found, c)
    return found


def polyline(off, scl):
    return np.array([off, scl]) if scl != 0 else np.array([off])


def polyfromroots(roots):
    return np.poly(roots)[::-1].copy() if len(roots) else np.ones(1)


def polymulx(c):
    return np.concatenate([[0.0], _floats(c)])


def polyval2d(x, y, c):
    return polyval(y, polyval(x, c), tensor=False)

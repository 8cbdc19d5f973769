"""Power series by their coefficients, the lowest power first."""

import sys as _sys

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
    if full:
        raise NotImplementedError("numpy.polynomial.polynomial.polyfit(full=True)")
    return np.polyfit(x, y, deg, rcond, w=w)[::-1].copy()


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


class Polynomial:
    """One power series over a domain that is mapped to a window."""

    def __init__(self, coef, domain=None, window=None, symbol="x"):
        self.coef = _floats(coef)
        self.domain = np.array([-1.0, 1.0]) if domain is None else _floats(domain)
        self.window = np.array([-1.0, 1.0]) if window is None else _floats(window)
        self.symbol = symbol

    def mapparms(self):
        (a, b), (c, d) = self.domain, self.window
        return (b * c - a * d) / (b - a), (d - c) / (b - a)

    def __call__(self, arg):
        offset, scale = self.mapparms()
        return polyval(offset + scale * asarray(arg), self.coef)

    def convert(self, domain=None, kind=None, window=None):
        offset, scale = self.mapparms()
        found, power = np.zeros(1), np.ones(1)
        for c in self.coef:
            found, power = polyadd(found, power * c), polymul(power, np.array([offset, scale]))
        return Polynomial(found, domain, window)

    @classmethod
    def fit(cls, x, y, deg, domain=None, rcond=None, full=False, w=None, window=None):
        x = asarray(x).astype(FLOAT64)
        domain = np.array([np.min(x), np.max(x)]) if domain is None else _floats(domain)
        made = cls([0.0], domain, window)
        offset, scale = made.mapparms()
        made.coef = polyfit(offset + scale * x, y, deg, rcond, full, w)
        return made

    @classmethod
    def fromroots(cls, roots, domain=None, window=None):
        return cls(np.poly(roots)[::-1].copy(), domain, window)

    def degree(self):
        return len(self.coef) - 1

    def roots(self):
        offset, scale = self.mapparms()
        return (polyroots(self.coef) - offset) / scale

    def deriv(self, m=1):
        return Polynomial(polyder(self.coef, m) * self.mapparms()[1] ** m, self.domain, self.window)

    def integ(self, m=1, k=[], lbnd=None):
        offset, scale = self.mapparms()
        start = 0 if lbnd is None else offset + scale * lbnd
        constants = list(np.atleast_1d(k))
        coef = self.coef
        for constant in constants + [0] * (m - len(constants)):
            coef = polyint(coef / scale)
            coef[0] += constant - polyval(start, coef)
        return Polynomial(coef, self.domain, self.window)

    def linspace(self, n=100, domain=None):
        x = np.linspace(*(self.domain if domain is None else domain), n)
        return x, self(x)

    def _with(self, other, function):
        return Polynomial(function(self.coef, other.coef if isinstance(other, Polynomial) else other), self.domain, self.window)

    __add__ = __radd__ = lambda self, other: self._with(other, polyadd)
    __sub__ = lambda self, other: self._with(other, polysub)
    __mul__ = __rmul__ = lambda self, other: self._with(other, polymul)
    __neg__ = lambda self: Polynomial(-self.coef, self.domain, self.window)
    __len__ = lambda self: len(self.coef)
    __iter__ = lambda self: iter(self.coef)

    def __pow__(self, n):
        out = Polynomial([1.0], self.domain, self.window)
        for _ in range(n):
            out = out * self
        return out

    def __repr__(self):
        parts = (repr(v)[6:-1] for v in (self.coef, self.domain, self.window))
        return "Polynomial({}, domain={}, window={}, symbol='{}')".format(*parts, self.symbol)

    def __str__(self):
        raised = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
        text = str(self.coef[0])
        for i, c in enumerate(self.coef[1:], 1):
            text += f" {'-' if c < 0 else '+'} {abs(c)}·{self.symbol}{str(i).translate(raised) if i > 1 else ''}"
        return text


# `numpy.polynomial.polynomial` holds the same functions.
polynomial = _sys.modules["numpy.polynomial.polynomial"] = _sys.modules[__name__]

"""Distributions that fewer programs ask for."""

import math

import numpy as np
from scipy.special import betainc, betaln, gammaln, ndtr, ndtri, xlogy
from scipy.stats import _Discrete, _Distribution

NAMES = ("f", "lognorm", "laplace", "logistic", "cauchy", "weibull_min", "pareto", "rayleigh", "geom", "randint",
         "loguniform", "reciprocal")


class _F(_Distribution):
    shapes, low = ("dfn", "dfd"), 0.0

    def _log(self, z, m, n):
        return m / 2 * np.log(m) + n / 2 * np.log(n) + xlogy(m / 2 - 1, z) - (n + m) / 2 * np.log(n + m * z) - betaln(m / 2, n / 2)

    def _below(self, z, m, n):
        return betainc(m / 2, n / 2, m * z / (n + m * z))

    def _above(self, z, m, n):
        return betainc(n / 2, m / 2, n / (n + m * z))

    def _moments(self, m, n):
        with np.errstate(all="ignore"):
            return np.where(n > 2, n / (n - 2), np.inf), np.where(n > 4, 2 * n * n * (m + n - 2) / (m * (n - 2) ** 2 * (n - 4)), np.inf)

    def _draw(self, source, size, m, n):
        return source.f(m, n, size)


class _Closed(_Distribution):
    """A distribution whose share below, and where it is, are formulas."""

    def ppf(self, q, *args, **options):
        with np.errstate(all="ignore"):
            return super().ppf(q, *args, **options)


class _LogNormal(_Closed):
    shapes, low = ("s",), 0.0

    def _log(self, z, s):
        z = np.where(z > 0, z, 1e-300)
        return -np.log(z) ** 2 / (2 * s * s) - np.log(s * z * math.sqrt(2 * math.pi))

    def _below(self, z, s):
        return ndtr(np.log(z) / s)

    def _above(self, z, s):
        return ndtr(-np.log(z) / s)

    def _place(self, q, s):
        return np.exp(s * ndtri(q))

    def _moments(self, s):
        p = np.exp(s * s)
        return np.sqrt(p), p * (p - 1)

    def _draw(self, source, size, s):
        return np.exp(s * source.standard_normal(size))


class _Laplace(_Closed):
    def _log(self, z):
        return math.log(0.5) - np.abs(z)

    def _below(self, z):
        return np.where(z > 0, 1 - 0.5 * np.exp(-np.abs(z)), 0.5 * np.exp(-np.abs(z)))

    def _above(self, z):
        return self._below(-z)

    def _place(self, q):
        return np.where(q > 0.5, -np.log(2 * (1 - q)), np.log(2 * q))

    def _moments(self):
        return 0.0, 2.0

    def _draw(self, source, size):
        return source.laplace(0, 1, size)


class _Logistic(_Closed):
    def _log(self, z):
        return -np.abs(z) - 2 * np.log1p(np.exp(-np.abs(z)))

    def _below(self, z):
        return 1 / (1 + np.exp(-z))

    def _above(self, z):
        return 1 / (1 + np.exp(z))

    def _place(self, q):
        return np.log(q) - np.log1p(-q)

    def _moments(self):
        return 0.0, math.pi ** 2 / 3

    def _draw(self, source, size):
        return source.logistic(size=size)


class _Cauchy(_Closed):
    def _log(self, z):
        return -np.log(math.pi * (1 + z * z))

    def _below(self, z):
        return np.arctan2(1, -z) / math.pi

    def _above(self, z):
        return np.arctan2(1, z) / math.pi

    def _place(self, q):
        return np.tan(math.pi * q - math.pi / 2)

    def _moments(self):
        return np.nan, np.nan

    def _draw(self, source, size):
        return self._place(source.uniform(size=size))


class _Weibull(_Closed):
    shapes, low = ("c",), 0.0

    def _log(self, z, c):
        return np.log(c) + xlogy(c - 1, z) - z ** c

    def _below(self, z, c):
        return -np.expm1(-z ** c)

    def _above(self, z, c):
        return np.exp(-z ** c)

    def _place(self, q, c):
        return (-np.log1p(-q)) ** (1 / c)

    def _moments(self, c):
        first, second = np.exp(gammaln(1 + 1 / c)), np.exp(gammaln(1 + 2 / c))
        return first, second - first * first

    def _draw(self, source, size, c):
        return self._place(source.uniform(size=size), c)


class _Rayleigh(_Closed):
    low = 0.0

    def _log(self, z):
        return np.log(np.where(z > 0, z, 1e-300)) - z * z / 2

    def _below(self, z):
        return -np.expm1(-z * z / 2)

    def _above(self, z):
        return np.exp(-z * z / 2)

    def _place(self, q):
        return np.sqrt(-2 * np.log1p(-q))

    def _moments(self):
        return math.sqrt(math.pi / 2), (4 - math.pi) / 2

    def _draw(self, source, size):
        raise NotImplementedError("scipy.stats.rayleigh.rvs")


class _Pareto(_Closed):
    shapes, low = ("b",), 1.0

    def _middle(self, own):
        return 2.0

    def _log(self, z, b):
        return np.log(b) - (b + 1) * np.log(z)

    def _below(self, z, b):
        return 1 - z ** -b

    def _above(self, z, b):
        return z ** -b

    def _place(self, q, b):
        return (1 - q) ** (-1 / b)

    def _moments(self, b):
        with np.errstate(all="ignore"):
            return np.where(b > 1, b / (b - 1), np.inf), np.where(b > 2, b / ((b - 2) * (b - 1) ** 2), np.inf)

    def _draw(self, source, size, b):
        return self._place(source.uniform(size=size), b)


class _LogUniform(_Distribution):
    """Numbers whose logarithms are spread evenly between those of two."""

    shapes = ("a", "b")

    def ends(self, a, b):
        return a, b

    def _middle(self, own):
        return np.sqrt(own[0] * own[1])

    def _log(self, z, a, b):
        return -np.log(z) - np.log(np.log(b) - np.log(a))

    def _below(self, z, a, b):
        return (np.log(z) - np.log(a)) / (np.log(b) - np.log(a))

    def _place(self, q, a, b):
        return np.exp(np.log(a) + q * (np.log(b) - np.log(a)))

    def _moments(self, a, b):
        wide = np.log(b) - np.log(a)
        mean = (b - a) / wide
        return mean, (b * b - a * a) / (2 * wide) - mean**2

    def _draw(self, source, size, a, b):
        return self._place(source.uniform(size=size), a, b)


loguniform, reciprocal = _LogUniform("loguniform"), _LogUniform("reciprocal")


class _Geometric(_Discrete):
    shapes, low = ("p",), 1.0

    def _log(self, k, p):
        return xlogy(k - 1, 1 - p) + np.log(p)

    def cdf(self, k, *args, **options):
        (p,), loc, _ = self._own(args, options)
        k = np.floor(np.asarray(k, dtype=float) - loc)
        made = np.where(k < 1, 0.0, -np.expm1(np.log1p(-p) * k))
        return made if made.ndim else np.float64(float(made))

    def _moments(self, p):
        return 1 / p, (1 - p) / p / p

    def _draw(self, source, size, p):
        return source.geometric(p, size)


class _Randint(_Discrete):
    shapes = ("low", "high")

    def _own(self, args, options, free=()):
        known = dict(zip(("low", "high", "loc"), args))
        known.update(options)
        return [np.asarray(float(known["low"])), np.asarray(float(known["high"]))], np.asarray(float(known.get("loc", 0))), np.asarray(1.0)

    def ends(self, low, high):
        return low, high - 1

    def _log(self, k, low, high):
        return np.zeros_like(k) - np.log(high - low)

    def cdf(self, k, *args, **options):
        (low, high), loc, _ = self._own(args, options)
        made = np.clip((np.floor(np.asarray(k, dtype=float) - loc) - low + 1) / (high - low), 0, 1)
        return made if made.ndim else np.float64(float(made))

    def _moments(self, low, high):
        return (high + low - 1) / 2, ((high - low) ** 2 - 1) / 12

    def _draw(self, source, size, low, high):
        return source.randint(int(low), int(high), size=size)


f, lognorm, laplace, logistic, cauchy = _F("f"), _LogNormal("lognorm"), _Laplace("laplace"), _Logistic("logistic"), _Cauchy("cauchy")
weibull_min, pareto, rayleigh = _Weibull("weibull_min"), _Pareto("pareto"), _Rayleigh("rayleigh")
geom, randint = _Geometric("geom"), _Randint("randint")

"""Distributions of counts without replacement, between bounds, of several numbers at once, and the higher moments of the usual ones."""

import math

import numpy as np
from scipy import stats
from scipy.special import betainc, gammaln, ndtr, ndtri, xlogy
from scipy.stats import _Discrete, _Distribution, _floats, _number

NAMES = ("hypergeom", "nbinom", "triang", "truncnorm", "studentized_range", "dirichlet", "multinomial", "rv_discrete")


class _Hypergeometric(_Discrete):
    shapes = ("M", "n", "N")
    zero = ("N",)

    def ends(self, M, n, N):
        return np.maximum(N - (M - n), 0), np.minimum(n, N)

    def _log(self, k, M, n, N):
        ways = lambda of, some: gammaln(of + 1) - gammaln(some + 1) - gammaln(of - some + 1)
        return ways(n, k) + ways(M - n, N - k) - ways(M, N)

    def cdf(self, k, *args, **options):
        (M, n, N), loc, _ = self._own(args, options)
        if any(p.ndim for p in (M, n, N)):
            raise NotImplementedError("scipy.stats.hypergeom.cdf of several parameters")
        low, high = (float(v) for v in self.ends(M, n, N))
        steps = np.cumsum(np.exp(self._log(np.arange(low, high + 1), M, n, N)))
        at = np.floor(_floats(k) - loc) - low
        return _number(np.where(at < 0, 0.0, np.minimum(steps[np.clip(at, 0, len(steps) - 1).astype(np.int64)], 1.0)))

    def _moments(self, M, n, N):
        return N * n / M, N * n * (M - n) * (M - N) / (M * M * (M - 1))

    def _draw(self, source, size, M, n, N):
        return source.hypergeometric(int(n), int(M - n), int(N), size)


class _NegativeBinomial(_Discrete):
    shapes = ("n", "p")

    def ends(self, n, p):
        return 0.0, np.inf

    def _log(self, k, n, p):
        return gammaln(n + k) - gammaln(k + 1) - gammaln(n) + n * np.log(p) + xlogy(k, 1 - p)

    def cdf(self, k, *args, **options):
        (n, p), loc, _ = self._own(args, options)
        k = np.floor(_floats(k) - loc)
        return _number(np.where(k < 0, 0.0, betainc(n, np.maximum(k, 0) + 1, p)))

    def _moments(self, n, p):
        return n * (1 - p) / p, n * (1 - p) / p / p

    def _draw(self, source, size, n, p):
        return source.negative_binomial(n, p, size)


class _Triangle(_Distribution):
    shapes, zero = ("c",), ("c",)
    low, high = 0.0, 1.0

    def _log(self, z, c):
        with np.errstate(all="ignore"):
            return np.log(np.where(z < c, 2 * z / c, np.where(c < 1, 2 * (1 - z) / (1 - c), 2 * z)))

    def _below(self, z, c):
        with np.errstate(all="ignore"):
            return np.where(z < c, z * z / c, np.where(c < 1, (z * z - 2 * z + c) / (c - 1), z * z))

    def _place(self, q, c):
        return np.where(q < c, np.sqrt(c * q), 1 - np.sqrt((1 - c) * (1 - q)))

    def _moments(self, c):
        return (c + 1) / 3, (1 - c + c * c) / 18

    def _draw(self, source, size, c):
        return source.triangular(0, float(c), 1, size)


class _Truncated(_Distribution):
    """A normal distribution between two ends."""

    shapes, signed = ("a", "b"), ("a", "b")

    def ends(self, a, b):
        return a, b

    def _middle(self, own):
        return np.clip(0.0, *own)

    def _share(self, a, b):
        # In the upper tail, both shares are near 1: those above are subtracted there.
        return np.where(a > 0, ndtr(-a) - ndtr(-b), ndtr(b) - ndtr(a))

    def _log(self, z, a, b):
        return -z * z / 2 - 0.5 * math.log(2 * math.pi) - np.log(self._share(a, b))

    def _below(self, z, a, b):
        return self._share(a, z) / self._share(a, b)

    def _above(self, z, a, b):
        return self._share(z, b) / self._share(a, b)

    def _place(self, q, a, b):
        whole = self._share(a, b)
        return np.where(a > 0, -ndtri(ndtr(-a) - q * whole), ndtri(ndtr(a) + q * whole))

    def _moments(self, a, b):
        density = lambda v: np.exp(-v * v / 2) / math.sqrt(2 * math.pi)
        edge = lambda v: np.where(np.isfinite(v), np.where(np.isfinite(v), v, 0.0) * density(v), 0.0)
        whole = self._share(a, b)
        mean = (density(a) - density(b)) / whole
        return mean, 1 + (edge(a) - edge(b)) / whole - mean * mean

    def _draw(self, source, size, a, b):
        return self._place(np.asarray(source.uniform(0.0, 1.0, size)), a, b)


class _Range(_Distribution):
    """The range of `k` normal numbers, in units of a deviation that is estimated with `df` degrees of freedom."""

    shapes, low = ("k", "df"), 0.0

    def _below(self, q, k, df):
        wide = np.broadcast_arrays(q, k, df)
        made = np.array([self._one(*values) for values in zip(*(a.reshape(-1).tolist() for a in wide))])
        return made.reshape(wide[0].shape)

    @staticmethod
    def _one(q, k, df):
        # Sums of equal steps are nearly exact here: both integrands vanish at their ends.
        z = np.arange(-8.5, 8.5, 0.125)
        weight = np.exp(-z * z / 2) * (0.125 / math.sqrt(2 * math.pi)) * k
        if math.isinf(df):
            return float((weight * (ndtr(z) - ndtr(z - q)) ** (k - 1)).sum())
        # The logarithm of the estimated deviation.
        low = -38 / df - min(0.5, 1.5 * math.sqrt(38 / df))
        high = 0.5 * math.log1p(76 / df + 2 * math.sqrt(152 / df))
        t, step = np.linspace(low, high, 160, retstep=True)
        scale = np.exp(t)
        likely = df * (t - scale * scale / 2) + df / 2 * math.log(df) - math.lgamma(df / 2) - (df / 2 - 1) * math.log(2)
        inside = (weight * (ndtr(z) - ndtr(z - q * scale[:, None])) ** (k - 1)).sum(axis=1)
        return min(float((np.exp(likely) * inside).sum() * step), 1.0)

    def _search(self, q, low, high, own):
        from scipy.optimize import brentq

        if q in (0.0, 1.0):
            return low if q == 0 else high
        k, df = (float(v) for v in own)
        top = 8.0
        while self._one(top, k, df) < q:
            top *= 2
        return brentq(lambda v: self._one(v, k, df) - q, 0.0, top, xtol=1e-13)


class _Dirichlet:
    def __init__(self, alpha=None):
        self._alpha = alpha

    def __call__(self, alpha, seed=None):
        return _Dirichlet(alpha)

    def _parts(self, alpha):
        alpha = _floats(self._alpha if alpha is None else alpha)
        if not (alpha > 0).all():
            raise ValueError("All parameters must be greater than 0")
        return alpha, alpha.sum()

    def mean(self, alpha=None):
        alpha, whole = self._parts(alpha)
        return alpha / whole

    def var(self, alpha=None):
        alpha, whole = self._parts(alpha)
        return alpha * (whole - alpha) / (whole * whole * (whole + 1))

    def logpdf(self, x, alpha=None):
        alpha, whole = self._parts(alpha)
        x = _floats(x)
        if len(x) == len(alpha) - 1:
            x = np.append(x, 1 - x.sum())
        if abs(float(x.sum()) - 1) > 1e-9:
            raise ValueError("The input vector 'x' must lie within the normal simplex. but np.sum(x, 0) = " f"{x.sum(0)}.")
        return xlogy(alpha - 1, x).sum() + gammaln(whole) - gammaln(alpha).sum()

    def pdf(self, x, alpha=None):
        return np.exp(self.logpdf(x, alpha))

    def rvs(self, alpha=None, size=1, random_state=None):
        if self._alpha is not None:
            alpha, size, random_state = self._alpha, 1 if alpha is None else alpha, random_state
        return stats._drawing(random_state).dirichlet(alpha, size)


class _Multinomial:
    def __init__(self, n=None, p=None):
        self.n, self.p = n, p

    def __call__(self, n, p, seed=None):
        return _Multinomial(n, p)

    def _parts(self, n, p):
        p = _floats(self.p if p is None else p).copy()
        # The last share is what the others leave.
        p[-1] = 1.0 - p[:-1].sum()
        return self.n if n is None else n, p

    def logpmf(self, x, n=None, p=None):
        n, p = self._parts(n, p)
        x = _floats(x)
        made = gammaln(np.float64(n + 1)) + (xlogy(x, p) - gammaln(x + 1)).sum(axis=-1)
        return _number(np.where((x.sum(axis=-1) == n) & (x >= 0).all(axis=-1), made, -np.inf))

    def pmf(self, x, n=None, p=None):
        return _number(np.exp(self.logpmf(x, n, p)))

    def mean(self, n=None, p=None):
        n, p = self._parts(n, p)
        return n * p

    def cov(self, n=None, p=None):
        n, p = self._parts(n, p)
        return n * (np.diag(p) - np.outer(p, p))

    def rvs(self, n=None, p=None, size=None, random_state=None):
        if self.n is not None:
            return stats._drawing(random_state).multinomial(self.n, self.p, n if size is None else size)
        return stats._drawing(random_state).multinomial(n, p, size)


class rv_discrete(_Discrete):
    """A distribution of numbers whose shares are given."""

    def __init__(self, a=0, b=math.inf, name=None, badvalue=None, moment_tol=1e-8, values=None, inc=1, longname=None, shapes=None, seed=None):
        if values is None:
            raise NotImplementedError("scipy.stats.rv_discrete without values=")
        super().__init__(name or "Distribution")
        numbers, shares = (np.asarray(v, dtype=float).reshape(-1) for v in values)
        if len(numbers) != len(shares):
            raise ValueError("xk and pk must have the same shape.")
        if (shares < 0).any():
            raise ValueError("All elements of pk must be non-negative.")
        if not np.allclose(shares.sum(), 1):
            raise ValueError("The sum of provided pk is not 1.")
        order = np.argsort(numbers, kind="stable")
        self.xk, self.pk = numbers[order], shares[order]
        self._whole = np.cumsum(self.pk)

    def ends(self):
        return self.xk[0], self.xk[-1]

    def logpmf(self, k, loc=0):
        with np.errstate(divide="ignore"):
            return _number(np.log(self.pmf(k, loc)))

    def pmf(self, k, loc=0):
        k = np.asarray(_floats(k) - loc)
        return _number(((k[..., None] == self.xk) * self.pk).sum(axis=-1))

    def cdf(self, k, loc=0):
        k = np.asarray(_floats(k) - loc)
        return _number(((k[..., None] >= self.xk) * self.pk).sum(axis=-1))

    def ppf(self, q, loc=0):
        q = _floats(q)
        return _number(np.where((q >= 0) & (q <= 1), self.xk[np.minimum(np.searchsorted(self._whole, q), len(self.xk) - 1)] + loc, np.nan))

    def _moments(self):
        mean = (self.xk * self.pk).sum()
        return mean, (self.xk**2 * self.pk).sum() - mean * mean

    def rvs(self, loc=0, size=None, random_state=None):
        made = self.ppf(stats._drawing(random_state).uniform(size=size), loc)
        whole = (self.xk == np.floor(self.xk)).all()
        return (int(made) if size is None else made.astype(np.int64)) if whole else made

    def expect(self, func=None, *args, **options):
        values = self.xk if func is None else np.array([float(func(x)) for x in self.xk])
        return (values * self.pk).sum()


hypergeom, nbinom, triang, truncnorm = _Hypergeometric("hypergeom"), _NegativeBinomial("nbinom"), _Triangle("triang"), _Truncated("truncnorm")
studentized_range, dirichlet, multinomial = _Range("studentized_range"), _Dirichlet(), _Multinomial()


def _student_higher(df):
    return (np.where(df > 3, 0.0, np.nan), np.where(df > 4, 6.0 / np.where(df > 4, df - 4, 1.0), np.where(df > 2, np.inf, np.nan)))


def _beta_higher(a, b):
    skew = 2 * (b - a) * np.sqrt(1 + a + b) / (np.sqrt(a * b) * (2 + a + b))
    return skew, 6 * ((a - b) ** 2 * (1 + a + b) - a * b * (2 + a + b)) / (a * b * (2 + a + b) * (3 + a + b))


def _log_normal_higher(s):
    p = np.exp(s * s)
    return np.sqrt(p - 1) * (2 + p), p**4 + 2 * p**3 + 3 * p**2 - 6


# The skewness and the kurtosis of distributions, of their own parameters.
HIGHER = {
    "norm": lambda: (0.0, 0.0),
    "uniform": lambda: (0.0, -1.2),
    "expon": lambda: (2.0, 6.0),
    "logistic": lambda: (0.0, 1.2),
    "laplace": lambda: (0.0, 3.0),
    "t": _student_higher,
    "beta": _beta_higher,
    "lognorm": _log_normal_higher,
    "gamma": lambda a: (2.0 / np.sqrt(a), 6.0 / a),
    "chi2": lambda df: (2 * np.sqrt(2.0 / df), 12.0 / df),
    "binom": lambda n, p: ((1 - 2 * p) / np.sqrt(n * p * (1 - p)), (1 - 6 * p * (1 - p)) / (n * p * (1 - p))),
    "bernoulli": lambda p: ((1 - 2 * p) / np.sqrt(p * (1 - p)), (1 - 6 * p * (1 - p)) / (p * (1 - p))),
    "poisson": lambda mu: (np.sqrt(1.0 / mu), 1.0 / mu),
    "geom": lambda p: ((2 - p) / np.sqrt(1 - p), 6 + p * p / (1 - p)),
}

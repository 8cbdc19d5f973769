"""Distributions, correlations, tests of means, and summaries."""

import functools
import importlib
import math
import warnings

import numpy as np
from scipy import lacking
from scipy._results import result
from scipy.special import betainc, betaln, entr, gammainc, gammaincc, gammaln, log_ndtr, ndtr, ndtri, rel_entr, xlogy

ModeResult = result("ModeResult", "mode count")


class PearsonRResult(result("PearsonRResult", "statistic pvalue")):
    def confidence_interval(self, confidence_level=0.95, method=None):
        if method is not None:
            raise NotImplementedError("scipy.stats.pearsonr(...).confidence_interval(method=)")
        if self._count < 4:
            return ConfidenceInterval(np.float64(np.nan), np.float64(np.nan))
        both = self._side == "two-sided"
        away = ndtri(np.float64(0.5 + confidence_level / 2 if both else confidence_level)) * math.sqrt(1 / (self._count - 3))
        place = np.arctanh(self.statistic)
        low = np.float64(-1.0) if self._side == "less" else np.tanh(place - away)
        return ConfidenceInterval(low, np.float64(1.0) if self._side == "greater" else np.tanh(place + away))


SignificanceResult = result("SignificanceResult", "statistic pvalue")


class TtestResult(result("TtestResult", "statistic pvalue", "df")):
    def confidence_interval(self, confidence_level=0.95):
        rest = 1 - confidence_level
        p = {"less": (0.0, confidence_level), "greater": (rest, 1.0)}.get(self._side, (rest / 2, 1 - rest / 2))
        low, high = (t.ppf(q, self.df) * self._error + self._estimate for q in p)
        return ConfidenceInterval(low, high)


ConfidenceInterval = result("ConfidenceInterval", "low high")
LinregressResult = result("LinregressResult", "slope intercept rvalue pvalue stderr", "intercept_stderr")
DescribeResult = result("DescribeResult", "nobs minmax mean variance skewness kurtosis")


# ---- distributions ---------------------------------------------------------------------------------------------------


def _floats(x):
    x = np.asarray(x)
    return x if x.dtype.kind == "f" else x.astype(np.float64)


def _number(x):
    return x if getattr(x, "ndim", 0) else np.float64(float(x))


def _summed(function, low, high, inner):
    """An integral in pieces, each of which is smooth. Towards an infinite end, they get longer until they add nothing."""
    from scipy.integrate import quad

    ends = [x for x in (low, *(x for x in inner if low < x < high), high) if math.isfinite(x)]
    made = sum(quad(function, a, b)[0] for a, b in zip(ends, ends[1:]))
    for end, place, step in ((low, ends[0], -1.0), (high, ends[-1], 1.0)):
        step *= max(ends[-1] - ends[0], 1e-300) / 4
        for _ in range(0 if math.isfinite(end) else 300):
            part = quad(function, *sorted((place, place + step)))[0]
            made, place, step = made + part, place + step, step * 2
            if abs(part) <= 1e-15 * abs(made):
                break
    return np.float64(made)


def _drawing(random_state):
    """What draws numbers: NumPy's own state, one of a seed, or a generator."""
    if random_state is None:
        return np.random
    return np.random.RandomState(random_state) if isinstance(random_state, (int, np.integer)) else random_state


class _Distribution:
    """A family of distributions: its own parameters, then `loc` and `scale`."""

    shapes = ()
    # Parameters that can be negative, and those that can be zero.
    signed, zero = (), ()
    low, high = -math.inf, math.inf
    discrete = False

    def __init__(self, name):
        self.name = name

    def _own(self, args, options, free=()):
        """The family's parameters, `loc` and `scale`."""
        known = [*self.shapes, "loc"] + ([] if self.discrete else ["scale"])
        if len(args) > len(known):
            raise TypeError(f"_parse_args() takes from {1 + len(self.shapes)} to {1 + len(known)} positional arguments but "
                            f"{1 + len(args)} were given")
        given = {**dict(zip(known, args)), **options}
        missing = [name for name in self.shapes if name not in given]
        if missing:
            raise TypeError(f"_parse_args() missing {len(missing)} required positional argument{'s' if len(missing) > 1 else ''}: "
                            + " and ".join(repr(name) for name in missing))
        if unknown := [name for name in given if name not in known]:
            raise TypeError(f"_parse_args() got an unexpected keyword argument '{unknown[0]}'")
        # With impossible parameters, every answer is NaN.
        own = [_floats(given[name]) for name in self.shapes]
        fits = {"p": lambda v: (v >= 0) & (v <= 1), "n": lambda v: v >= 0, "mu": lambda v: v >= 0,
                **dict.fromkeys(self.zero, lambda v: v >= 0), **dict.fromkeys(self.signed, lambda v: v == v)}
        own = [np.where(fits.get(name, lambda v: v > 0)(v), v, np.nan) for name, v in zip(self.shapes, own)]
        scale = _floats(given.get("scale", 1.0))
        return own, _floats(given.get("loc", 0.0)), np.where(scale > 0, scale, np.nan)

    def __call__(self, *args, **options):
        return _Frozen(self, args, options)

    freeze = __call__

    def _inside(self, z, own):
        low, high = self.ends(*own)
        return (z >= low) & (z <= high)

    def ends(self, *own):
        return self.low, self.high

    def support(self, *args, **options):
        """The least and the largest number that can be drawn."""
        own, loc, scale = self._own(args, options)
        return tuple(_number(end * scale + loc) for end in self.ends(*own))

    def logpdf(self, x, *args, **options):
        own, loc, scale = self._own(args, options)
        z = (_floats(x) - loc) / scale
        inside = self._inside(z, own)
        middle = self._middle(own)
        return _number(np.where(np.isnan(z), np.nan, np.where(inside, self._log(np.where(inside, z, middle), *own) - np.log(scale),
                                                              -np.inf)))

    def _middle(self, own):
        return 0.5

    def pdf(self, x, *args, **options):
        return _number(np.exp(self.logpdf(x, *args, **options)))

    def cdf(self, x, *args, **options):
        own, loc, scale = self._own(args, options)
        z = (_floats(x) - loc) / scale
        low, high = self.ends(*own)
        inside = (z > low) & (z < high)
        return _number(np.where(np.isnan(z), np.nan, np.where(
            inside, self._below(np.where(inside, z, self._middle(own)), *own), np.where(z >= high, 1.0, 0.0))))

    def sf(self, x, *args, **options):
        own, loc, scale = self._own(args, options)
        z = (_floats(x) - loc) / scale
        low, high = self.ends(*own)
        inside = (z > low) & (z < high)
        return _number(np.where(np.isnan(z), np.nan, np.where(
            inside, self._above(np.where(inside, z, self._middle(own)), *own), np.where(z >= high, 0.0, 1.0))))

    def _above(self, z, *own):
        return 1.0 - self._below(z, *own)

    def logcdf(self, x, *args, **options):
        return _number(np.log(self.cdf(x, *args, **options)))

    def logsf(self, x, *args, **options):
        return _number(np.log(self.sf(x, *args, **options)))

    def ppf(self, q, *args, **options):
        own, loc, scale = self._own(args, options)
        q = _floats(q)
        bad = ~((q >= 0) & (q <= 1))
        return _number(np.where(bad, np.nan, self._place(np.where(bad, 0.5, q), *own) * scale + loc))

    def isf(self, q, *args, **options):
        own, loc, scale = self._own(args, options)
        return _number(self._top(_floats(q), *own) * scale + loc)

    def _top(self, q, *own):
        return self._place(1.0 - q, *own)

    def _place(self, q, *own):
        """Where the distribution's share below is `q`: by halving an interval around it."""
        wide = np.broadcast_arrays(q, *own)
        low, high = self.ends(*own)
        out = []
        for one, *rest in zip(*(a.reshape(-1).tolist() for a in wide)):
            out.append(self._search(one, float(low), float(high), [np.float64(v) for v in rest]))
        return np.array(out).reshape(wide[0].shape)

    def _search(self, q, low, high, own):
        if q in (0.0, 1.0):
            return low if q == 0 else high
        share = lambda z: float(self._below(np.float64(z), *own))
        a, b = (low if math.isfinite(low) else -1.0), (high if math.isfinite(high) else 1.0)
        while not math.isfinite(low) and share(a) > q:
            a *= 2
        while not math.isfinite(high) and share(b) < q:
            b = b * 2 if b > 0 else 1.0
        for _ in range(200):
            middle = (a + b) / 2
            if middle in (a, b):
                break
            a, b = (middle, b) if share(middle) < q else (a, middle)
        return (a + b) / 2

    def interval(self, confidence, *args, **options):
        part = (1 - confidence) / 2
        return self.ppf(part, *args, **options), self.ppf(1 - part, *args, **options)

    def median(self, *args, **options):
        return self.ppf(0.5, *args, **options)

    def mean(self, *args, **options):
        own, loc, scale = self._own(args, options)
        return _number(self._moments(*own)[0] * scale + loc)

    def var(self, *args, **options):
        own, loc, scale = self._own(args, options)
        return _number(self._moments(*own)[1] * scale * scale)

    def std(self, *args, **options):
        return _number(np.sqrt(self.var(*args, **options)))

    def stats(self, *args, moments="mv", **options):
        own, _, _ = self._own(args, options)
        found = {"m": lambda: self.mean(*args, **options), "v": lambda: self.var(*args, **options)}
        if set(moments) & {"s", "k"}:
            from scipy._rare import HIGHER

            if self.name not in HIGHER:
                raise NotImplementedError(f"scipy.stats.{self.name}.stats: skewness and kurtosis")
            with np.errstate(all="ignore"):
                skewness, tails = HIGHER[self.name](*own)
            found.update(s=lambda: _number(np.asarray(skewness)), k=lambda: _number(np.asarray(tails)))
        made = tuple(found[moment]() for moment in "mvsk" if moment in moments)
        return made[0] if len(made) == 1 else made

    def expect(self, func=None, args=(), loc=0, scale=1, lb=None, ub=None, conditional=False):
        """The mean of a function of the number drawn."""
        ways = {"loc": loc} if self.discrete else {"loc": loc, "scale": scale}
        low, high = (float(v) for v in self.support(*args, **ways))
        low, high = low if lb is None else lb, high if ub is None else ub
        value = func or (lambda x: x)
        if self.discrete:
            top = high if math.isfinite(high) else float(self.ppf(1 - 1e-15, *args, **ways)) + 10
            ks = np.arange(low, top + 1)
            made, whole = (self.pmf(ks, *args, **ways) * np.array([float(value(k)) for k in ks])).sum(), self.pmf(ks, *args, **ways).sum()
        else:
            made = _summed(lambda x: value(x) * self.pdf(x, *args, **ways), low, high,
                           [float(self.ppf(q, *args, **ways)) for q in (1e-3, 0.05, 0.25, 0.5, 0.75, 0.95, 0.999)])
            whole = self.cdf(high, *args, **ways) - self.cdf(low, *args, **ways)
        return made / whole if conditional else made

    def rvs(self, *args, size=None, random_state=None, **options):
        own, loc, scale = self._own(args, options)
        if any(np.isnan(v).any() for v in (*own, scale)):
            raise ValueError("Domain error in arguments. The `scale` parameter must be positive for all distributions, and many distributions have "
                             f"restrictions on shape parameters. Please see the `scipy.stats.{self.name}` documentation for details.")
        made = self._draw(_drawing(random_state), size, *own)
        if self.discrete:
            return int(made + int(loc)) if size is None and not np.ndim(made) else made + loc.astype(np.int64)
        return made * scale + loc

    def _draw(self, source, size, *own):
        raise NotImplementedError(f"scipy.stats.{self.name}.rvs")

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        raise AttributeError(f"scipy.stats.{self.name}.{name} is not part of this scipy")


class _Frozen:
    """A distribution with its parameters."""

    def __init__(self, dist, args, options):
        self.dist, self.args, self.kwds = dist, args, options

    def rvs(self, size=None, random_state=None):
        return self.dist.rvs(*self.args, size=size, random_state=random_state, **self.kwds)

    def stats(self, moments="mv"):
        return self.dist.stats(*self.args, moments=moments, **self.kwds)

    def expect(self, func=None, lb=None, ub=None, conditional=False):
        shapes = self.dist.shapes
        given = {**dict(zip([*shapes, "loc", "scale"], self.args)), **self.kwds}
        place = {name: given[name] for name in ("loc", "scale") if name in given}
        return self.dist.expect(func, tuple(given[name] for name in shapes), lb=lb, ub=ub, conditional=conditional, **place)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        method = getattr(self.dist, name)
        return lambda *args, **options: method(*args, *self.args, **{**self.kwds, **options})


class _Normal(_Distribution):
    def _log(self, z):
        return -z * z / 2.0 - 0.5 * math.log(2 * math.pi)

    def pdf(self, x, *args, **options):
        _, loc, scale = self._own(args, options)
        z = (_floats(x) - loc) / scale
        return _number(np.exp(-z * z / 2.0) / math.sqrt(2 * math.pi) / scale)

    def _below(self, z):
        return ndtr(z)

    def _above(self, z):
        return ndtr(-z)

    def _place(self, q):
        return ndtri(q)

    def _top(self, q):
        return -ndtri(q)

    def logcdf(self, x, *args, **options):
        _, loc, scale = self._own(args, options)
        return log_ndtr((_floats(x) - loc) / scale)

    def logsf(self, x, *args, **options):
        _, loc, scale = self._own(args, options)
        return log_ndtr(-(_floats(x) - loc) / scale)

    def _moments(self):
        return 0.0, 1.0

    def entropy(self, *args, **options):
        _, _, scale = self._own(args, options)
        return _number(0.5 * (math.log(2 * math.pi) + 1) + np.log(scale))

    def fit(self, data, **options):
        if options:
            raise NotImplementedError(f"scipy.stats.norm.fit({', '.join(options)}=)")
        data = _floats(data)
        loc = data.mean()
        return loc, np.sqrt(((data - loc) ** 2).mean())

    def _draw(self, source, size):
        return source.standard_normal(size)


class _Uniform(_Distribution):
    low, high = 0.0, 1.0

    def _log(self, z):
        return np.zeros_like(z)

    def _below(self, z):
        return z

    def _place(self, q):
        return q

    def _moments(self):
        return 0.5, 1 / 12

    def _draw(self, source, size):
        return source.uniform(0.0, 1.0, size)


class _Exponential(_Distribution):
    low = 0.0

    def _log(self, z):
        return -z

    def _below(self, z):
        return -np.expm1(-z)

    def _above(self, z):
        return np.exp(-z)

    def _place(self, q):
        return -np.log1p(-q)

    def _moments(self):
        return 1.0, 1.0

    def _draw(self, source, size):
        return source.standard_exponential(size)


def _fixed_fit(find):
    """`fit` of a family that is found without a search; `floc` and `fscale` are kept."""
    def fit(self, data, floc=None, fscale=None):
        if floc is not None and fscale is not None:
            raise ValueError("All parameters fixed. There is nothing to optimize.")
        return find(_floats(data), floc, fscale)

    return fit


def _exponential_fit(data, floc, fscale):
    low = data.min()
    if floc is not None and low < floc:
        raise ValueError(f"Invalid values in `data`.  Maximum likelihood estimation with 'expon' requires that {floc!r} < (x - loc)/scale "
                         "< inf for each x in `data`.")
    loc = low if floc is None else floc
    return float(loc), float(data.mean() - loc if fscale is None else fscale)


_Exponential.fit = _fixed_fit(_exponential_fit)


def _uniform_fit(data, floc, fscale):
    low, wide = float(data.min()), float(np.ptp(data))
    if floc is not None:
        return float(floc), float(data.max() - floc)
    return (low, wide) if fscale is None else (low - 0.5 * (fscale - wide), float(fscale))


_Uniform.fit = _fixed_fit(_uniform_fit)


class _Student(_Distribution):
    shapes = ("df",)

    def _log(self, z, df):
        return gammaln((df + 1) / 2) - gammaln(df / 2) - 0.5 * np.log(df * math.pi) - (df + 1) / 2 * np.log1p(z * z / df)

    def _below(self, z, df):
        tail = 0.5 * betainc(df / 2, 0.5, df / (df + z * z))
        return np.where(z > 0, 1.0 - tail, tail)

    def _above(self, z, df):
        return self._below(-z, df)

    def _place(self, q, df):
        return np.where(q == 0.5, 0.0, super()._place(q, df))

    def _moments(self, df):
        return np.where(df > 1, 0.0, np.nan), np.where(df > 2, df / (df - 2), np.inf)

    def _draw(self, source, size, df):
        return source.standard_t(df, size)


class _Chi2(_Distribution):
    shapes, low = ("df",), 0.0

    def _log(self, z, df):
        return xlogy(df / 2 - 1, z) - z / 2 - gammaln(df / 2) - math.log(2) * df / 2

    def _below(self, z, df):
        return gammainc(df / 2, z / 2)

    def _above(self, z, df):
        return gammaincc(df / 2, z / 2)

    def _moments(self, df):
        return df, 2 * df

    def _draw(self, source, size, df):
        return source.chisquare(df, size)


class _Gamma(_Distribution):
    shapes, low = ("a",), 0.0

    def _log(self, z, a):
        return xlogy(a - 1, z) - z - gammaln(a)

    def _below(self, z, a):
        return gammainc(a, z)

    def _above(self, z, a):
        return gammaincc(a, z)

    def _moments(self, a):
        return a, a

    def fit(self, data, floc=None):
        if floc is None:
            raise NotImplementedError("scipy.stats.gamma.fit without floc=")
        from scipy.optimize import brentq
        from scipy.special import digamma

        data = _floats(data) - floc
        if not (data > 0).all():
            raise ValueError(f"Invalid values in `data`.  Maximum likelihood estimation with 'gamma' requires that {floc!r} < (x - loc)/scale "
                             "< inf for each x in `data`.")
        mean = data.mean()
        away = float(np.log(mean) - np.log(data).mean())
        guess = (3 - away + math.sqrt((away - 3) ** 2 + 24 * away)) / (12 * away)
        shape = brentq(lambda a: math.log(a) - float(digamma(np.float64(a))) - away, guess * 0.6, guess * 1.4, disp=0)
        return shape, floc, mean / shape

    def _draw(self, source, size, a):
        return source.standard_gamma(a, size)


class _Beta(_Distribution):
    shapes, low, high = ("a", "b"), 0.0, 1.0

    def _log(self, z, a, b):
        return xlogy(a - 1, z) + xlogy(b - 1, 1 - z) - betaln(a, b)

    def _below(self, z, a, b):
        return betainc(a, b, z)

    def _above(self, z, a, b):
        return betainc(b, a, 1 - z)

    def _moments(self, a, b):
        return a / (a + b), a * b / ((a + b) ** 2 * (a + b + 1))

    def _draw(self, source, size, a, b):
        return source.beta(a, b, size)


class _Discrete(_Distribution):
    discrete = True
    low = 0.0

    def pdf(self, *args, **options):
        raise AttributeError(f"'{self.name}_gen' object has no attribute 'pdf'")

    def logpmf(self, k, *args, **options):
        own, loc, _ = self._own(args, options)
        k = _floats(k) - loc
        low, high = self.ends(*own)
        inside = (k >= low) & (k <= high) & (k == np.floor(k))
        return _number(np.where(inside, self._log(np.where(inside, k, 0.0), *own), -np.inf))

    def pmf(self, k, *args, **options):
        return _number(np.exp(self.logpmf(k, *args, **options)))

    def cdf(self, k, *args, **options):
        own, loc, _ = self._own(args, options)
        k = np.floor(_floats(k) - loc)
        most = int(k.max()) if k.size else 0
        steps = np.cumsum(np.exp(self._log(np.arange(max(min(most, float(np.max(self.ends(*own)[1]))), 0) + 1).astype(np.float64)
                                           [:, None], *[p.reshape(-1) for p in own])), 0) if own[0].ndim == 0 else None
        if steps is None:
            raise NotImplementedError(f"scipy.stats.{self.name}.cdf of several parameters")
        at = np.clip(k, 0, len(steps) - 1).astype(np.int64)
        return _number(np.where(k < 0, 0.0, np.minimum(steps[:, 0][at], 1.0)))

    def sf(self, k, *args, **options):
        return _number(1.0 - self.cdf(k, *args, **options))

    def ppf(self, q, *args, **options):
        own, loc, _ = self._own(args, options)
        if any(p.ndim for p in (*own, loc)):
            raise NotImplementedError(f"scipy.stats.{self.name}.ppf of several parameters")
        low, high = (float(v) for v in self.ends(*own))
        mean, var = (float(v) for v in self._moments(*own))
        limit = high if math.isfinite(high) else mean + 60 * math.sqrt(var) + 60
        shares = self.cdf(np.arange(low, limit + 1) + loc, *own, loc=loc)
        q = _floats(q)
        inside = (q > 0) & (q < 1)
        found = np.searchsorted(shares, np.where(inside, q, 0.5)) + low
        found = np.where(inside, found, np.where(q == 0, low - 1, np.where(q == 1, high, np.nan)))
        return _number(found + loc)

    def isf(self, q, *args, **options):
        return self.ppf(1 - _floats(q), *args, **options)


class _Binomial(_Discrete):
    shapes = ("n", "p")

    def ends(self, n, p):
        return 0.0, n

    def _log(self, k, n, p):
        return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) + xlogy(k, p) + xlogy(n - k, 1 - p)

    def _moments(self, n, p):
        return n * p, n * p * (1 - p)

    def _draw(self, source, size, n, p):
        return source.binomial(n.astype(np.int64), p, size)


class _Bernoulli(_Discrete):
    shapes, high = ("p",), 1.0

    def _log(self, k, p):
        return xlogy(k, p) + xlogy(1 - k, 1 - p)

    def _moments(self, p):
        return p, p * (1 - p)

    def _draw(self, source, size, p):
        return source.binomial(1, p, size)


class _Poisson(_Discrete):
    shapes = ("mu",)

    def _log(self, k, mu):
        return xlogy(k, mu) - gammaln(k + 1) - mu

    def _moments(self, mu):
        return mu, mu

    def _draw(self, source, size, mu):
        return source.poisson(mu, size)


norm, uniform, expon, t = _Normal("norm"), _Uniform("uniform"), _Exponential("expon"), _Student("t")
chi2, gamma, beta = _Chi2("chi2"), _Gamma("gamma"), _Beta("beta")
binom, bernoulli, poisson = _Binomial("binom"), _Bernoulli("bernoulli"), _Poisson("poisson")


class _Several:
    """Normal distributions of several numbers at once."""

    def __init__(self, mean=None, cov=1):
        self.mean, self.cov = mean if mean is None else np.asarray(mean, dtype=float), cov

    def __call__(self, mean=None, cov=1, allow_singular=False, **options):
        return _Several(mean, self._checked(mean, cov, allow_singular))

    def _checked(self, mean, cov, allow_singular=False):
        """The covariances, if they are those of a distribution."""
        table = np.asarray(cov, dtype=float)
        if table.ndim < 2:
            return cov
        if table.shape[0] != table.shape[1]:
            raise ValueError(f"Array 'cov' must be square if it is two dimensional, but cov.shape = {table.shape}.")
        if mean is not None and np.size(mean) != len(table):
            raise ValueError(f"Dimension mismatch: array 'cov' is of shape {table.shape}, but 'mean' is a vector of length {np.size(mean)}.")
        sizes = np.linalg.eigvalsh(table)
        least = 1e6 * np.finfo(float).eps * np.abs(sizes).max()
        if sizes.min() < -least:
            raise ValueError("The input matrix must be symmetric positive semidefinite.")
        if not allow_singular and (sizes <= least).any():
            from scipy.linalg import LinAlgError

            raise LinAlgError(
                "When `allow_singular is False`, the input matrix must be symmetric positive definite.")
        return cov

    def logpdf(self, x, mean=None, cov=None, **options):
        mean, cov = self.mean if mean is None else mean, self.cov if cov is None else self._checked(mean, cov, options.get("allow_singular", False))
        cov = np.asarray(cov).astype(np.float64)
        n = len(np.atleast_1d(mean)) if mean is not None else cov.shape[-1] if cov.ndim == 2 else 1
        cov = np.eye(n) * cov if cov.ndim == 0 else np.diag(cov) if cov.ndim == 1 else cov
        mean = np.zeros(n) if mean is None else np.atleast_1d(np.asarray(mean)).astype(np.float64)
        x = np.asarray(x).astype(np.float64)
        x = x[..., None] if n == 1 and (x.ndim == 0 or x.shape[-1] != 1) else x
        w, v = np.linalg.eigh(cov)
        if float(w.min()) <= 1e-10 * float(w.max()):
            raise np.linalg.LinAlgError("When `allow_singular is False`, the input matrix must be symmetric positive definite.")
        away = ((x - mean) @ (v / np.sqrt(w))) ** 2
        return _number(-0.5 * (n * math.log(2 * math.pi) + np.log(w).sum() + away.sum(-1)))

    def pdf(self, x, mean=None, cov=None, **options):
        return _number(np.exp(self.logpdf(x, mean, cov)))

    def rvs(self, mean=None, cov=None, size=1, random_state=None):
        raise NotImplementedError("scipy.stats.multivariate_normal.rvs: numpy.random.multivariate_normal draws numbers")


multivariate_normal = _Several()


def _policy(function):
    """`nan_policy=`: whether NaN is left out or an error. Two arrays of pairs lose a pair together."""
    name = function.__name__
    count = 1 if name in ("mode", "skew", "kurtosis", "sem", "describe", "rankdata", "ttest_1samp", "zscore") else 2

    @functools.wraps(function)
    def call(*args, **options):
        policy = options.get("nan_policy", "propagate")
        if policy not in ("propagate", "omit", "raise"):
            raise ValueError("nan_policy must be one of {'propagate', 'raise', 'omit'}")
        arrays = [np.asarray(a, dtype=float) for a in args[:count] if a is not None] if policy != "propagate" else []
        known = [~np.isnan(a) for a in arrays]
        if all(k.all() for k in known):
            return function(*args, **options)
        if policy == "raise":
            raise ValueError("The input contains nan values")
        if any(a.ndim != 1 for a in arrays):
            raise NotImplementedError(f"scipy.stats.{name}(nan_policy='omit') of arrays that aren't lists of numbers")
        if count == 2 and name not in ("ttest_ind", "zmap"):
            known = [known[0] & known[1]] * 2
        found = function(*[a[k] for a, k in zip(arrays, known)], *args[len(arrays):], **options)
        if name in ("zscore", "zmap", "rankdata"):
            # These keep NaN where it was.
            whole = np.full(arrays[0].shape, np.nan)
            whole[known[0]] = found
            return whole
        return found

    return call


# ---- summaries -------------------------------------------------------------------------------------------------------


@_policy
def zscore(a, axis=0, ddof=0, nan_policy="propagate"):
    return zmap(a, a, axis, ddof)


@_policy
def zmap(scores, compare, axis=0, ddof=0, nan_policy="propagate"):
    a, scores = _floats(compare), _floats(scores)
    return (scores - a.mean(axis=axis, keepdims=True)) / a.std(axis=axis, ddof=ddof, keepdims=True)


def _lines(a, axis):
    """The lines of an array along an axis, and the shape of the others."""
    a = np.asarray(a)
    if axis is None:
        return [a.reshape(-1)], ()
    rows = np.moveaxis(a, axis, -1)
    return list(rows.reshape(-1, rows.shape[-1])), rows.shape[:-1]


@_policy
def mode(a, axis=0, nan_policy="propagate", keepdims=False):
    lines, shape = _lines(a, axis)
    found, counts = [], []
    for line in lines:
        values, times = np.unique(line, return_counts=True)
        at = int(np.argmax(times))
        found.append(values[at])
        counts.append(times[at])
    if keepdims:
        a = np.asarray(a)
        shape = tuple(1 if axis is None or i == axis % a.ndim else n for i, n in enumerate(a.shape))
    if not shape:
        return ModeResult(found[0], counts[0])
    return ModeResult(np.array(found).reshape(shape), np.array(counts).reshape(shape))


def entropy(pk, qk=None, base=None, axis=0, **others):
    pk = _floats(pk)
    pk = pk / pk.sum(axis=axis, keepdims=True)
    if qk is None:
        each = entr(pk)
    else:
        qk = _floats(qk)
        each = rel_entr(pk, qk / qk.sum(axis=axis, keepdims=True))
    out = each.sum(axis=axis)
    return out if base is None else out / math.log(base)


def _moment(a, power, axis):
    return ((a - a.mean(axis=axis, keepdims=True)) ** power).mean(axis=axis)


@_policy
def skew(a, axis=0, bias=True, nan_policy="propagate"):
    a = _floats(a)
    second, third = _moment(a, 2, axis), _moment(a, 3, axis)
    out = third / second**1.5
    n = a.size if axis is None else a.shape[axis]
    return out if bias else out * math.sqrt(n * (n - 1)) / (n - 2)


@_policy
def kurtosis(a, axis=0, fisher=True, bias=True, nan_policy="propagate"):
    a = _floats(a)
    out = _moment(a, 4, axis) / _moment(a, 2, axis) ** 2
    n = a.size if axis is None else a.shape[axis]
    if not bias:
        out = ((n * n - 1) * out - 3 * (n - 1) ** 2) / ((n - 2) * (n - 3)) + 3
    return out - 3 if fisher else out


@_policy
def sem(a, axis=0, ddof=1, nan_policy="propagate"):
    a = _floats(a)
    return a.std(axis=axis, ddof=ddof) / math.sqrt(a.size if axis is None else a.shape[axis])


def gmean(a, axis=0, dtype=None, weights=None):
    return np.exp(np.average(np.log(_floats(a)), axis=axis, weights=weights))


def hmean(a, axis=0, dtype=None, *, weights=None):
    return 1.0 / np.average(1.0 / _floats(a), axis=axis, weights=weights)


def iqr(x, axis=None, rng=(25, 75), **others):
    low, high = np.percentile(np.asarray(x), list(rng), axis=axis)
    return high - low


@_policy
def describe(a, axis=0, ddof=1, bias=True, nan_policy="propagate"):
    a = np.asarray(a)
    n = a.size if axis is None else a.shape[axis]
    return DescribeResult(np.int64(n), (a.min(axis=axis), a.max(axis=axis)), a.mean(axis=axis), a.var(axis=axis, ddof=ddof),
                          skew(a, axis, bias), kurtosis(a, axis, True, bias))


@_policy
def rankdata(a, method="average", *, axis=None, nan_policy="propagate"):
    if method not in ("average", "min", "max", "dense", "ordinal"):
        raise ValueError(f'unknown method "{method}"')
    lines, shape = _lines(a, axis)
    out = []
    for line in lines:
        order = np.argsort(line, kind="stable")
        _, which, times = np.unique(line, return_inverse=True, return_counts=True)
        last = np.cumsum(times)
        if method == "ordinal":
            ranks = np.empty(len(line), dtype=np.float64)
            ranks[order] = np.arange(1, len(line) + 1)
        else:
            first = last - times + 1
            of = {"average": (first + last) / 2, "min": first, "max": last, "dense": np.arange(1, len(last) + 1)}[method]
            ranks = of[which]
        out.append(ranks.astype(np.float64 if method == "average" else np.int64))
    if axis is None:
        return out[0]
    return np.moveaxis(np.stack(out).reshape(*shape, -1), -1, axis)


# ---- correlations and tests ------------------------------------------------------------------------------------------


def _sided(alternative, statistic, above):
    """The share of a distribution that is as extreme: `above` is its share above a number."""
    if alternative == "two-sided":
        return 2 * above(np.abs(statistic))
    if alternative in ("less", "greater"):
        return above(statistic if alternative == "greater" else -statistic)
    raise ValueError("`alternative` must be 'less', 'greater', or 'two-sided'.")


class DegenerateDataWarning(RuntimeWarning):
    """The data have too little in them for an answer."""

    def __init__(self, msg=None):
        self.args = ("Degenerate data encountered; results may not be reliable." if msg is None else msg,)


class ConstantInputWarning(DegenerateDataWarning):
    """All numbers of an input are equal."""

    def __init__(self, msg=None):
        self.args = ("An input array is constant; the correlation coefficient is not defined." if msg is None else msg,)


def pearsonr(x, y, *, alternative="two-sided", method=None, axis=0):
    x, y = _floats(x), _floats(y)
    if x.ndim != 1 or y.ndim != 1:
        raise NotImplementedError("scipy.stats.pearsonr of arrays that aren't lists of numbers")
    if len(x) != len(y):
        raise ValueError("`x` and `y` must be broadcastable.")
    if len(x) < 2:
        raise ValueError("`x` and `y` must have length at least 2.")
    dx, dy = x - x.mean(), y - y.mean()
    if (x == x[0]).all() or (y == y[0]).all():
        warnings.warn(ConstantInputWarning(), stacklevel=2)
        made = PearsonRResult(np.float64(np.nan), np.float64(np.nan))
        made._side, made._count = alternative, len(x)
        return made
    r = np.clip((dx / np.sqrt((dx * dx).sum()) * (dy / np.sqrt((dy * dy).sum()))).sum(), -1.0, 1.0)
    half = len(x) / 2 - 1
    made = PearsonRResult(*((np.float64(np.round(r)), np.float64(1.0)) if len(x) == 2 else
                            (np.float64(r), np.float64(_sided(alternative, r, lambda v: betainc(half, half, (1 - v) / 2))))))
    made._side, made._count = alternative, len(x)
    return made


@_policy
def spearmanr(a, b=None, axis=0, nan_policy="propagate", alternative="two-sided"):
    if b is None or np.asarray(a).ndim != 1:
        raise NotImplementedError("scipy.stats.spearmanr of the columns of one array")
    x, y = rankdata(a), rankdata(b)
    if (x == x[0]).all() or (y == y[0]).all():
        warnings.warn(ConstantInputWarning(), stacklevel=2)
        return SignificanceResult(np.nan, np.nan)
    r = np.corrcoef(x, y)[1, 0]
    df = len(x) - 2
    with np.errstate(all="ignore"):
        size = r * np.sqrt(np.maximum(df / ((r + 1.0) * (1.0 - r)), 0))
    return SignificanceResult(np.float64(r), np.float64(_sided(alternative, size, lambda v: t.sf(v, df))))


def _tested(away, error, df, alternative, estimate=None):
    statistic = away / error
    made = TtestResult(np.float64(statistic), np.float64(_sided(alternative, statistic, lambda v: t.sf(v, df))), df)
    made._side, made._error, made._estimate = alternative, error, away if estimate is None else estimate
    return made


@_policy
def ttest_1samp(a, popmean, axis=0, nan_policy="propagate", alternative="two-sided"):
    a = _floats(a)
    if a.ndim != 1:
        raise NotImplementedError("scipy.stats.ttest_1samp of several columns")
    return _tested(a.mean() - popmean, sem(a), np.int64(len(a) - 1), alternative, a.mean())


@_policy
def ttest_rel(a, b, axis=0, nan_policy="propagate", alternative="two-sided"):
    a, b = _floats(a), _floats(b)
    if a.shape != b.shape:
        raise ValueError("Array shapes are incompatible for broadcasting.")
    return ttest_1samp(a - b, 0.0, alternative=alternative)


@_policy
def ttest_ind(a, b, *, axis=0, equal_var=True, nan_policy="propagate", alternative="two-sided", trim=0, method=None):
    if trim or method is not None:
        raise NotImplementedError("scipy.stats.ttest_ind(trim=, method=)")
    a, b = _floats(a), _floats(b)
    if a.ndim != 1 or b.ndim != 1:
        raise NotImplementedError("scipy.stats.ttest_ind of several columns")
    m, n, v, w = len(a), len(b), a.var(ddof=1), b.var(ddof=1)
    if equal_var:
        df = np.float64(m + n - 2.0)
        error = np.sqrt(((m - 1) * v + (n - 1) * w) / df * (1.0 / m + 1.0 / n))
    else:
        v, w = v / m, w / n
        df, error = (v + w) ** 2 / (v**2 / (m - 1) + w**2 / (n - 1)), np.sqrt(v + w)
    return _tested(a.mean() - b.mean(), error, df, alternative)


@_policy
def linregress(x, y, alternative="two-sided", *, axis=0, nan_policy="propagate"):
    x, y = _floats(x), _floats(y)
    if not (x.ndim == y.ndim == 1):
        raise NotImplementedError("scipy.stats.linregress of several columns")
    n = len(x)
    dx, dy = x - x.mean(), y - y.mean()
    xx, yy, xy = (dx * dx).mean(), (dy * dy).mean(), (dx * dy).mean()
    if xx == 0:
        raise ValueError("Cannot calculate a linear regression if all x values are identical")
    r = np.float64(0.0) if yy == 0 else np.clip(xy / np.sqrt(xx * yy), -1.0, 1.0)
    slope = xy / xx
    df = n - 2
    size = r * np.sqrt(df / ((1.0 - r + 1e-20) * (1.0 + r + 1e-20)))
    error = np.sqrt((1 - r * r) * yy / xx / df)
    return LinregressResult(slope, y.mean() - slope * x.mean(), np.float64(r),
                            np.float64(_sided(alternative, size, lambda v: t.sf(v, df))), error,
                            error * np.sqrt(xx + x.mean() ** 2))


def wasserstein_distance(u_values, v_values, u_weights=None, v_weights=None):
    if u_weights is not None or v_weights is not None:
        raise NotImplementedError("scipy.stats.wasserstein_distance of weights")
    u, v = np.sort(_floats(u_values)), np.sort(_floats(v_values))
    every = np.sort(np.concatenate([u, v]))
    steps = np.diff(every)
    share = [np.searchsorted(of, every[:-1], "right") / len(of) for of in (u, v)]
    return (np.abs(share[0] - share[1]) * steps).sum()


_lacking = lacking("scipy.stats")


def __getattr__(name):
    if name in ("contingency", "mstats"):
        return importlib.import_module(f"scipy.stats.{name}")
    for part in ("_tests", "_families", "_shapes", "_summaries", "_compared", "_resampling", "_rare"):
        module = importlib.import_module(f"scipy.{part}")
        if name in module.NAMES:
            return getattr(module, name)
    return _lacking(name)

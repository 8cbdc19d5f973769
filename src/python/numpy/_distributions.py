"""Distributions, drawn number by number as NumPy draws them, so that a seed gives the same ones.

A generator brings `_uniform`, `_normal` and `_exponential`, which draw one number each; `_legacy` tells where the older
generator goes another way.
"""

import functools
import math

import numpy as np
from numpy._array import asarray
from numpy._types import FLOAT64, INT64


@functools.cache
def ziggurat():
    """Marsaglia and Tsang's layers of the exponential distribution: limits, widths and heights."""
    r, area, scale = 7.69711747013104972, 0.0039496598225815571993, 2.0 ** 53
    limits, widths, heights = [0] * 256, [0.0] * 256, [0.0] * 256
    x = last = r
    q = area / math.exp(-x)
    limits[0] = int(x / q * scale)
    widths[0], widths[255] = q / scale, x / scale
    heights[0], heights[255] = 1.0, math.exp(-x)
    for i in range(254, 0, -1):
        x = -math.log(area / x + math.exp(-x))
        limits[i + 1] = int(x / last * scale)
        last = x
        heights[i], widths[i] = math.exp(-x), x / scale
    return limits, widths, heights


def _positive(name, x):
    if np.any(np.less_equal(x, 0)):
        raise ValueError(f"{name} <= 0")


def _not_negative(name, x):
    if np.any(np.less(x, 0)):
        raise ValueError(f"{name} < 0")


def _share(name, x):
    if not np.all((np.asarray(x) >= 0) & (np.asarray(x) <= 1)):
        raise ValueError(f"{name} < 0, {name} > 1 or {name} is NaN" if np.ndim(x) == 0 else
                         f"{name} < 0, {name} > 1 or {name} contains NaNs")


class Distributions:
    _legacy = False

    def _draw(self, function, size, *params, d=FLOAT64):
        """`function` of numbers, once for each element."""
        whole = np.broadcast_shapes(*[np.shape(p) for p in params])
        if size is None and not whole:
            value = function(*[p.item() if hasattr(p, "item") else p for p in params])
            return value if d is FLOAT64 else d.type(value) if not self._legacy else value
        shape = whole if size is None else (size,) if np.isscalar(size) else tuple(size)
        if size is not None and np.broadcast_shapes(whole, shape) != shape:
            raise ValueError("Output size " + str(shape) + " is not compatible with broadcast dimensions of inputs " + str(whole)
                             + ".")
        rows = zip(*[np.broadcast_to(p, shape).ravel().tolist() for p in params]) if params else [()] * math.prod(shape)
        return np.array([function(*row) for row in rows], dtype=d).reshape(shape)

    # -- gamma and what is made of it --

    def _gamma(self, shape):
        if shape == 1.0:
            return self._exponential()
        if shape == 0.0:
            return 0.0
        if shape < 1.0:
            while True:
                u, v = self._uniform(), self._exponential()
                if u <= 1.0 - shape:
                    x = u ** (1.0 / shape)
                    if x <= v:
                        return x
                else:
                    y = -math.log((1 - u) / shape)
                    x = (1.0 - shape + shape * y) ** (1.0 / shape)
                    if x <= v + y:
                        return x
        b = shape - 1.0 / 3.0
        c = 1.0 / math.sqrt(9 * b)
        while True:
            v = 0.0
            while v <= 0.0:
                x = self._normal()
                v = 1.0 + c * x
            v = v * v * v
            u = self._uniform()
            if u < 1.0 - 0.0331 * (x * x) * (x * x) or math.log(u) < 0.5 * x * x + b * (1.0 - v + math.log(v)):
                return b * v

    def _beta(self, a, b):
        if a <= 1.0 and b <= 1.0:
            while True:
                u, v = self._uniform(), self._uniform()
                x, y = u ** (1.0 / a), v ** (1.0 / b)
                if x + y <= 1.0 and u + v > 0.0:
                    if x + y > 0:
                        return x / (x + y)
                    p, q = math.log(u) / a, math.log(v) / b
                    most = max(p, q)
                    return math.exp(p - most - math.log(math.exp(p - most) + math.exp(q - most)))
        x = self._gamma(a)
        return x / (x + self._gamma(b))

    def gamma(self, shape, scale=1.0, size=None):
        _not_negative("shape", shape)
        _not_negative("scale", scale)
        return self._draw(lambda k, s: s * self._gamma(k), size, shape, scale)

    def standard_gamma(self, shape, size=None, dtype=float, out=None):
        if out is not None or dtype not in (float, "float64", FLOAT64):
            raise NotImplementedError("numpy.random.Generator.standard_gamma(dtype=, out=)")
        _not_negative("shape", shape)
        return self._draw(self._gamma, size, shape)

    def beta(self, a, b, size=None):
        _positive("a", a)
        _positive("b", b)
        return self._draw(self._beta, size, a, b)

    def chisquare(self, df, size=None):
        _positive("df", df)
        return self._draw(lambda k: 2.0 * self._gamma(k / 2.0), size, df)

    def noncentral_chisquare(self, df, nonc, size=None):
        _positive("df", df)
        _not_negative("nonc", nonc)

        def one(k, away):
            if away == 0:
                return 2.0 * self._gamma(k / 2.0)
            if k > 1:
                centered = 2.0 * self._gamma((k - 1) / 2.0)
                return centered + (self._normal() + math.sqrt(away)) ** 2
            return 2.0 * self._gamma((k + 2 * self._poisson(away / 2.0)) / 2.0)
        return self._draw(one, size, df, nonc)

    def f(self, dfnum, dfden, size=None):
        _positive("dfnum", dfnum)
        _positive("dfden", dfden)
        return self._draw(lambda m, n: (2.0 * self._gamma(m / 2.0)) * n / ((2.0 * self._gamma(n / 2.0)) * m), size, dfnum, dfden)

    def standard_t(self, df, size=None):
        _positive("df", df)

        def one(k):
            x = self._normal()
            return math.sqrt(k / 2) * x / math.sqrt(self._gamma(k / 2))
        return self._draw(one, size, df)

    def dirichlet(self, alpha, size=None):
        alpha = [float(a) for a in asarray(alpha).ravel().tolist()]
        if any(not a > 0 for a in alpha):
            raise ValueError("alpha <= 0")
        shape = () if size is None else (size,) if np.isscalar(size) else tuple(size)
        rows = []
        for _ in range(math.prod(shape)):
            if not self._legacy and max(alpha) < 0.1:
                left, row = 1.0, []
                for i, a in enumerate(alpha[:-1]):
                    v = self._beta(a, sum(alpha[i + 1:]))
                    row.append(left * v)
                    left *= 1.0 - v
                rows.append(row + [left])
            else:
                row = [self._gamma(a) for a in alpha]
                inverse = 1.0 / sum(row)
                rows.append([x * inverse for x in row])
        return np.array(rows).reshape(shape + (len(alpha),))

    # -- transformed uniforms and normals --

    def _until(self, function):
        while True:
            u = self._uniform()
            if u > 0.0:
                return function(u)

    def laplace(self, loc=0.0, scale=1.0, size=None):
        _not_negative("scale", scale)
        return self._draw(lambda m, s: self._until(lambda u: m - s * math.log(2.0 - u - u) if u >= 0.5 else
                                                   m + s * math.log(u + u)), size, loc, scale)

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        _not_negative("scale", scale)
        return self._draw(lambda m, s: self._until(lambda u: m - s * math.log(-math.log(1.0 - u))), size, loc, scale)

    def logistic(self, loc=0.0, scale=1.0, size=None):
        _not_negative("scale", scale)
        return self._draw(lambda m, s: self._until(lambda u: m + s * math.log(u / (1.0 - u))), size, loc, scale)

    def rayleigh(self, scale=1.0, size=None):
        _not_negative("scale", scale)
        return self._draw(lambda s: s * math.sqrt(-2.0 * math.log1p(-self._uniform()) if self._legacy else
                                                  2.0 * self._exponential()), size, scale)

    def weibull(self, a, size=None):
        _not_negative("a", a)
        return self._draw(lambda k: self._exponential() ** (1.0 / k) if k else 0.0, size, a)

    def pareto(self, a, size=None):
        _positive("a", a)
        return self._draw(lambda k: math.exp(self._exponential() / k) - 1 if self._legacy else
                          math.expm1(self._exponential() / k), size, a)

    def power(self, a, size=None):
        _positive("a", a)
        return self._draw(lambda k: (1 - math.exp(-self._exponential()) if self._legacy else
                                     -math.expm1(-self._exponential())) ** (1.0 / k), size, a)

    def standard_cauchy(self, size=None):
        return self._draw(lambda: self._normal() / self._normal(), size)

    def triangular(self, left, mode, right, size=None):
        if np.any(np.greater(left, mode)):
            raise ValueError("left > mode")
        if np.any(np.greater(mode, right)):
            raise ValueError("mode > right")
        if np.any(np.equal(left, right)):
            raise ValueError("left == right")

        def one(low, top, high):
            u = self._uniform()
            if u <= (top - low) / (high - low):
                return low + math.sqrt(u * (top - low) * (high - low))
            return high - math.sqrt((1.0 - u) * (high - top) * (high - low))
        return self._draw(one, size, left, mode, right)

    def wald(self, mean, scale, size=None):
        _positive("mean", mean)
        _positive("scale", scale)

        def one(m, s):
            y = self._normal()
            y = m * y * y
            x = m * (1 - 2 / (1 + math.sqrt(1 + 4 * s / y))) if not self._legacy else \
                m + m / (2 * s) * (y - math.sqrt(4 * s * y + y * y))
            return x if self._uniform() <= m / (m + x) else m * m / x
        return self._draw(one, size, mean, scale)

    def vonmises(self, mu, kappa, size=None):
        _not_negative("kappa", kappa)

        def one(m, k):
            if k < 1e-8:
                return math.pi * (2 * self._uniform() - 1)
            if k < 1e-5:
                s = 1.0 / k + k
            else:
                r = 1 + math.sqrt(1 + 4 * k * k)
                rho = (r - math.sqrt(2 * r)) / (2 * k)
                s = (1 + rho * rho) / (2 * rho)
            while True:
                z = math.cos(math.pi * self._uniform())
                w = (1 + s * z) / (s + z)
                y = k * (s - w)
                v = self._uniform()
                if y * (2 - y) - v >= 0 or math.log(y / v) + 1 - y >= 0:
                    break
            found = math.acos(w)
            found = (-found if self._uniform() < 0.5 else found) + m
            size_ = math.fmod(abs(found) + math.pi, 2 * math.pi) - math.pi
            return -size_ if found < 0 else size_
        return self._draw(one, size, mu, kappa)

    # -- counts --

    def _poisson(self, lam):
        if lam == 0:
            return 0
        if lam < 10:
            least, count, product = math.exp(-lam), 0, self._uniform()
            while product > least:
                count += 1
                product *= self._uniform()
            return count
        root, log = math.sqrt(lam), math.log(lam)
        b = 0.931 + 2.53 * root
        a = -0.059 + 0.02483 * b
        inverse, accept = 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2)
        while True:
            u = self._uniform() - 0.5
            v = self._uniform()
            us = 0.5 - abs(u)
            k = math.floor((2 * a / us + b) * u + lam + 0.43)
            if us >= 0.07 and v <= accept:
                return k
            if k < 0 or us < 0.013 and v > us:
                continue
            if math.log(v) + math.log(inverse) - math.log(a / (us * us) + b) <= -lam + k * log - math.lgamma(k + 1):
                return k

    def _binomial(self, n, p):
        n = int(n)
        if n == 0 or p == 0.0:
            return 0
        if p > 0.5:
            return n - self._binomial(n, 1.0 - p)
        return self._inverted(n, p) if p * n <= 30.0 else self._rejected(n, p)

    def _inverted(self, n, p):
        q = 1.0 - p
        first = math.exp(n * math.log(q)) if self._legacy else math.exp(n * math.log1p(-p))
        bound = int(min(n, n * p + 10.0 * math.sqrt(n * p * q + 1)))
        count, chance, u = 0, first, self._uniform()
        while u > chance:
            count += 1
            if count > bound:
                count, chance, u = 0, first, self._uniform()
            else:
                u -= chance
                chance = (n - count + 1) * p * chance / (count * q)
        return count

    def _rejected(self, n, r):
        """Kachitvichyanukul and Schmeiser's BTPE."""
        q = 1.0 - r
        fm = n * r + r
        m = math.floor(fm)
        p1 = math.floor(2.195 * math.sqrt(n * r * q) - 4.6 * q) + 0.5
        xm = m + 0.5
        xl, xr = xm - p1, xm + p1
        c = 0.134 + 20.5 / (15.3 + m)
        a = (fm - xl) / (fm - xl * r)
        left = a * (1.0 + a / 2.0)
        a = (xr - fm) / (xr * q)
        right = a * (1.0 + a / 2.0)
        p2 = p1 * (1.0 + 2.0 * c)
        p3 = p2 + c / left
        p4 = p3 + c / right
        nrq = n * r * q
        while True:
            u = self._uniform() * p4
            v = self._uniform()
            if u <= p1:
                return math.floor(xm - p1 * v + u)
            if u <= p2:
                x = xl + (u - p1) / c
                v = v * c + 1.0 - abs(m - x + 0.5) / p1
                if v > 1.0:
                    continue
                y = math.floor(x)
            elif v == 0.0:
                continue
            elif u <= p3:
                y = math.floor(xl + math.log(v) / left)
                if y < 0:
                    continue
                v = v * (u - p2) * left
            else:
                y = math.floor(xr - math.log(v) / right)
                if y > n:
                    continue
                v = v * (u - p3) * right
            k = abs(y - m)
            if not 20 < k < nrq / 2.0 - 1:
                s = r / q
                a = s * (n + 1)
                ratio = 1.0
                for i in range(m + 1, y + 1):
                    ratio *= a / i - s
                for i in range(y + 1, m + 1):
                    ratio /= a / i - s
                if v <= ratio:
                    return y
                continue
            rho = (k / nrq) * ((k * (k / 3.0 + 0.625) + 0.16666666666666666) / nrq + 0.5)
            t = -k * k / (2 * nrq)
            log = math.log(v)
            if log < t - rho:
                return y
            if log > t + rho:
                continue
            x1, f1, z, w = y + 1, m + 1, n + 1 - m, n - y + 1

            def tail(g):
                h = g * g
                return (13680.0 - (462.0 - (132.0 - (99.0 - 140.0 / h) / h) / h) / h) / g / 166320.0
            if log <= (xm * math.log(f1 / x1) + (n - m + 0.5) * math.log(z / w) + (y - m) * math.log(w * r / (x1 * q))
                       + tail(f1) + tail(z) + tail(x1) + tail(w)):
                return y

    def poisson(self, lam=1.0, size=None):
        if not np.all(np.asarray(lam) >= 0):
            raise ValueError("lam < 0 or lam is NaN" if np.ndim(lam) == 0 else "lam < 0 or lam contains NaNs")
        return self._draw(self._poisson, size, lam, d=INT64)

    def binomial(self, n, p, size=None):
        _not_negative("n", n)
        _share("p", p)
        return self._draw(self._binomial, size, n, p, d=INT64)

    def geometric(self, p, size=None):
        if not np.all((np.asarray(p) > 0) & (np.asarray(p) <= 1)):
            raise ValueError("p <= 0, p > 1 or p is NaN" if np.ndim(p) == 0 else "p <= 0, p > 1 or p contains NaNs")

        def one(p):
            if p < 0.333333333333333333333333:
                return math.ceil(math.log1p(-self._uniform()) / math.log(1.0 - p) if self._legacy else
                                 -self._exponential() / math.log1p(-p))
            count, total, chance, u = 1, p, p, self._uniform()
            while u > total:
                chance *= 1.0 - p
                total += chance
                count += 1
            return count
        return self._draw(one, size, p, d=INT64)

    def negative_binomial(self, n, p, size=None):
        _positive("n", n)
        _share("p", p)
        return self._draw(lambda n, p: self._poisson((1 - p) / p * self._gamma(n)), size, n, p, d=INT64)

    def zipf(self, a, size=None):
        if not np.all(np.asarray(a) > 1):
            raise ValueError("a <= 1 or a is NaN" if np.ndim(a) == 0 else "a <= 1 or a contains NaNs")

        def one(a):
            b, most = 2.0 ** (a - 1.0), 9223372036854775807
            least = float(most) ** -(a - 1.0)
            while True:
                u = self._uniform()
                u = 1.0 - u if self._legacy else u * least + (1 - u)
                v = self._uniform()
                x = math.floor(u ** (-1.0 / (a - 1.0)))
                if not 1 <= x <= most:
                    continue
                t = (1.0 + 1.0 / x) ** (a - 1.0)
                if v * x * (t - 1.0) / (b - 1.0) <= t / b:
                    return x
        return self._draw(one, size, a, d=INT64)

    def logseries(self, p, size=None):
        def one(p):
            r = math.log1p(-p)
            while True:
                v = self._uniform()
                if v >= p:
                    return 1
                q = -math.expm1(r * self._uniform())
                if v <= q * q:
                    found = math.floor(1 + math.log(v) / math.log(q)) if v else 0
                    if found < 1:
                        continue
                    return found
                return 1 if v >= q else 2
        _share("p", p)
        return self._draw(one, size, p, d=INT64)

    def hypergeometric(self, ngood, nbad, nsample, size=None):
        for name, x in (("ngood", ngood), ("nbad", nbad), ("nsample", nsample)):
            if not self._legacy and np.any(np.asarray(x) < 0):
                raise ValueError(f"{name} < 0")
        if not self._legacy and (np.any(np.asarray(ngood) >= 10**9) or np.any(np.asarray(nbad) >= 10**9)):
            raise ValueError("both ngood and nbad must be less than 1000000000")
        if np.any(np.asarray(ngood) + np.asarray(nbad) < np.asarray(nsample)):
            raise ValueError("ngood + nbad < nsample")
        for name, x, least in (("ngood", ngood, 0), ("nbad", nbad, 0), ("nsample", nsample, 1)) if self._legacy else ():
            if np.any(np.asarray(x) < least):
                raise ValueError(f"{name} < {least} or {name} is NaN" if np.ndim(x) == 0 else f"{name} < {least} or {name} contains NaNs")

        def one(good, bad, sample):
            if self._legacy:
                return self._chosen_by_ratio(good, bad, sample) if sample > 10 else self._chosen_old(good, bad, sample) if sample > 0 else 0
            return self._chosen_by_ratio(good, bad, sample) if 10 <= sample <= good + bad - 10 else self._chosen(good, bad, sample)
        found = self._draw(one, size, ngood, nbad, nsample, d=INT64)
        # One number is Python's, unlike those of other distributions.
        return found if isinstance(found, np.ndarray) else int(found)

    def _below(self, most):
        """A whole number from 0 to `most`, from as many bits as it has."""
        mask = (1 << most.bit_length()) - 1
        while most:
            found = int(self.integers(0, 1 << 32)) & mask
            if found <= most:
                return found
        return 0

    def _chosen(self, good, bad, sample):
        """Draws one after the other, of those that are drawn or of those that are left."""
        total = good + bad
        rest = total - sample if sample > total // 2 else sample
        left, known = total, good
        while rest > 0 and known > 0 and left > known:
            left -= 1
            known -= self._below(left) < known
            rest -= 1
        if left == known:
            known -= rest
        return known if sample > total // 2 else good - known

    def _chosen_old(self, good, bad, sample):
        most, rest = min(bad, good), float(bad + good - sample)
        left, count = float(most), sample
        while left > 0.0:
            left -= math.floor(self._uniform() + left / (rest + count))
            count -= 1
            if count == 0:
                break
        found = int(most - left)
        return sample - found if good > bad else found

    def _chosen_by_ratio(self, good, bad, sample):
        """Stadlober's HRUA."""
        low, high, total = min(good, bad), max(good, bad), good + bad
        count = min(sample, total - sample)
        p = low / total
        a = count * p + 0.5
        # The older generator counts those that are drawn even where fewer are left.
        q, spread = (1.0 - p, sample) if self._legacy else (high / total, count)
        wide = math.sqrt((total - count) * float(spread) * p * q / (total - 1) + 0.5)
        h = 1.7155277699214135 * wide + 0.8989161620588988
        m = math.floor((count + 1) * float(low + 1) / (total + 2))
        ways = lambda k: math.lgamma(k + 1) + math.lgamma(low - k + 1) + math.lgamma(count - k + 1) + math.lgamma(high - count + k + 1)
        known, end = ways(m), min(min(count, low) + 1.0, math.floor(a + 16 * wide))
        while True:
            u, v = self._uniform(), self._uniform()
            x = a + h * (v - 0.5) / u
            if not 0.0 <= x < end:
                continue
            k = math.floor(x)
            t = known - ways(k)
            if u * (4.0 - u) - 3.0 <= t or u * (u - t) < 1 and 2.0 * math.log(u) <= t:
                break
        k = count - k if good > bad else k
        return good - k if count < sample else k

    def multinomial(self, n, pvals, size=None):
        pvals = [float(p) for p in asarray(pvals).tolist()]
        if sum(pvals[:-1]) > 1.0 + 1e-12:
            raise ValueError("sum(pvals[:-1]) > 1.0")
        shape = () if size is None else (size,) if np.isscalar(size) else tuple(size)
        rows = []
        for _ in range(math.prod(shape)):
            left, share, row = int(n), 1.0, [0] * len(pvals)
            for i, p in enumerate(pvals[:-1]):
                row[i] = self._binomial(left, p / share)
                left -= row[i]
                if left <= 0:
                    break
                share -= p
            row[-1] = left if left > 0 else 0
            rows.append(row)
        return np.array(rows, dtype=INT64).reshape(shape + (len(pvals),))

    def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8, *, method="svd"):
        mean, cov = asarray(mean).astype(FLOAT64), asarray(cov).astype(FLOAT64)
        if mean.ndim != 1:
            raise ValueError("mean must be 1 dimensional")
        if cov.ndim != 2 or cov.shape[0] != cov.shape[1]:
            raise ValueError("cov must be 2 dimensional and square")
        if mean.shape[0] != cov.shape[0]:
            raise ValueError("mean and cov must have same length")
        shape = () if size is None else (size,) if np.isscalar(size) else tuple(size)
        x = asarray(self.standard_normal(shape + mean.shape)).reshape(-1, len(mean))
        if method == "cholesky":
            factor = np.linalg.cholesky(cov).T
        elif method == "eigh":
            s, u = np.linalg.eigh(cov)
            factor = (u * np.sqrt(s)).T
        else:
            u, s, v = np.linalg.svd(cov)
            factor = np.sqrt(s)[:, None] * v if self._legacy else (u * np.sqrt(s)).T
        return (mean + x @ factor).reshape(shape + mean.shape)

    # -- what both choose by --

    def _unlike(self, p, count):
        """`count` different indices with the probabilities `p`. Repeated ones are drawn again."""
        if int(np.count_nonzero(p > 0)) < count:
            raise ValueError("Fewer non-zero entries in p than size")
        found, p = np.zeros(0, INT64), p.copy()
        while len(found) < count:
            drawn = asarray(self.random((count - len(found),)))
            if len(found):
                p[found] = 0
            steps = np.cumsum(p)
            new = np.searchsorted(steps / steps[-1], drawn, "right")
            _, first = np.unique(new, return_index=True)
            found = np.concatenate([found, new[np.sort(first)]])
        return found


class SeedSequence:
    """Turns a seed into the state of a generator, with O'Neill's hash of the seed's words."""

    def __init__(self, entropy=None, *, spawn_key=(), pool_size=4, n_children_spawned=0):
        if isinstance(entropy, (str, bytes, float)):
            raise TypeError(f"SeedSequence expects int or sequence of ints for entropy not {entropy}")
        if entropy is None:
            from numpy.random import _entropy
            entropy = sum(word << 32 * i for i, word in enumerate(_entropy(4)))
        self.entropy, self.spawn_key, self.pool_size = entropy, tuple(spawn_key), pool_size
        self.n_children_spawned = n_children_spawned

    def __repr__(self):
        lines = f"    entropy={self.entropy!r},\n"
        if self.spawn_key:
            lines += f"    spawn_key={self.spawn_key!r},\n"
        return f"SeedSequence(\n{lines})"

    @property
    def state(self):
        return {name: getattr(self, name) for name in ("entropy", "spawn_key", "pool_size", "n_children_spawned")}

    def words(self):
        """The seed's 32-bit words, and those of the place among the children."""
        own = words_of(self.entropy)
        key = [word for n in self.spawn_key for word in words_of(n)]
        return own + [0] * (self.pool_size - len(own)) + key if key else own

    @property
    def pool(self):
        return np.array(self._mixed(), dtype=np.uint32)

    def _mixed(self):
        """The pool of words, each mixed with all others."""
        mask = 0xFFFFFFFF
        constant = 0x43B0D7E5

        def hashed(value):
            nonlocal constant
            value = (value ^ constant) & mask
            constant = constant * 0x931E8875 & mask
            value = value * constant & mask
            return value ^ value >> 16

        def mixed(x, y):
            value = (0xCA01F9DD * x - 0x4973F715 * y) & mask
            return value ^ value >> 16

        words = self.words()
        pool = [hashed(words[i] if i < len(words) else 0) for i in range(self.pool_size)]
        for i in range(self.pool_size):
            for j in range(self.pool_size):
                if i != j:
                    pool[j] = mixed(pool[j], hashed(pool[i]))
        for word in words[self.pool_size:]:
            for j in range(self.pool_size):
                pool[j] = mixed(pool[j], hashed(word))
        return pool

    def generate_state(self, n_words, dtype=np.uint32):
        if np.dtype(dtype).itemsize != 4:
            raise NotImplementedError("numpy.random.SeedSequence.generate_state(dtype=uint64)")
        pool, mask, constant, out = self._mixed(), 0xFFFFFFFF, 0x8B51F9DD, []
        for i in range(n_words):
            value = (pool[i % self.pool_size] ^ constant) & mask
            constant = constant * 0x58F38DED & mask
            value = value * constant & mask
            out.append(value ^ value >> 16)
        return np.array(out, dtype=np.uint32)

    def spawn(self, n_children):
        first = self.n_children_spawned
        self.n_children_spawned += n_children
        return [SeedSequence(self.entropy, spawn_key=self.spawn_key + (i,), pool_size=self.pool_size)
                for i in range(first, first + n_children)]


def words_of(seed):
    import operator
    values = asarray(seed).ravel().tolist() if hasattr(seed, "__len__") else [operator.index(seed)]
    words = []
    for value in values:
        if value < 0:
            raise ValueError("expected non-negative integer")
        words.append(value & 0xFFFFFFFF)
        while value > 0xFFFFFFFF:
            value >>= 32
            words.append(value & 0xFFFFFFFF)
    return words

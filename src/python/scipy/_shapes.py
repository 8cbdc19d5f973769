"""Tests of a distribution's shape and of ranks: Kolmogorov and Smirnov, Shapiro and Wilk, Kendall, Fisher, and others."""

import math

import numpy as np

from scipy import stats
from scipy._results import result

NAMES = ("kstest", "ks_1samp", "ks_2samp", "shapiro", "kendalltau", "fisher_exact", "friedmanchisquare", "ranksums", "binomtest", "boxcox",
         "boxcox_llf", "boxcox_normmax", "probplot", "ttest_ind_from_stats", "gaussian_kde")
KstestResult = result("KstestResult", "statistic pvalue", "statistic_location statistic_sign")
ShapiroResult = result("ShapiroResult", "statistic pvalue")
SignificanceResult = result("SignificanceResult", "statistic pvalue")
FriedmanchisquareResult = result("FriedmanchisquareResult", "statistic pvalue")
RanksumsResult = result("RanksumsResult", "statistic pvalue")
Ttest_indResult = result("Ttest_indResult", "statistic pvalue")
ConfidenceInterval = result("ConfidenceInterval", "low high")


def _line(name, x):
    x = np.asarray(x)
    if x.ndim != 1:
        raise NotImplementedError(f"scipy.stats.{name} of samples that aren't lists of numbers")
    return x


def _checked(name, alternative):
    if alternative not in ("two-sided", "less", "greater"):
        raise ValueError(f"Invalid `alternative`: {alternative}" if name != "ks" else
                         f"Unexpected value alternative={alternative!r}")


# ---- Kolmogorov and Smirnov ------------------------------------------------------------------------------------------


def _one_sided(n, d):
    """The chance that a sample's distribution is more than d above the true one, after Smirnov."""
    if d <= 0:
        return 1.0
    if d >= 1:
        return 0.0
    total = 0.0
    for j in range(int(math.floor(n * (1.0 - d))) + 1):
        up, down = d + j / n, 1.0 - d - j / n
        if down <= 0:
            continue
        log = math.lgamma(n + 1) - math.lgamma(j + 1) - math.lgamma(n - j + 1) + (n - j) * math.log(down) + (j - 1) * math.log(up)
        total += math.exp(log)
    return min(1.0, d * total)


def _two_sided(n, d):
    """The chance of a distance beyond d in either direction: the matrix power of Marsaglia, Tsang and Wang."""
    if d <= 0.5 / n:
        return 1.0
    if d >= 1.0:
        return 0.0
    if d >= 0.5 or n * d * d > (4.0 if n <= 140 else 2.2):
        return min(1.0, 2 * _one_sided(n, d))
    k = int(n * d) + 1
    m, h = 2 * k - 1, k - n * d
    H = np.zeros((m, m))
    for i in range(m):
        for j in range(m):
            H[i, j] = 1.0 if i - j + 1 >= 0 else 0.0
    for i in range(m):
        H[i, 0] -= h ** (i + 1)
        H[m - 1, i] -= h ** (m - i)
    H[m - 1, 0] += (2 * h - 1) ** m if 2 * h - 1 > 0 else 0
    for i in range(m):
        for j in range(m):
            if i - j + 1 > 0:
                H[i, j] /= math.exp(math.lgamma(i - j + 2))
    power, exponent = _power(H, n)
    value = float(power[k - 1, k - 1])
    for i in range(1, n + 1):
        value = value * i / n
        if value < 1e-140:
            value, exponent = value * 1e140, exponent - 140
    return min(1.0, max(0.0, 1.0 - value * 10.0**exponent))


def _power(H, n):
    """A matrix's power and a power of ten, so that no number overflows."""
    out, exponent, base, base_exponent = np.eye(len(H)), 0, H.copy(), 0
    while n:
        if n & 1:
            out, exponent = out @ base, exponent + base_exponent
            if float(abs(out).max()) > 1e140:
                out, exponent = out * 1e-140, exponent + 140
        base, base_exponent, n = base @ base, 2 * base_exponent, n >> 1
        if float(abs(base).max()) > 1e140:
            base, base_exponent = base * 1e-140, base_exponent + 140
    return out, exponent


def _limit(x):
    """Kolmogorov's limit for large samples."""
    if x <= 0:
        return 1.0
    return min(1.0, 2 * sum((-1) ** (k - 1) * math.exp(-2 * k * k * x * x) for k in range(1, 101)))


def _named(cdf, args):
    if isinstance(cdf, str):
        cdf = getattr(stats, cdf).cdf
    return lambda x: cdf(x, *args)


def ks_1samp(x, cdf, args=(), alternative="two-sided", method="auto", **options):
    _checked("ks", alternative)
    x = np.sort(_line("ks_1samp", x))
    n = len(x)
    values = np.asarray(_named(cdf, args)(x))
    above, below = np.arange(1.0, n + 1) / n - values, values - np.arange(0.0, n) / n
    i, j = int(above.argmax()), int(below.argmax())
    up, down = float(above[i]), float(below[j])
    if alternative == "greater":
        return KstestResult(np.float64(up), np.float64(_one_sided(n, up)), x[i], np.int8(1))
    if alternative == "less":
        return KstestResult(np.float64(down), np.float64(_one_sided(n, down)), x[j], np.int8(-1))
    d, at, sign = (up, x[i], 1) if up > down else (down, x[j], -1)
    if method in ("auto", "exact"):
        p = _two_sided(n, d)
    elif method in ("asymp", "approx"):
        p = _limit(d * math.sqrt(n)) if method == "asymp" else 2 * _one_sided(n, d)
    else:
        raise ValueError(f"Unexpected value mode={method!r}")
    return KstestResult(np.float64(d), np.float64(min(1.0, max(0.0, p))), at, np.int8(sign))


def _outside(m, n, h, both):
    """The share of the orders of two samples in which their distributions come h / (m n) apart or further."""
    mass, lost = np.zeros(m + 1), 0.0
    mass[0] = 1.0
    at = np.arange(m + 1)
    for s in range(m + n):
        other = s - at
        right = np.where((at < m), mass * (m - at) / (m + n - s), 0.0)
        up = np.where((other >= 0) & (other < n), mass * (n - other) / (m + n - s), 0.0)
        mass = up
        mass[1:] = mass[1:] + right[:-1]
        apart = at * n - (s + 1 - at) * m
        out = (abs(apart) if both else apart) >= h
        lost += float(mass[out].sum())
        mass = np.where(out, 0.0, mass)
    return lost


def ks_2samp(data1, data2, alternative="two-sided", method="auto", **options):
    _checked("ks", alternative)
    a, b = np.sort(_line("ks_2samp", data1)), np.sort(_line("ks_2samp", data2))
    m, n = len(a), len(b)
    if min(m, n) == 0:
        raise ValueError("Data passed to ks_2samp must not be empty")
    every = np.concatenate([a, b])
    apart = np.searchsorted(a, every, side="right") / m - np.searchsorted(b, every, side="right") / n
    low, high = int(apart.argmin()), int(apart.argmax())
    down, up = float(np.clip(-apart[low], 0, 1)), float(apart[high])
    if alternative == "less" or alternative == "two-sided" and down > up:
        d, at, sign = down, every[low], -1
    else:
        d, at, sign = up, every[high], 1
    if method == "auto":
        method = "exact" if max(m, n) <= 10000 else "asymp"
    if method == "exact":
        common = math.lcm(m, n)
        h = int(round(d * common))
        d = h / common
        p = 1.0 if h == 0 else _outside(m, n, h * (m * n // common), alternative == "two-sided") if alternative != "less" else \
            _outside(n, m, h * (m * n // common), False)
    elif method == "asymp":
        size = m * n / (m + n)
        p = _two_sided(int(round(size)), d) if alternative == "two-sided" else math.exp(-2 * size * d * d)
    else:
        raise ValueError(f"Unexpected value mode={method!r}")
    return KstestResult(np.float64(d), np.float64(min(1.0, max(0.0, p))), at, np.int8(sign))


def kstest(rvs, cdf, args=(), N=20, alternative="two-sided", method="auto", **options):
    if alternative == "two_sided":
        alternative = "two-sided"
    if isinstance(rvs, str) or callable(rvs):
        draw = getattr(stats, rvs).rvs if isinstance(rvs, str) else rvs
        rvs = np.sort(draw(*args, size=N))
        if not isinstance(cdf, str) and not callable(cdf):
            raise NotImplementedError("scipy.stats.kstest of a distribution and a sample, in this order")
    if isinstance(cdf, str) or callable(cdf):
        return ks_1samp(rvs, cdf, args, alternative, method)
    return ks_2samp(rvs, cdf, alternative, method)


# ---- Shapiro and Wilk ------------------------------------------------------------------------------------------------


def _poly(values, x):
    return sum(c * x**i for i, c in enumerate(values))


def shapiro(x, **options):
    """Royston's algorithm AS R94."""
    x = np.sort(np.ravel(np.asarray(x, dtype=float)))
    n = len(x)
    if n < 3:
        raise ValueError("Data must be at least length 3.")
    if x[-1] == x[0]:
        import warnings
        warnings.warn("Input data has range zero. The results may not be accurate.", stacklevel=2)
    half = n // 2
    a = np.zeros(half)
    if n == 3:
        a[0] = math.sqrt(0.5)
    else:
        m = np.asarray(stats.norm.ppf((np.arange(1, half + 1) - 0.375) / (n + 0.25)))
        whole = 2.0 * float((m * m).sum())
        size, root = math.sqrt(whole), 1.0 / math.sqrt(n)
        first = _poly((0.0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056), root) - float(m[0]) / size
        if n > 5:
            second = _poly((0.0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633), root) - float(m[1]) / size
            rest = math.sqrt((whole - 2 * float(m[0]) ** 2 - 2 * float(m[1]) ** 2) / (1 - 2 * first**2 - 2 * second**2))
            a[1] = second
            start = 2
        else:
            rest, start = math.sqrt((whole - 2 * float(m[0]) ** 2) / (1 - 2 * first**2)), 1
        a[0] = first
        a[start:] = -m[start:] / rest
    weights = np.concatenate([-a, np.zeros(n % 2), a[::-1]])
    centered = x - x[n // 2]
    span = float(centered[-1] - centered[0]) or 1.0
    values = centered / span
    values = values - values.mean()
    weights = weights - weights.mean()
    squares, across, own = float((values * values).sum()), float((weights * values).sum()), float((weights * weights).sum())
    if squares == 0:
        return ShapiroResult(np.float64(1.0), np.float64(1.0))
    both = math.sqrt(own * squares)
    lack = (both - across) * (both + across) / (own * squares)
    w = 1.0 - lack
    if n == 3:
        p = 1.0 if w >= 1 else max(0.0, 1.90985931710274 * (math.asin(math.sqrt(w)) - 1.04719755119660))
        return ShapiroResult(np.float64(w), np.float64(p))
    y, log = math.log(lack), math.log(n)
    if n <= 11:
        gamma = -2.273 + 0.459 * n
        if y >= gamma:
            return ShapiroResult(np.float64(w), np.float64(1e-99))
        y = -math.log(gamma - y)
        middle = _poly((0.544, -0.39978, 0.025054, -6.714e-4), n)
        spread = math.exp(_poly((1.3822, -0.77857, 0.062767, -0.0020322), n))
    else:
        middle = _poly((-1.5861, -0.31082, -0.083751, 0.0038915), log)
        spread = math.exp(_poly((-0.4803, -0.082676, 0.0030302), log))
    return ShapiroResult(np.float64(w), np.float64(stats.norm.sf((y - middle) / spread)))


# ---- ranks and counts ------------------------------------------------------------------------------------------------


def _of_normal(z, alternative):
    return float({"two-sided": lambda: 2 * stats.norm.sf(abs(z)), "greater": lambda: stats.norm.sf(z),
                  "less": lambda: stats.norm.cdf(z)}[alternative]())


def _kendall_exact(n, c, alternative):
    """The exact p-value: how many orders of n values have so few inversions."""
    def below(c):
        counts = [1.0] + [0.0] * c
        for j in range(2, n + 1):
            sums = np.cumsum(counts)
            late = np.concatenate([np.zeros(min(j, len(sums))), sums[:-j]]) if j <= c else np.zeros(len(sums))
            counts = sums - late
            counts = counts / j
        return float(np.sum(counts))
    whole = n * (n - 1) // 2
    if alternative == "two-sided":
        c = min(c, whole - c)
        return min(1.0, 2.0 * below(c))
    return below(whole - c) if alternative == "greater" else below(c)


def kendalltau(x, y, *, nan_policy="propagate", method="auto", variant="b", alternative="two-sided", **options):
    x, y = np.ravel(np.asarray(x)), np.ravel(np.asarray(y))
    if x.size != y.size:
        raise ValueError("Array shapes are incompatible for broadcasting.")
    _checked("", alternative)
    n = x.size
    x, y = (np.unique(part, return_inverse=True)[1] for part in (x, y))
    ahead = np.triu(np.ones((n, n), dtype=bool), 1)
    dx, dy = np.sign(x[None] - x[:, None])[ahead], np.sign(y[None] - y[:, None])[ahead]
    whole = n * (n - 1) // 2
    discordant = int((dx * dy < 0).sum())
    both = int(((dx == 0) & (dy == 0)).sum())
    xtie, ytie = int((dx == 0).sum()), int((dy == 0).sum())
    if xtie == whole or ytie == whole or n < 2:
        return SignificanceResult(np.float64(np.nan), np.float64(np.nan))
    difference = whole - xtie - ytie + both - 2 * discordant
    if variant == "b":
        tau = difference / math.sqrt(whole - xtie) / math.sqrt(whole - ytie)
    elif variant == "c":
        classes = min(int(x.max()) + 1, int(y.max()) + 1)
        tau = 2 * (difference / (n**2 * (classes - 1) / classes))
    else:
        raise ValueError(f"Unknown variant of the method chosen: {variant}. variant must be 'b' or 'c'.")
    tau = min(1.0, max(-1.0, tau))
    if method == "exact" and (xtie or ytie):
        raise ValueError("Ties found, exact method cannot be used.")
    if method == "auto":
        method = "exact" if not xtie and not ytie and (n <= 33 or min(discordant, whole - discordant) <= 1) else "asymptotic"
    if method == "exact":
        p = _kendall_exact(n, whole - discordant, {"greater": "greater", "less": "less"}.get(alternative, alternative))
    elif method == "asymptotic":
        def of_ties(ranks):
            count = np.bincount(ranks)
            count = count[count > 1].astype(float)
            return float((count * (count - 1) * (count - 2)).sum()), float((count * (count - 1) * (2 * count + 5)).sum())
        (x0, x1), (y0, y1) = of_ties(x), of_ties(y)
        m = n * (n - 1.0)
        spread = (m * (2 * n + 5) - x1 - y1) / 18 + (2 * xtie * ytie) / m + x0 * y0 / (9 * m * (n - 2))
        p = _of_normal(difference / math.sqrt(spread), alternative)
    else:
        raise ValueError(f"Unknown method {method} specified.  Use 'auto', 'exact' or 'asymptotic'.")
    return SignificanceResult(np.float64(tau), np.float64(p))


def fisher_exact(table, alternative=None, *, method=None):
    table = np.asarray(table, dtype=np.int64)
    if table.shape != (2, 2) or method is not None:
        raise NotImplementedError("scipy.stats.fisher_exact of anything but a table of two rows and two columns")
    if np.any(table < 0):
        raise ValueError("All values in `table` must be nonnegative.")
    alternative = "two-sided" if alternative is None else alternative
    if np.any(table.sum(axis=0) == 0) or np.any(table.sum(axis=1) == 0):
        return SignificanceResult(np.float64(np.nan), np.float64(1.0))
    (a, b), (c, d) = table.tolist()
    odds = a * d / (b * c) if b * c else math.inf
    n1, n2, n = a + b, c + d, a + c
    low, high = max(0, n - n2), min(n, n1)
    whole = math.comb(n1 + n2, n)
    chance = [math.comb(n1, k) * math.comb(n2, n - k) for k in range(low, high + 1)]
    if alternative == "less":
        p = sum(chance[:a - low + 1]) / whole
    elif alternative == "greater":
        p = sum(chance[a - low:]) / whole
    elif alternative == "two-sided":
        p = sum(v for v in chance if v <= chance[a - low] * (1 + 1e-14)) / whole
    else:
        raise ValueError("`alternative` should be one of {'two-sided', 'less', 'greater'}.")
    return SignificanceResult(np.float64(odds), np.float64(min(p, 1.0)))


def friedmanchisquare(*samples, **options):
    k = len(samples)
    if k < 3:
        raise ValueError(f"At least 3 samples must be given for Friedman test, got {k}.")
    table = np.stack([_line("friedmanchisquare", s) for s in samples], 1).astype(float)
    n = len(table)
    ranks = np.stack([stats.rankdata(row) for row in table])
    ties = 0.0
    for row in table:
        _, count = np.unique(row, return_counts=True)
        ties += float((count.astype(float) ** 3 - count).sum())
    c = 1 - ties / (k * (k * k - 1) * n)
    total = float((ranks.sum(axis=0) ** 2).sum())
    statistic = (12.0 / (k * n * (k + 1)) * total - 3 * n * (k + 1)) / c
    return FriedmanchisquareResult(np.float64(statistic), np.float64(stats.chi2.sf(statistic, k - 1)))


def ranksums(x, y, alternative="two-sided", **options):
    x, y = _line("ranksums", x), _line("ranksums", y)
    m, n = len(x), len(y)
    total = stats.rankdata(np.concatenate([x, y]))[:m].sum()
    z = (total - m * (m + n + 1) / 2.0) / math.sqrt(m * n * (m + n + 1) / 12.0)
    return RanksumsResult(np.float64(z), np.float64(_of_normal(z, alternative)))


class BinomTestResult:
    def __init__(self, k, n, alternative, statistic, pvalue):
        self.k, self.n, self.alternative, self.statistic, self.pvalue = k, n, alternative, statistic, pvalue

    def __repr__(self):
        return f"BinomTestResult(k={self.k}, n={self.n}, alternative={self.alternative!r}, statistic={self.statistic}, pvalue={self.pvalue})"

    def proportion_ci(self, confidence_level=0.95, method="exact"):
        from scipy.special import ndtri
        if method == "wilson":
            share = self.statistic
            z = float(ndtri(0.5 + 0.5 * confidence_level)) if self.alternative == "two-sided" else float(ndtri(confidence_level))
            middle = 2 * self.n * share + z**2
            wide = z * math.sqrt(z**2 + 4 * self.n * share * (1 - share))
            low, high = (middle - wide) / (2 * (self.n + z**2)), (middle + wide) / (2 * (self.n + z**2))
            low = 0.0 if self.k == 0 or self.alternative == "less" else low
            high = 1.0 if self.k == self.n or self.alternative == "greater" else high
            return ConfidenceInterval(np.float64(low), np.float64(high))
        if method != "exact":
            raise NotImplementedError(f"scipy.stats: proportion_ci(method={method!r})")
        level = (1 - confidence_level) / 2 if self.alternative == "two-sided" else 1 - confidence_level
        low = 0.0 if self.k == 0 or self.alternative == "less" else float(stats.beta.ppf(level, self.k, self.n - self.k + 1))
        high = 1.0 if self.k == self.n or self.alternative == "greater" else float(stats.beta.ppf(1 - level, self.k + 1, self.n - self.k))
        return ConfidenceInterval(low, high)


def binomtest(k, n, p=0.5, alternative="two-sided"):
    k, n = int(k), int(n)
    if k > n:
        raise ValueError(f"k ({k}) must not be greater than n ({n}).")
    if not 0 <= p <= 1:
        raise ValueError(f"p ({p}) must be in range [0,1]")
    chance = np.asarray(stats.binom.pmf(np.arange(n + 1), n, p))
    if alternative == "less":
        value = float(stats.binom.cdf(k, n, p))
    elif alternative == "greater":
        value = float(stats.binom.sf(k - 1, n, p))
    elif alternative == "two-sided":
        value = 1.0 if k == p * n else float(chance[chance <= chance[k] * (1 + 1e-7)].sum())
    else:
        raise ValueError("alternative ('" + alternative + "') not recognized; must be 'two-sided', 'less' or 'greater'")
    return BinomTestResult(k, n, alternative, k / n, min(1.0, value))


def ttest_ind_from_stats(mean1, std1, nobs1, mean2, std2, nobs2, equal_var=True, alternative="two-sided"):
    v, w = std1**2, std2**2
    if equal_var:
        df = nobs1 + nobs2 - 2.0
        error = math.sqrt(((nobs1 - 1) * v + (nobs2 - 1) * w) / df * (1.0 / nobs1 + 1.0 / nobs2))
    else:
        v, w = v / nobs1, w / nobs2
        df, error = (v + w) ** 2 / (v**2 / (nobs1 - 1) + w**2 / (nobs2 - 1)), math.sqrt(v + w)
    found = (mean1 - mean2) / error
    p = {"two-sided": lambda: 2 * stats.t.sf(abs(found), df), "less": lambda: stats.t.cdf(found, df),
         "greater": lambda: stats.t.sf(found, df)}[alternative]()
    return Ttest_indResult(np.float64(found), np.float64(p))


# ---- normal shapes ---------------------------------------------------------------------------------------------------


def boxcox_llf(lmb, data):
    """How likely the data are, if the transform makes them normal."""
    data = np.asarray(data, dtype=float)
    log = np.log(data)
    if lmb == 0:
        spread = float(log.var())
    else:
        # The logarithm of the variance of x^lmb / lmb, computed so that large powers don't overflow.
        most = float((lmb * log).max())
        spread_log = math.log(float(np.exp(lmb * log - most).var())) + 2 * most - 2 * math.log(abs(lmb))
        return np.float64((lmb - 1) * log.sum() - len(data) / 2 * spread_log)
    return np.float64((lmb - 1) * log.sum() - len(data) / 2 * math.log(spread))


def boxcox_normmax(x, brack=None, method="pearsonr", optimizer=None, *, ymax=None):
    if method != "mle" or optimizer is not None:
        raise NotImplementedError("scipy.stats.boxcox_normmax(method='pearsonr'); 'mle' is here")
    from scipy.optimize import minimize_scalar
    return np.float64(minimize_scalar(lambda lmb: -float(boxcox_llf(lmb, x)), bracket=brack or (-2.0, 2.0), method="brent").x)


def boxcox(x, lmbda=None, alpha=None, optimizer=None):
    x = np.asarray(x)
    if lmbda is not None:
        return np.log(x) if lmbda == 0 else np.expm1(lmbda * np.log(x)) / lmbda
    if x.ndim != 1:
        raise ValueError("Data must be 1-dimensional.")
    if np.all(x == x[0]):
        raise ValueError("Data must not be constant.")
    if np.any(x <= 0):
        raise ValueError("Data must be positive.")
    if alpha is not None:
        raise NotImplementedError("scipy.stats.boxcox(alpha=)")
    found = boxcox_normmax(x, method="mle")
    return (np.log(x) if found == 0 else np.expm1(found * np.log(x)) / found), found


def probplot(x, sparams=(), dist="norm", fit=True, plot=None, rvalue=False):
    x = np.sort(np.asarray(x))
    n = len(x)
    dist = getattr(stats, dist) if isinstance(dist, str) else dist
    sparams = tuple(sparams) if isinstance(sparams, (tuple, list)) else (sparams,)
    middle = np.zeros(n)
    middle[-1] = 0.5 ** (1.0 / n)
    middle[0] = 1 - middle[-1]
    i = np.arange(2, n)
    middle[1:-1] = (i - 0.3175) / (n + 0.365)
    places = np.asarray(dist.ppf(middle, *sparams))
    line = stats.linregress(places, x) if fit or plot is not None else None
    if plot is not None:
        plot.plot(places, x, "bo", *((places, line.slope * places + line.intercept, "r-") if fit else ()))
        title, xlabel, ylabel = "Probability Plot", "Theoretical quantiles", "Ordered Values"
        if hasattr(plot, "set_title"):
            plot.set_title(title), plot.set_xlabel(xlabel), plot.set_ylabel(ylabel)
        else:
            plot.title(title), plot.xlabel(xlabel), plot.ylabel(ylabel)
    return ((places, x), (line.slope, line.intercept, line.rvalue)) if fit else (places, x)


# ---- densities -------------------------------------------------------------------------------------------------------


class gaussian_kde:
    """A density from samples: a normal one around each."""

    def __init__(self, dataset, bw_method=None, weights=None):
        self.dataset = np.atleast_2d(np.asarray(dataset, dtype=float))
        if not self.dataset.size > 1:
            raise ValueError("`dataset` input should have multiple elements.")
        self.d, self.n = self.dataset.shape
        self.weights = np.full(self.n, 1.0 / self.n) if weights is None else np.atleast_1d(weights) / np.sum(weights)
        if self.d > self.n:
            raise ValueError("Number of dimensions is greater than number of samples. This results in a singular data covariance "
                             "matrix, which cannot be treated using the algorithms implemented in `gaussian_kde`. Note that "
                             "`gaussian_kde` interprets each *column* of `dataset` to be a point; consider transposing the input to "
                             "`dataset`.")
        self.neff = 1.0 / float((self.weights**2).sum())
        self.set_bandwidth(bw_method)

    def scotts_factor(self):
        return np.power(self.neff, -1.0 / (self.d + 4))

    def silverman_factor(self):
        return np.power(self.neff * (self.d + 2.0) / 4.0, -1.0 / (self.d + 4))

    def set_bandwidth(self, bw_method=None):
        if bw_method is None or bw_method == "scott":
            self.factor = self.scotts_factor()
        elif bw_method == "silverman":
            self.factor = self.silverman_factor()
        elif np.isscalar(bw_method) and not isinstance(bw_method, str):
            self.factor = bw_method
        elif callable(bw_method):
            self.factor = bw_method(self)
        else:
            raise ValueError("`bw_method` should be 'scott', 'silverman', a scalar or a callable.")
        plain = np.atleast_2d(np.cov(self.dataset, rowvar=True, bias=False, aweights=self.weights))
        self.covariance = plain * self.factor**2
        self.inv_cov = np.linalg.inv(plain) / self.factor**2
        low = np.linalg.cholesky(self.covariance * 2 * np.pi)
        self.log_det = 2 * float(np.log(np.diag(low)).sum())

    def evaluate(self, points):
        points = np.atleast_2d(np.asarray(points, dtype=float))
        if points.shape[0] != self.d:
            if points.shape[0] == 1 and points.shape[1] == self.d:
                points = points.reshape(self.d, 1)
            else:
                raise ValueError(f"points have dimension {points.shape[0]}, dataset has dimension {self.d}")
        turn = np.linalg.cholesky(self.inv_cov).T
        own, asked = turn @ self.dataset, turn @ points
        apart = ((own[:, :, None] - asked[:, None]) ** 2).sum(axis=0)
        return (self.weights[:, None] * np.exp(-apart / 2)).sum(axis=0) / math.exp(self.log_det / 2)

    __call__ = pdf = evaluate

    def logpdf(self, x):
        return np.log(self.evaluate(x))

    def integrate_box_1d(self, low, high):
        if self.d != 1:
            raise ValueError("integrate_box_1d() only handles 1D pdfs")
        spread = math.sqrt(float(self.covariance[0, 0]))
        place = self.dataset[0]
        return np.float64((self.weights * (stats.norm.cdf((high - place) / spread) - stats.norm.cdf((low - place) / spread))).sum())

    def resample(self, size=None, seed=None):
        size = int(self.neff) if size is None else size
        rng = seed if hasattr(seed, "multivariate_normal") else np.random.RandomState(seed) if seed is not None else np.random
        around = np.transpose(rng.multivariate_normal(np.zeros(self.d), self.covariance, size=size))
        at = rng.choice(self.n, size=size, p=self.weights)
        return self.dataset[:, at] + around

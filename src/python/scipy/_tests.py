"""Tests of several samples, of counts and of whether numbers are normal."""

import math

import numpy as np
from scipy import stats
from scipy._results import result

NAMES = ("f_oneway", "chi2_contingency", "chisquare", "kruskal", "levene", "bartlett", "mannwhitneyu", "wilcoxon", "normaltest", "skewtest",
         "kurtosistest", "jarque_bera")
F_onewayResult = result("F_onewayResult", "statistic pvalue")
Chi2ContingencyResult = result("Chi2ContingencyResult", "statistic pvalue dof expected_freq")
Power_divergenceResult = result("Power_divergenceResult", "statistic pvalue")
KruskalResult = result("KruskalResult", "statistic pvalue")
LeveneResult = result("LeveneResult", "statistic pvalue")
BartlettResult = result("BartlettResult", "statistic pvalue")
MannwhitneyuResult = result("MannwhitneyuResult", "statistic pvalue")
WilcoxonResult = result("WilcoxonResult", "statistic pvalue")
NormaltestResult = result("NormaltestResult", "statistic pvalue")
SkewtestResult = result("SkewtestResult", "statistic pvalue")
KurtosistestResult = result("KurtosistestResult", "statistic pvalue")
SignificanceResult = result("SignificanceResult", "statistic pvalue")


def _samples(name, samples, options, known=()):
    if other := [n for n, v in options.items() if n not in known and v not in (0, None, False) and v != "propagate"]:
        raise NotImplementedError(f"scipy.stats.{name}({other[0]}=)")
    made = [np.asarray(s, dtype=float) for s in samples]
    if any(s.ndim != 1 for s in made):
        raise NotImplementedError(f"scipy.stats.{name} of samples that aren't lists of numbers")
    return made


def _pair(kind, statistic, pvalue):
    return kind(np.float64(statistic), np.float64(pvalue))


def f_oneway(*samples, **options):
    if len(samples) < 2:
        raise TypeError(f"at least two inputs are required; got {len(samples)}.")
    samples = _samples("f_oneway", samples, {"equal_var": None if options.pop("equal_var", True) else True, **options})
    every = np.concatenate(samples)
    n, k = len(every), len(samples)
    middle = every.mean()
    samples = [s - middle for s in samples]
    every = every - middle
    whole = (every ** 2).sum() - every.sum() ** 2 / n
    between = sum(s.sum() ** 2 / len(s) for s in samples) - every.sum() ** 2 / n
    statistic = between / (k - 1) / ((whole - between) / (n - k))
    from scipy._families import f

    return _pair(F_onewayResult, statistic, f.sf(statistic, k - 1, n - k))


def chisquare(f_obs, f_exp=None, ddof=0, axis=0, *, sum_check=True):
    seen = np.asarray(f_obs, dtype=float)
    if seen.ndim != 1:
        raise NotImplementedError("scipy.stats.chisquare of a table")
    meant = np.full(seen.shape, seen.mean()) if f_exp is None else np.asarray(f_exp, dtype=float)
    if f_exp is not None and sum_check:
        away = abs(seen.sum() - meant.sum()) / min(seen.sum(), meant.sum())
        if away > 1.4901161193847656e-08:
            raise ValueError("For each axis slice, the sum of the observed frequencies must agree with the sum of the expected frequencies "
                             f"to a relative tolerance of 1.4901161193847656e-08, but the percent differences are:\n{away!r}")
    statistic = ((seen - meant) ** 2 / meant).sum()
    return _pair(Power_divergenceResult, statistic, stats.chi2.sf(statistic, len(seen) - 1 - ddof))


def chi2_contingency(observed, correction=True, lambda_=None, *, method=None):
    """Whether the rows and the columns of a table of counts are independent."""
    if method is not None:
        raise NotImplementedError("scipy.stats.chi2_contingency(method=)")
    seen = np.asarray(observed)
    if (seen < 0).any():
        raise ValueError("All values in `observed` must be nonnegative.")
    if seen.size == 0:
        raise ValueError("No data; `observed` has size 0.")
    if seen.ndim != 2:
        raise NotImplementedError("scipy.stats.chi2_contingency of anything but a table of rows and columns")
    seen = seen.astype(float)
    meant = seen.sum(axis=1, keepdims=True) * seen.sum(axis=0, keepdims=True) / seen.sum()
    if (meant == 0).any():
        at = tuple(int(i) for i in np.argwhere(meant == 0)[0])
        raise ValueError(f"The internally computed table of expected frequencies has a zero element at {at}.")
    df = seen.size - sum(seen.shape) + 1
    if df == 0:
        return Chi2ContingencyResult(0.0, 1.0, df, meant)
    if df == 1 and correction:
        away = meant - seen
        seen = seen + np.minimum(0.5, np.abs(away)) * np.sign(away)
    from scipy._summaries import power_divergence

    # The degrees of freedom of a table are fewer than those of a list.
    found = power_divergence(seen.reshape(-1), meant.reshape(-1), seen.size - 1 - df, lambda_=lambda_)
    return Chi2ContingencyResult(found.statistic, found.pvalue, df, meant)


def _ties(ranked):
    times = np.unique(ranked, return_counts=True)[1].astype(float)
    return (times ** 3 - times).sum()


def kruskal(*samples, **options):
    if len(samples) < 2:
        raise ValueError("Need at least two groups in stats.kruskal()")
    samples = _samples("kruskal", samples, options)
    sizes, every = [len(s) for s in samples], np.concatenate(samples)
    n, ranked = len(every), stats.rankdata(every)
    ties = 1 - _ties(ranked) / (n ** 3 - n)
    if ties == 0:
        raise ValueError("All numbers are identical in kruskal")
    parts = np.split(ranked, np.cumsum(sizes)[:-1])
    statistic = (12 / (n * (n + 1)) * sum(p.sum() ** 2 / len(p) for p in parts) - 3 * (n + 1)) / ties
    return _pair(KruskalResult, statistic, stats.chi2.sf(statistic, len(samples) - 1))


def levene(*samples, center="median", proportiontocut=0.05, **options):
    samples = _samples("levene", samples, options)
    if center not in ("mean", "median"):
        raise NotImplementedError(f"scipy.stats.levene(center={center!r})")
    away = [np.abs(s - (np.median(s) if center == "median" else s.mean())) for s in samples]
    n, k = sum(map(len, away)), len(away)
    middle = sum(len(z) * z.mean() for z in away) / n
    statistic = (n - k) * sum(len(z) * (z.mean() - middle) ** 2 for z in away) / ((k - 1) * sum(((z - z.mean()) ** 2).sum() for z in away))
    from scipy._families import f

    return _pair(LeveneResult, statistic, f.sf(statistic, k - 1, n - k))


def bartlett(*samples, **options):
    samples = _samples("bartlett", samples, options)
    sizes, spreads = np.array([float(len(s)) for s in samples]), np.array([s.var(ddof=1) for s in samples])
    n, k = sizes.sum(), len(samples)
    whole = ((sizes - 1) * spreads).sum() / (n - k)
    statistic = ((n - k) * np.log(whole) - ((sizes - 1) * np.log(spreads)).sum()) / (
        1 + ((1 / (sizes - 1)).sum() - 1 / (n - k)) / (3 * (k - 1)))
    return _pair(BartlettResult, statistic, stats.chi2.sf(statistic, k - 1))


def _sided_normal(z, alternative):
    return stats._sided(alternative, z, stats.norm.sf)


def mannwhitneyu(x, y, use_continuity=True, alternative="two-sided", axis=0, method="auto", **options):
    x, y = _samples("mannwhitneyu", (x, y), options)
    m, n = len(x), len(y)
    ranked = stats.rankdata(np.concatenate([x, y]))
    first = ranked[:m].sum() - m * (m + 1) / 2
    u = {"two-sided": max(first, m * n - first), "greater": first, "less": m * n - first}[alternative]
    ties = _ties(ranked)
    if method == "exact" or method == "auto" and (min(m, n) <= 8 and ties == 0):
        # How many of the orders have each sum of ranks.
        ways = [1] + [0] * (m * n)
        for j in range(1, n + 1):
            for s in range(m * n, m + j - 1, -1):
                ways[s] -= ways[s - m - j]
            for s in range(j, m * n + 1):
                ways[s] += ways[s - j]
        p = sum(ways[math.ceil(u):]) / math.comb(m + n, m)
    elif method in ("auto", "asymptotic"):
        spread = math.sqrt(m * n / 12 * (m + n + 1 - ties / ((m + n) * (m + n - 1))))
        p = stats.norm.sf((u - m * n / 2 - (0.5 if use_continuity else 0)) / spread)
    else:
        raise NotImplementedError(f"scipy.stats.mannwhitneyu(method={method!r})")
    return _pair(MannwhitneyuResult, first, min(p * (2 if alternative == "two-sided" else 1), 1.0))


def wilcoxon(x, y=None, zero_method="wilcox", correction=False, alternative="two-sided", method="auto", **options):
    """Whether pairs differ, by the ranks of their differences."""
    if zero_method != "wilcox" or method not in ("auto", "approx", "asymptotic", "exact"):
        raise NotImplementedError("scipy.stats.wilcoxon(zero_method=, method=)")
    parts = _samples("wilcoxon", (x,) if y is None else (x, y), options)
    d = parts[0] if y is None else parts[0] - parts[1]
    zeros = bool((d == 0).any())
    d = d[d != 0]
    n, ranked = len(d), stats.rankdata(np.abs(d))
    plus, minus = ranked[d > 0].sum(), ranked[d < 0].sum()
    ties = _ties(ranked)
    if method == "auto":
        method = "exact" if n <= 50 and not ties and not zeros else "asymptotic"
        if ties and n <= 13 or zeros and n <= 13:
            raise NotImplementedError("scipy.stats.wilcoxon of few pairs with ties, which counts permutations; method='asymptotic' is here")
    statistic = min(plus, minus) if alternative == "two-sided" else plus
    if method == "exact":
        ways = [1]
        for k in range(1, n + 1):
            ways = [a + b for a, b in zip(ways + [0] * k, [0] * k + ways)]
        of = 2 ** n
        above, below = sum(ways[math.ceil(plus):]) / of, sum(ways[:math.floor(plus) + 1]) / of
        p = {"two-sided": min(2 * min(above, below), 1.0), "greater": above, "less": below}[alternative]
    else:
        spread = math.sqrt((n * (n + 1) * (2 * n + 1) - ties / 2) / 24)
        away = plus - n * (n + 1) / 4
        if correction:
            away -= {"two-sided": np.sign(away), "greater": 1, "less": -1}[alternative] * 0.5
        p = _sided_normal(away / spread, alternative)
    return _pair(WilcoxonResult, statistic, p)


def skewtest(a, axis=0, nan_policy="propagate", alternative="two-sided", **options):
    (a,) = _samples("skewtest", (a,), options)
    n = float(len(a))
    if n < 8:
        raise ValueError("`skewtest` requires at least 8 observations; only n=%d observations were given." % n)
    y = stats.skew(a) * math.sqrt((n + 1) * (n + 3) / (6 * (n - 2)))
    beta = 3 * (n * n + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
    w = -1 + math.sqrt(2 * (beta - 1))
    alpha = math.sqrt(2 / (w - 1))
    y = y if y else 1
    z = np.log(y / alpha + np.sqrt((y / alpha) ** 2 + 1)) / math.sqrt(0.5 * math.log(w))
    return _pair(SkewtestResult, z, _sided_normal(z, alternative))


def kurtosistest(a, axis=0, nan_policy="propagate", alternative="two-sided", **options):
    (a,) = _samples("kurtosistest", (a,), options)
    n = float(len(a))
    x = (stats.kurtosis(a, fisher=False) - 3 * (n - 1) / (n + 1)) / math.sqrt(24 * n * (n - 2) * (n - 3) / ((n + 1) ** 2 * (n + 3) * (n + 5)))
    beta = 6 * (n * n - 5 * n + 2) / ((n + 7) * (n + 9)) * math.sqrt(6 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3)))
    a = 6 + 8 / beta * (2 / beta + math.sqrt(1 + 4 / beta ** 2))
    below = 1 + x * math.sqrt(2 / (a - 4))
    third = np.sign(below) * ((1 - 2 / a) / abs(below)) ** (1 / 3)
    z = (1 - 2 / (9 * a) - third) / math.sqrt(2 / (9 * a))
    return _pair(KurtosistestResult, z, _sided_normal(z, alternative))


def normaltest(a, axis=0, nan_policy="propagate", **options):
    statistic = skewtest(a)[0] ** 2 + kurtosistest(a)[0] ** 2
    return _pair(NormaltestResult, statistic, stats.chi2.sf(statistic, 2))


def jarque_bera(x, **options):
    (x,) = _samples("jarque_bera", (x,), options)
    statistic = len(x) / 6 * (stats.skew(x) ** 2 + stats.kurtosis(x) ** 2 / 4)
    return _pair(SignificanceResult, statistic, stats.chi2.sf(statistic, 2))

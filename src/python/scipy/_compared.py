"""Samples compared in pairs, by their medians and by their spread, and samples made more normal."""

import numpy as np
from scipy import stats
from scipy._results import result

NAMES = ("tukey_hsd", "median_test", "fligner", "anderson", "yeojohnson", "yeojohnson_llf", "yeojohnson_normmax", "brunnermunzel")
MedianTestResult = result("MedianTestResult", "statistic pvalue median table")
FlignerResult = result("FlignerResult", "statistic pvalue")
BrunnerMunzelResult = result("BrunnerMunzelResult", "statistic pvalue")
AndersonResult = result("AndersonResult", "statistic critical_values significance_level", "fit_result")


def _listed(name, *samples):
    made = [np.asarray(s, dtype=float) for s in samples]
    if any(s.ndim != 1 for s in made):
        raise NotImplementedError(f"scipy.stats.{name} of samples that aren't lists of numbers")
    return made


class TukeyHSDResult:
    """Differences of means and their p-values, for each pair of groups."""

    def __init__(self, statistic, pvalue, groups, df, error):
        self.statistic, self.pvalue = statistic, pvalue
        self._groups, self._df, self._error = groups, df, error
        self._shown = None

    def confidence_interval(self, confidence_level=0.95):
        if not 0 < confidence_level < 1:
            raise ValueError("Confidence level must be between 0 and 1.")
        if self._shown is None or self._shown[0] != confidence_level:
            from scipy._rare import studentized_range

            away = studentized_range.ppf(confidence_level, self._groups, self._df) * self._error
            self._shown = confidence_level, stats.ConfidenceInterval(self.statistic - away, self.statistic + away)
        return self._shown[1]

    def __str__(self):
        level, ends = (self.confidence_interval(), self._shown)[1] if self._shown is None else self._shown
        lines = [f"Pairwise Group Comparisons ({level * 100:.1f}% Confidence Interval)", "Comparison  Statistic  p-value  Lower CI  Upper CI"]
        lines += [f" ({i} - {j}) {self.statistic[i, j]:>10.3f}{self.pvalue[i, j]:>10.3f}{ends.low[i, j]:>10.3f}{ends.high[i, j]:>10.3f}"
                  for i, j in np.ndindex(self.pvalue.shape) if i != j]
        return "\n".join(lines) + "\n"


def tukey_hsd(*args, equal_var=True):
    from scipy._rare import studentized_range

    if len(args) < 2:
        raise ValueError("There must be more than 1 treatment.")
    if not isinstance(equal_var, bool):
        raise TypeError("Expected a boolean value for 'equal_var'")
    samples = [np.asarray(a, dtype=float) for a in args]
    for s in samples:
        if s.ndim != 1:
            raise ValueError("Input samples must be one-dimensional.")
        if s.size <= 1:
            raise ValueError("Input sample size must be greater than one.")
        if np.isinf(s).any():
            raise ValueError("Input samples must be finite.")
    sizes = np.array([len(s) for s in samples])
    means, spreads = np.array([s.mean() for s in samples]), np.array([s.var(ddof=1) for s in samples])
    if equal_var:
        df = np.float64(sizes.sum() - len(samples))
        each = (spreads * (sizes - 1)).sum() / df
        error = np.sqrt((1 / sizes + 1 / sizes[:, None]) * each / 2)
    else:
        own = spreads / sizes
        both = own[:, None] + own
        error = np.sqrt(both / 2)
        df = both**2 / (own[:, None] ** 2 / (sizes[:, None] - 1) + own**2 / (sizes - 1))
    away = means[:, None] - means
    return TukeyHSDResult(away, studentized_range.sf(np.abs(away) / error, len(samples), df), len(samples), df, error)


def median_test(*samples, ties="below", correction=True, lambda_=1, nan_policy="propagate"):
    if len(samples) < 2:
        raise ValueError("median_test requires two or more samples.")
    if ties not in ("below", "above", "ignore"):
        raise ValueError(f"invalid 'ties' option '{ties}'; 'ties' must be one of: 'below', 'above', 'ignore'")
    data = [np.asarray(s) for s in samples]
    for k, d in enumerate(data):
        if d.size == 0:
            raise ValueError(f"Sample {k + 1} is empty. All samples must contain at least one value.")
        if d.ndim != 1:
            raise ValueError(f"Sample {k + 1} has {d.ndim} dimensions. All samples must be one-dimensional sequences.")
    middle = np.median(np.concatenate(data))
    above, below = ([int((d > middle).sum()) for d in data], [int((d < middle).sum()) for d in data])
    equal = [len(d) - a - b for d, a, b in zip(data, above, below)]
    more = {"below": (0, 1), "above": (1, 0), "ignore": (0, 0)}[ties]
    table = np.array([[n + more[i] * e for n, e in zip(row, equal)] for i, row in enumerate((above, below))], dtype=np.int64)
    for row, side in zip(table.sum(axis=1), ("below", "above")):
        if row == 0:
            raise ValueError(f"All values are {side} the grand median ({middle}).")
    found = stats.chi2_contingency(table, correction=correction, lambda_=lambda_)
    return MedianTestResult(found.statistic, found.pvalue, middle, table)


def fligner(*samples, center="median", proportiontocut=0.05, axis=0, **options):
    if center not in ("mean", "median", "trimmed"):
        raise ValueError("center must be 'mean', 'median' or 'trimmed'.")
    if len(samples) < 2:
        raise ValueError("Must provide at least two samples.")
    if center == "trimmed":
        raise NotImplementedError("scipy.stats.fligner(center='trimmed')")
    data = _listed("fligner", *samples)
    away = [np.abs(s - (np.median(s) if center == "median" else s.mean())) for s in data]
    every = np.concatenate(away)
    scores = stats.norm.ppf(stats.rankdata(every) / (2.0 * (len(every) + 1.0)) + 0.5)
    ends = np.cumsum([len(s) for s in data]).tolist()
    means = [scores[end - len(s):end].mean() for end, s in zip(ends, data)]
    statistic = sum(len(s) * (m - scores.mean()) ** 2 for s, m in zip(data, means)) / scores.var(ddof=1)
    return FlignerResult(np.float64(statistic), np.float64(stats.chi2.sf(statistic, len(data) - 1)))


def brunnermunzel(x, y, alternative="two-sided", distribution="t", nan_policy="propagate", **options):
    if distribution not in ("t", "normal"):
        raise ValueError("distribution should be 't' or 'normal'")
    x, y = _listed("brunnermunzel", x, y)
    m, n = len(x), len(y)
    every = stats.rankdata(np.concatenate([x, y]))
    a, b = every[:m], every[m:]
    spreads = []
    for ranks, own, size in ((a, stats.rankdata(x), m), (b, stats.rankdata(y), n)):
        spreads.append(((ranks - own - ranks.mean() + own.mean()) ** 2).sum() / (size - 1))
    size = m * spreads[0], n * spreads[1]
    statistic = m * n * (b.mean() - a.mean()) / ((m + n) * np.sqrt(size[0] + size[1]))
    df = (size[0] + size[1]) ** 2 / (size[0] ** 2 / (m - 1) + size[1] ** 2 / (n - 1))
    below = (lambda v: stats.t.cdf(v, df)) if distribution == "t" else stats.norm.cdf
    share = {"two-sided": 2 * below(-abs(statistic)), "less": below(-statistic), "greater": below(statistic)}.get(alternative)
    if share is None:
        raise ValueError("`alternative` must be 'less', 'greater', or 'two-sided'.")
    return BrunnerMunzelResult(np.float64(statistic), np.float64(share))


# ---- how normal a sample is ------------------------------------------------------------------------------------------


class FitResult:
    def __init__(self, **params):
        self.params = result("FitParams", " ".join(params))(*params.values())
        self.success = True
        self.message = "`anderson` successfully fit the distribution to the data."

    def __repr__(self):
        return f"  params: {self.params!r}\n success: {self.success}\n message: {self.message!r}"


def anderson(x, dist="norm", *, method=None):
    if dist not in ("norm", "expon") or method is not None:
        raise NotImplementedError("scipy.stats.anderson: dist='norm' and 'expon' are here, without method=")
    y = np.sort(_listed("anderson", x)[0])
    n = len(y)
    if dist == "norm":
        place, spread = y.mean(), y.std(ddof=1)
        z, family = (y - place) / spread, stats.norm
        limits = np.array([0.561, 0.631, 0.752, 0.873, 1.035]) / (1.0 + 0.75 / n + 2.25 / n / n)
    else:
        place, spread = np.float64(0.0), y.mean()
        z, family = y / spread, stats.expon
        limits = np.array([0.916, 1.062, 1.321, 1.591, 1.959]) / (1.0 + 0.6 / n)
    steps = np.arange(1, n + 1)
    statistic = -n - ((2 * steps - 1.0) / n * (family.logcdf(z) + family.logsf(z)[::-1])).sum()
    return AndersonResult(statistic, np.around(limits, 3), np.array([15, 10, 5, 2.5, 1]), FitResult(loc=place, scale=spread))


def _bent(x, power):
    out = np.empty(len(x))
    up = x >= 0
    out[up] = np.log1p(x[up]) if abs(power) < 2.2e-16 else np.expm1(power * np.log1p(x[up])) / power
    rest = 2 - power
    out[~up] = -np.log1p(-x[~up]) if abs(rest) < 2.2e-16 else -np.expm1(rest * np.log1p(-x[~up])) / rest
    return out


def yeojohnson_llf(lmb, data, **options):
    x = _listed("yeojohnson_llf", data)[0]
    spread = _bent(x, lmb).var()
    return np.float64(-len(x) / 2 * np.log(spread) + (lmb - 1) * (np.sign(x) * np.log1p(np.abs(x))).sum())


def yeojohnson_normmax(x, brack=None):
    from scipy.optimize import minimize_scalar

    x = _listed("yeojohnson_normmax", x)[0]
    return np.float64(minimize_scalar(lambda power: -yeojohnson_llf(power, x), bracket=(-2, 2) if brack is None else brack).x)


def yeojohnson(x, lmbda=None):
    values = _listed("yeojohnson", x)[0]
    if lmbda is not None:
        return _bent(values, lmbda)
    power = yeojohnson_normmax(values)
    return _bent(values, power), power

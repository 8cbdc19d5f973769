"""Summaries of samples that fewer programs ask for: cut means, counts in bins, angles, slopes and corrected p-values."""

import math

import numpy as np
from scipy import stats
from scipy._results import result

NAMES = ("trim_mean", "tmean", "tvar", "tstd", "variation", "gstd", "percentileofscore", "median_abs_deviation", "moment", "sigmaclip", "circmean",
         "circvar", "circstd", "cumfreq", "relfreq", "binned_statistic", "pointbiserialr", "theilslopes", "siegelslopes", "power_divergence",
         "false_discovery_control", "combine_pvalues")
SigmaclipResult = result("SigmaclipResult", "clipped lower upper")
CumfreqResult = result("CumfreqResult", "cumcount lowerlimit binsize extrapoints")
RelfreqResult = result("RelfreqResult", "frequency lowerlimit binsize extrapoints")
BinnedStatisticResult = result("BinnedStatisticResult", "statistic bin_edges binnumber")
TheilslopesResult = result("TheilslopesResult", "slope intercept low_slope high_slope")
SiegelslopesResult = result("SiegelslopesResult", "slope intercept")
SignificanceResult = result("SignificanceResult", "statistic pvalue")
Power_divergenceResult = result("Power_divergenceResult", "statistic pvalue")


def _floats(a):
    a = np.asarray(a)
    return a if a.dtype.kind == "f" else a.astype(np.float64)


def _lines(a, axis):
    """The array with the axis in question at its end."""
    a = np.asarray(a)
    return a.reshape(-1) if axis is None else np.moveaxis(a, axis, -1)


def _listed(name, *samples):
    made = [_floats(s) for s in samples]
    if any(s.ndim != 1 for s in made):
        raise NotImplementedError(f"scipy.stats.{name} of arrays that aren't lists of numbers")
    return made


# ---- means and spreads -----------------------------------------------------------------------------------------------


def trim_mean(a, proportiontocut, axis=0, **options):
    rows = np.sort(_lines(_floats(a), axis), axis=-1)
    count = rows.shape[-1]
    low = int(proportiontocut * count)
    if low >= count - low:
        raise ValueError("Proportion too big.")
    return rows[..., low:count - low].mean(axis=-1)


def _within(name, a, limits, inclusive):
    a = _listed(name, a)[0]
    low, high = limits or (None, None)
    kept = np.ones(len(a), dtype=bool)
    if low is not None:
        kept &= a >= low if inclusive[0] else a > low
    if high is not None:
        kept &= a <= high if inclusive[1] else a < high
    return a[kept]


def tmean(a, limits=None, inclusive=(True, True), axis=None):
    return _within("tmean", a, limits, inclusive).mean()


def tvar(a, limits=None, inclusive=(True, True), axis=0, ddof=1):
    return _within("tvar", a, limits, inclusive).var(ddof=ddof)


def tstd(a, limits=None, inclusive=(True, True), axis=0, ddof=1):
    return np.sqrt(tvar(a, limits, inclusive, axis, ddof))


def variation(a, axis=0, nan_policy="propagate", ddof=0, *, keepdims=False):
    a = _floats(a)
    return a.std(axis=axis, ddof=ddof, keepdims=keepdims) / a.mean(axis=axis, keepdims=keepdims)


def gstd(a, axis=0, ddof=1, **options):
    return np.exp(np.log(_floats(a)).std(axis=axis, ddof=ddof))


def moment(a, order=1, axis=0, nan_policy="propagate", *, center=None):
    rows = _lines(_floats(a), axis)
    one = lambda k: ((rows - (rows.mean(axis=-1, keepdims=True) if center is None else center)) ** k).mean(axis=-1)
    return np.array([one(k) for k in order]) if np.ndim(order) else one(order)


def median_abs_deviation(x, axis=0, center=np.median, scale=1.0, nan_policy="propagate"):
    rows = _lines(_floats(x), axis)
    middle = np.asarray(center(rows, axis=-1))[..., None]
    return np.median(np.abs(rows - middle), axis=-1) / (0.6744897501960817 if scale == "normal" else scale)


def percentileofscore(a, score, kind="rank", nan_policy="propagate"):
    a = np.asarray(a)
    score = np.asarray(score)
    if not len(a):
        return np.full(score.shape, np.nan)[()]
    below = np.count_nonzero(a < score[..., None], axis=-1)
    to = np.count_nonzero(a <= score[..., None], axis=-1)
    if kind not in ("rank", "strict", "weak", "mean"):
        raise ValueError("kind can only be 'rank', 'strict', 'weak' or 'mean'")
    if kind == "rank":
        return (below + to + (below < to)) * (50.0 / len(a))
    return {"strict": below * (100.0 / len(a)), "weak": to * (100.0 / len(a)), "mean": (below + to) * (50.0 / len(a))}[kind]


def sigmaclip(a, low=4.0, high=4.0, **options):
    kept = np.asarray(a).reshape(-1)
    while True:
        spread, middle, size = kept.std(), kept.mean(), kept.size
        lower, upper = middle - spread * low, middle + spread * high
        kept = kept[(kept >= lower) & (kept <= upper)]
        if kept.size == size:
            return SigmaclipResult(kept, lower, upper)


# ---- angles ----------------------------------------------------------------------------------------------------------


def _turned(samples, high, low, axis):
    """The mean sine and cosine of angles, their count of radians, and the mean's length."""
    rows = _lines(_floats(samples), axis)
    period = 2 * math.pi / (high - low)
    scaled = (rows - low) * period
    sine, cosine = np.sin(scaled).mean(axis=-1), np.cos(scaled).mean(axis=-1)
    return sine, cosine, period, np.minimum(np.hypot(sine, cosine), 1.0)


def circmean(samples, high=2 * math.pi, low=0, axis=None, nan_policy="propagate"):
    sine, cosine, period, _ = _turned(samples, high, low, axis)
    return (np.arctan2(sine, cosine) / period + (0.0 - low)) % (high - low) + low if low else np.arctan2(sine, cosine) / period % (high - low)


def circvar(samples, high=2 * math.pi, low=0, axis=None, nan_policy="propagate"):
    return 1.0 - _turned(samples, high, low, axis)[3]


def circstd(samples, high=2 * math.pi, low=0, axis=None, nan_policy="propagate", *, normalize=False):
    _, _, period, length = _turned(samples, high, low, axis)
    made = np.sqrt(-2 * np.log(length))
    return made if normalize else made / period


# ---- counts in bins --------------------------------------------------------------------------------------------------


def _counted(a, numbins, limits, weights):
    a = np.asarray(a).reshape(-1)
    if limits is None:
        low, high = a.min(), a.max()
        half = (high - low) / (2.0 * (numbins - 1.0))
        limits = (low - half, high + half)
    counts, edges = np.histogram(a, bins=numbins, range=limits, weights=weights)
    outside = int(((a < limits[0]) | (a > limits[1])).sum())
    return np.asarray(counts, dtype=float), limits[0], edges[1] - edges[0], outside, len(a)


def cumfreq(a, numbins=10, defaultreallimits=None, weights=None):
    counts, low, size, outside, _ = _counted(a, numbins, defaultreallimits, weights)
    return CumfreqResult(np.cumsum(counts), low, size, outside)


def relfreq(a, numbins=10, defaultreallimits=None, weights=None):
    counts, low, size, outside, count = _counted(a, numbins, defaultreallimits, weights)
    return RelfreqResult(counts / count, low, size, outside)


def binned_statistic(x, values, statistic="mean", bins=10, range=None):
    x, values = _listed("binned_statistic", x, values)
    if len(x) != len(values):
        raise AttributeError("The number of `values` elements must match the length of each `sample` dimension.")
    known = {"mean": np.mean, "median": np.median, "count": len, "sum": np.sum, "std": np.std, "min": np.min, "max": np.max}
    if not callable(statistic) and statistic not in known:
        raise ValueError(f"invalid statistic {statistic!r}")
    edges = np.histogram_bin_edges(x, bins, range)
    at = np.digitize(x, edges)
    # The last bin holds its right end as well.
    at = np.where(x == edges[-1], len(edges) - 1, at)
    function = statistic if callable(statistic) else known[statistic]
    nothing = 0.0 if statistic in ("count", "sum") else np.nan
    parts = [values[at == k] for k in np.arange(1, len(edges))]
    made = np.array([float(function(part)) if len(part) else nothing for part in parts])
    return BinnedStatisticResult(made, edges, at)


# ---- slopes and p-values ---------------------------------------------------------------------------------------------


def pointbiserialr(x, y, **options):
    found = stats.pearsonr(x, y)
    return SignificanceResult(found.statistic, found.pvalue)


def _lined(name, y, x):
    y = _listed(name, y)[0]
    x = np.arange(len(y), dtype=float) if x is None else _listed(name, x)[0]
    if len(x) != len(y):
        raise ValueError("Array shapes are incompatible for broadcasting.")
    return y, x


def _repeats(a):
    return [int(n) for n in np.unique(a, return_counts=True)[1] if n > 1]


def theilslopes(y, x=None, alpha=0.95, method="separate", **options):
    if method not in ("joint", "separate"):
        raise ValueError("method must be either 'joint' or 'separate'.'joint' or 'separate'.")
    y, x = _lined("theilslopes", y, x)
    run, rise = x[:, None] - x, y[:, None] - y
    slopes = np.sort(rise[run > 0] / run[run > 0])
    slope = np.median(slopes)
    intercept = np.median(y - slope * x) if method == "joint" else np.median(y) - slope * np.median(x)
    z = stats.norm.ppf((1 - alpha if alpha > 0.5 else alpha) / 2.0)
    count, n = len(slopes), len(y)
    spread = 1 / 18.0 * (n * (n - 1) * (2 * n + 5) - sum(k * (k - 1) * (2 * k + 5) for k in _repeats(x))
                         - sum(k * (k - 1) * (2 * k + 5) for k in _repeats(y)))
    sigma = math.sqrt(spread) if spread >= 0 else math.nan
    if not sigma >= 0:
        return TheilslopesResult(slope, intercept, np.nan, np.nan)
    upper = min(round((count - z * sigma) / 2.0), count - 1)
    lower = max(round((count + z * sigma) / 2.0) - 1, 0)
    return TheilslopesResult(slope, intercept, slopes[lower], slopes[upper])


def siegelslopes(y, x=None, method="hierarchical", **options):
    if method not in ("hierarchical", "separate"):
        raise ValueError("method can only be 'hierarchical' or 'separate'")
    y, x = _lined("siegelslopes", y, x)
    run, rise = x[:, None] - x, y[:, None] - y
    medians, crossings = [], []
    for j in range(len(x)):
        moved = run[j] != 0
        medians.append(np.median(rise[j, moved] / run[j, moved]))
        crossings.append(np.median((y * x[j] - y[j] * x)[moved] / run[j, moved]))
    slope = np.median(np.array(medians))
    return SiegelslopesResult(slope, np.median(np.array(crossings) if method == "separate" else y - slope * x))


_POWERS = {"pearson": 1, "log-likelihood": 0, "freeman-tukey": -0.5, "mod-log-likelihood": -1, "neyman": -2, "cressie-read": 2 / 3}


def power_divergence(f_obs, f_exp=None, ddof=0, axis=0, lambda_=None, *, sum_check=True):
    if isinstance(lambda_, str) and lambda_ not in _POWERS:
        raise ValueError(f"invalid string for lambda_: {lambda_!r}. Valid strings are {str(list(_POWERS))[1:-1]}")
    power = _POWERS[lambda_] if isinstance(lambda_, str) else 1 if lambda_ is None else lambda_
    seen = _listed("power_divergence", f_obs)[0]
    if power == 1:
        return stats.chisquare(f_obs, f_exp, ddof, axis, sum_check=sum_check)
    meant = np.full(seen.shape, seen.mean()) if f_exp is None else _listed("power_divergence", f_exp)[0]
    if f_exp is not None and sum_check:
        # The sums are compared as chisquare compares them.
        stats.chisquare(f_obs, f_exp, ddof, axis)
    if power == 0:
        terms = 2.0 * stats.xlogy(seen, seen / meant)
    elif power == -1:
        terms = 2.0 * stats.xlogy(meant, meant / seen)
    else:
        terms = seen * ((seen / meant) ** power - 1) / (0.5 * power * (power + 1))
    statistic = terms.sum()
    return Power_divergenceResult(statistic, np.float64(stats.chi2.sf(statistic, len(seen) - 1 - ddof)))


def false_discovery_control(ps, *, axis=0, method="bh"):
    if str(method).lower() not in ("bh", "by"):
        raise ValueError(f"Unrecognized `method` '{method}'.Method must be one of {{'bh', 'by'}}.")
    ps = _listed("false_discovery_control", ps)[0]
    if not ((ps >= 0) & (ps <= 1)).all():
        raise ValueError("`ps` must include only numbers between 0 and 1.")
    count = len(ps)
    order = np.argsort(ps)
    ranks = np.arange(1, count + 1)
    made = ps[order] * (count / ranks)
    if str(method).lower() == "by":
        made = made * (1 / ranks).sum()
    made = np.minimum.accumulate(made[::-1])[::-1]
    out = np.empty(count)
    out[order] = made
    return np.clip(out, 0, 1)


def combine_pvalues(pvalues, method="fisher", weights=None, *, axis=0, **options):
    p = _listed("combine_pvalues", pvalues)[0]
    n = len(p)
    if method == "fisher":
        statistic = -2 * np.log(p).sum()
        share = stats.chi2.sf(statistic, 2 * n)
    elif method == "pearson":
        statistic = 2 * np.log1p(-p).sum()
        share = stats.chi2.cdf(-statistic, 2 * n)
    elif method == "stouffer":
        weights = np.ones(n) if weights is None else _floats(weights)
        statistic = (weights * stats.norm.isf(p)).sum() / np.sqrt((weights * weights).sum())
        share = stats.norm.sf(statistic)
    elif method == "tippett":
        statistic = p.min()
        share = stats.beta.cdf(statistic, 1, n)
    elif method == "mudholkar_george":
        factor = math.sqrt(3 / n) / math.pi
        statistic = -np.log(p).sum() + np.log1p(-p).sum()
        share = stats.t.sf(statistic * factor * math.sqrt((5 * n + 4) / (5 * n + 2)), 5 * n + 4)
    else:
        raise ValueError(f"Invalid method {method!r}. Valid methods are 'fisher', 'pearson', 'mudholkar_george', 'tippett', and 'stouffer'")
    return SignificanceResult(np.float64(statistic), np.float64(share))

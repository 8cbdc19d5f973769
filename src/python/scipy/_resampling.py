"""Intervals and tests by drawing from the samples themselves: the bootstrap and permutations."""

import inspect
import itertools
import math
import warnings

import numpy as np
from scipy import stats
from scipy._results import result

NAMES = ("bootstrap", "permutation_test", "BootstrapResult", "PermutationTestResult", "DegenerateDataWarning")
BootstrapResult = result("BootstrapResult", "confidence_interval bootstrap_distribution standard_error")
PermutationTestResult = result("PermutationTestResult", "statistic pvalue null_distribution")


class DegenerateDataWarning(RuntimeWarning):
    """Warns when data is degenerate and results may not be reliable."""

    def __init__(self, msg=None):
        self.args = ("Degenerate data encountered; results may not be reliable." if msg is None else msg,)


def _source(rng, options):
    """The generator that draws: `random_state=` makes the older kind of a seed, `rng=` the newer one."""
    if "random_state" in options:
        seed = options.pop("random_state")
        if seed is None:
            return np.random.mtrand._rand if hasattr(np.random, "mtrand") else np.random
        return np.random.RandomState(seed) if isinstance(seed, (int, np.integer)) else seed
    return np.random.default_rng(rng)


def _rows(statistic, vectorized):
    """The statistic of each row of samples."""
    if vectorized is None:
        vectorized = "axis" in inspect.signature(statistic).parameters
    if vectorized:
        return lambda *samples: np.asarray(statistic(*samples, axis=-1))

    def each(*samples):
        if samples[0].ndim == 1:
            return np.asarray(statistic(*samples))
        return np.array([statistic(*of) for of in zip(*samples)])

    return each


def _taken(name, data):
    if isinstance(data, np.ndarray) and data.ndim == 1:
        raise NotImplementedError(f"scipy.stats.{name} of a bare sample: give it in a tuple, as in (x,)")
    made = [np.asarray(s) for s in data]
    if not made:
        raise ValueError("`data` must contain at least one sample.")
    if any(s.ndim > 1 for s in made):
        raise NotImplementedError(f"scipy.stats.{name} of samples that aren't lists of numbers")
    if any(s.size <= 1 for s in made):
        raise ValueError("each sample in `data` must contain two or more observations along `axis`.")
    return made


def _accelerated(data, statistic, drawn, alpha):
    """The shares at which the interval ends, corrected for bias and for a spread that changes with the statistic."""
    whole = statistic(*data)
    share = (np.count_nonzero(drawn < whole) + np.count_nonzero(drawn <= whole)) / (2 * len(drawn))
    bias = stats.ndtri(np.float64(share))
    above = below = 0.0
    for j, sample in enumerate(data):
        n = len(sample)
        left = sample[np.array([[k for k in range(n) if k != i] for i in range(n)])]
        others = [np.broadcast_to(s, (n, len(s))) for s in data]
        each = statistic(*others[:j], left, *others[j + 1:])
        away = (n - 1) * (each.mean() - each)
        above, below = above + (away**3).sum() / n**3, below + (away**2).sum() / n**2
    with np.errstate(all="ignore"):
        bend = 1 / 6 * above / np.float64(below) ** (3 / 2)
    z = float(stats.ndtri(np.float64(alpha)))
    return [stats.ndtr(bias + (bias + v) / (1 - bend * (bias + v))) for v in (z, -z)]


def bootstrap(data, statistic, *, n_resamples=9999, batch=None, vectorized=None, paired=False, axis=0, confidence_level=0.95,
              alternative="two-sided", method="BCa", bootstrap_result=None, rng=None, **options):
    source = _source(rng, options)
    data, function = _taken("bootstrap", data), _rows(statistic, vectorized)
    alternative, method = alternative.lower(), method.lower()
    if alternative not in ("two-sided", "less", "greater"):
        raise ValueError(f"`alternative` must be one of { {'two-sided', 'less', 'greater'} }")
    if method not in ("percentile", "basic", "bca"):
        raise ValueError(f"`method` must be in { {'percentile', 'basic', 'bca'} }")
    if n_resamples != int(n_resamples) or n_resamples < 0:
        raise ValueError("`n_resamples` must be a non-negative integer.")
    if paired:
        if len({len(s) for s in data}) > 1:
            raise ValueError("When `paired is True`, all samples must have the same length along `axis`")
        pairs, inside = data, function
        function = lambda places: inside(*[s[places] for s in pairs])
        data = [np.arange(len(pairs[0]))]
    parts = [] if bootstrap_result is None else [bootstrap_result.bootstrap_distribution]
    integers = source.integers if hasattr(source, "integers") else source.randint
    for start in range(0, n_resamples, batch or n_resamples or 1):
        count = min(batch or n_resamples, n_resamples - start)
        parts.append(function(*[s[integers(0, len(s), size=(count, len(s)))] for s in data]))
    drawn = np.concatenate(parts)
    alpha = (1 - confidence_level) / 2 if alternative == "two-sided" else 1 - confidence_level
    ends = _accelerated(data, function, drawn, alpha) if method == "bca" else [alpha, 1 - alpha]
    if np.isnan(np.asarray(ends)).any():
        warnings.warn(DegenerateDataWarning("The BCa confidence interval cannot be calculated. This problem is known to occur when the distribution "
                                            "is degenerate or the statistic is np.min."), stacklevel=2)
        low = high = np.float64(np.nan)
    else:
        low, high = np.quantile(drawn, np.asarray([float(e) for e in ends]))
    if method == "basic":
        whole = function(*data)
        low, high = 2 * whole - high, 2 * whole - low
    low, high = np.float64(-np.inf if alternative == "less" else low), np.float64(np.inf if alternative == "greater" else high)
    return BootstrapResult(stats.ConfidenceInterval(low, high), drawn, np.std(drawn, ddof=1))


def _partitions(places, sizes):
    """All ways to hand places out to groups of these sizes."""
    if len(sizes) == 1:
        yield list(places)
        return
    for first in itertools.combinations(places, sizes[0]):
        taken = set(first)
        for rest in _partitions([p for p in places if p not in taken], sizes[1:]):
            yield [*first, *rest]


def _mixed(data, function, count, source):
    """The statistic when observations move between samples."""
    sizes = [len(s) for s in data]
    whole = np.concatenate(data)
    ends = np.cumsum(sizes)
    most = math.prod(math.comb(int(end), size) for end, size in zip(ends, sizes))
    exact = count >= most
    rows = list(_partitions(range(len(whole)), sizes)) if exact else [source.permutation(len(whole)) for _ in range(count)]
    moved = whole[np.asarray(rows)]
    return function(*[moved[:, end - size:end] for end, size in zip(ends.tolist(), sizes)]), exact


def _paired(data, function, count, source, batch):
    """The statistic when observations change places within their samples."""
    samples, size = len(data), len(data[0])
    if any(len(s) != size for s in data):
        raise ValueError("Array shapes are incompatible for broadcasting.")
    exact = count >= math.factorial(size) ** samples
    if exact:
        rows = [np.array(list(itertools.product(*[list(itertools.permutations(range(size)))] * samples)))]
    elif hasattr(source, "permuted"):
        batch = min(batch or count, count)
        start = np.tile(np.arange(size), (batch, samples, 1))
        rows = [source.permuted(start, axis=-1)[:min(batch, count - k)] for k in range(0, count, batch)]
    else:
        batch = min(batch or count, count)
        rows = [np.argsort(source.random_sample((min(batch, count - k), samples, size)), axis=-1) for k in range(0, count, batch)]
    return np.concatenate([function(*[data[i][part[:, i]] for i in range(samples)]) for part in rows]), exact


def _swapped(data, function, count, source, batch):
    """The statistic when the observations of a pair change samples. Those of a single sample change their sign."""
    alone = len(data) == 1
    both = [data[0], -data[0]] if alone else data
    columns = list(np.stack(both, axis=1))

    def back(*observations):
        table = np.stack(observations, axis=-1)
        samples = [table[:, i] for i in range(table.shape[1])]
        return function(*(samples[:1] if alone else samples))

    return _paired(columns, back, count, source, batch)


def permutation_test(data, statistic, *, permutation_type="independent", vectorized=None, n_resamples=9999, batch=None, alternative="two-sided",
                     axis=0, rng=None, **options):
    source = _source(rng, options)
    if permutation_type not in ("independent", "pairings", "samples"):
        raise ValueError(f"`permutation_type` must be in { {'samples', 'pairings', 'independent'} }.")
    if permutation_type == "independent" and len(data) < 2:
        raise ValueError("`data` must be a tuple containing at least two samples")
    if alternative not in ("two-sided", "less", "greater"):
        raise ValueError(f"`alternative` must be in { {'two-sided', 'greater', 'less'} }.")
    data, function = _taken("permutation_test", data), _rows(statistic, vectorized)
    seen = function(*data)
    if permutation_type == "independent":
        null, exact = _mixed(data, function, n_resamples, source)
    else:
        null, exact = (_paired if permutation_type == "pairings" else _swapped)(data, function, n_resamples, source, batch)
    # Statistics that differ in their last bits only count as equal.
    near = abs(1e-14 * seen)
    more = 0 if exact else 1
    less, greater = ((count + more) / (len(null) + more) for count in (np.count_nonzero(null <= seen + near), np.count_nonzero(null >= seen - near)))
    share = {"less": less, "greater": greater, "two-sided": 2 * min(less, greater)}[alternative]
    return PermutationTestResult(np.float64(seen), np.float64(min(share, 1.0)), null)

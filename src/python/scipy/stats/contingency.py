"""Tables of counts: `crosstab`, `association` and their margins."""

import math

import numpy as np
from scipy import lacking
from scipy._results import result
from scipy._tests import chi2_contingency

CrosstabResult = result("CrosstabResult", "elements count")


def margins(a):
    """The sums over all axes but one, for each axis."""
    a = np.asarray(a)
    return [a.sum(axis=tuple(j for j in range(a.ndim) if j != k), keepdims=True) for k in range(a.ndim)]


def expected_freq(observed):
    observed = np.asarray(observed, dtype=np.float64)
    made = 1.0
    for part in margins(observed):
        made = made * part
    return made / observed.sum() ** (observed.ndim - 1)


def crosstab(*args, levels=None, sparse=False):
    if levels is not None or sparse:
        raise NotImplementedError("scipy.stats.contingency.crosstab(levels=, sparse=)")
    if not args:
        raise TypeError("At least one input sequence is required.")
    found = [np.unique(np.asarray(a), return_inverse=True) for a in args]
    count = np.zeros([len(values) for values, _ in found], dtype=np.int64)
    for at in zip(*(places.tolist() for _, places in found)):
        count[at] += 1
    return CrosstabResult(tuple(values for values, _ in found), count)


def association(observed, method="cramer", correction=False, lambda_=None):
    table = np.asarray(observed)
    if table.dtype.kind not in "iu":
        raise ValueError("`observed` must be an integer array.")
    if table.ndim != 2:
        raise ValueError("method only accepts 2d arrays")
    share = chi2_contingency(table, correction=correction, lambda_=lambda_).statistic / table.sum()
    rows, columns = table.shape
    if method == "cramer":
        value = share / min(columns - 1, rows - 1)
    elif method == "tschuprow":
        value = share / math.sqrt((rows - 1) * (columns - 1))
    elif method == "pearson":
        value = share / (1 + share)
    else:
        raise ValueError("Invalid argument value: 'method' argument must be 'cramer', 'tschuprow', or 'pearson'")
    return math.sqrt(value)


__getattr__ = lacking("scipy.stats.contingency")

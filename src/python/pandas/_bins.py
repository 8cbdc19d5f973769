"""`get_dummies`, `factorize`, `cut` and `qcut`."""

import numpy as np

from . import _columns as C
from ._columns import BOOL, Column, infer, is_missing
from ._index import Index
from ._intervals import Interval, IntervalIndex
from ._series import Series


def get_dummies(data, prefix=None, prefix_sep="_", dummy_na=False, columns=None, sparse=False, drop_first=False, dtype=None):
    from ._frame import DataFrame
    from ._merge import concat

    if sparse:
        raise NotImplementedError("pandas: get_dummies(sparse=True)")
    kind = BOOL if dtype is None else np.dtype(dtype)

    def columns_of(series, before):
        column = series._column
        known = (
            list(column.dtype._categories)
            if isinstance(column.dtype, C.CategoricalDtype)
            else sorted({x for x in column.items() if not is_missing(x)})
        )
        items, made, labels = column.items(), [], []
        if dummy_na:
            known.append(None)
        for i, x in enumerate(known):
            if drop_first and i == 0:
                continue
            flags = [is_missing(v) if x is None else v == x for v in items]
            made.append(Column(kind, np.array(flags, dtype=bool).astype(kind)))
            shown = C.NAN if x is None else x
            labels.append(shown if before is None else f"{before}{prefix_sep}{shown}")
        return DataFrame._of(made, Index(labels), series.index)

    if not isinstance(data, DataFrame):
        return columns_of(data if isinstance(data, Series) else Series(data), prefix)
    names = (
        [n for n, c in zip(data.columns, data._data) if c.dtype in (C.OBJECT, C.STR) or isinstance(c.dtype, C.CategoricalDtype)]
        if columns is None
        else list(columns)
    )
    befores = (
        dict(zip(names, [prefix] * len(names) if isinstance(prefix, str) else prefix))
        if prefix is not None and not isinstance(prefix, dict)
        else prefix or {}
    )
    rest = data[[n for n in data.columns if n not in names]]
    return concat([rest, *[columns_of(data[n], befores.get(n, n)) for n in names]], axis=1) if names else rest


def factorize(values, sort=False, use_na_sentinel=True):
    column = infer(values)
    items = column.items()
    gone = lambda x: use_na_sentinel and is_missing(x)
    known = list(dict.fromkeys(C.key_of(x) for x in items if not gone(x)))
    if sort:
        known.sort(key=lambda x: (is_missing(x), 0 if is_missing(x) else x))
    place = {x: i for i, x in enumerate(known)}
    codes = np.array([-1 if gone(x) else place[C.key_of(x)] for x in items], dtype=np.int64)
    if isinstance(values, (Series, Index)):
        return codes, Index(known)
    return codes, infer(known).array()


def _rounded(x, digits):
    x = float(x)
    if x == 0 or x != x or abs(x) == float("inf"):
        return x
    whole = abs(x) >= 1
    import math

    places = digits if whole else -int(math.floor(math.log10(abs(x) % 1))) - 1 + digits
    return round(x, places)


def _categories(bins, digits, right, first):
    for digits in range(digits, 20):
        shown = [_rounded(b, digits) for b in bins]
        if len(set(shown)) == len(set(map(float, bins))):
            break
    if first:
        shown[0] -= 10.0**-digits
    if all(isinstance(b, (int, np.integer)) for b in bins) and (not first or digits == 0):
        shown = [int(b) for b in shown]
    return [Interval(a, b, "right" if right else "left") for a, b in zip(shown, shown[1:])]


def _binned(x, bins, right, labels, retbins, precision, include_lowest, ordered, duplicates):
    column = infer(x)
    items = column.items()
    if duplicates not in ("raise", "drop"):
        raise ValueError("invalid value for 'duplicates' parameter, valid options are: raise, drop")
    if len(dict.fromkeys(bins)) < len(bins) and len(bins) != 2 or any(b != b for b in bins):
        if duplicates == "raise":
            raise ValueError(
                f"Bin edges must be unique: {Index(bins)!r}.\nYou can drop duplicate edges by setting the 'duplicates' kwarg"
            )
        bins = list(dict.fromkeys(bins))
    count = len(bins) - 1
    codes = []
    for v in items:
        place = -1
        if not is_missing(v):
            for i in range(count):
                low, high = bins[i], bins[i + 1]
                if (low < v <= high or include_lowest and i == 0 and v == low) if right else (low <= v < high):
                    place = i
                    break
        codes.append(place)
    if labels is False:
        made = (
            Column(C.INT, np.array(codes, dtype=np.int64))
            if -1 not in codes
            else Column(C.FLOAT, np.array([C.NAN if c < 0 else c for c in codes], dtype=np.float64))
        )
    else:
        if labels is not None and (isinstance(labels, str) or not hasattr(labels, "__len__")):
            raise ValueError("Bin labels must either be False, None or passed in as a list-like argument")
        if labels is not None and ordered and len(set(labels)) != len(labels):
            raise ValueError("labels must be unique if ordered=True; pass ordered=False for duplicate labels")
        if labels is not None and len(labels) != count:
            raise ValueError("Bin labels must be one fewer than the number of bin edges")
        names = list(labels) if labels is not None else _categories(bins, precision, right, right and include_lowest)
        known = names if len(set(names)) == len(names) else sorted(set(names))
        made = Column(C.CategoricalDtype(known, ordered), [c if c < 0 else known.index(names[c]) for c in codes])
    if isinstance(x, Series):
        found = Series._of(made, x.index, x.name)
    else:
        found = made.array()
    return (found, np.array(bins)) if retbins else found


def cut(x, bins, right=True, labels=None, retbins=False, precision=3, include_lowest=False, duplicates="raise", ordered=True):
    if isinstance(bins, (int, np.integer)):
        if bins < 1:
            raise ValueError("`bins` should be a positive integer.")
        there = [v for v in infer(x).items() if not is_missing(v)]
        if not there:
            raise ValueError("Cannot cut empty array")
        low, high = float(min(there)), float(max(there))
        if low in (-np.inf, np.inf) or high == np.inf:
            raise ValueError("cannot specify integer `bins` when input data contains infinity")
        if low == high:
            low, high = low - 0.001 * abs(low) if low else -0.001, high + 0.001 * abs(high) if high else 0.001
            edges = np.linspace(low, high, bins + 1).tolist()
        else:
            edges = np.linspace(low, high, bins + 1).tolist()
            wide = (high - low) * 0.001
            if right:
                edges[0] -= wide
            else:
                edges[-1] += wide
        return _binned(x, edges, right, labels, retbins, precision, include_lowest, ordered, duplicates)
    if isinstance(bins, IntervalIndex):
        right, labels, bins = bins.closed == "right", None, [*bins.left, bins.right[len(bins) - 1]]
    edges = bins.tolist() if hasattr(bins, "tolist") else list(bins)
    edges = [float(b) for b in edges] if any(isinstance(b, float) for b in edges) else edges
    if any(a > b for a, b in zip(edges, edges[1:])):
        raise ValueError("bins must increase monotonically.")
    return _binned(x, edges, right, labels, retbins, precision, include_lowest, ordered, duplicates)


def qcut(x, q, labels=None, retbins=False, precision=3, duplicates="raise"):
    there = np.array([v for v in infer(x).items() if not is_missing(v)], dtype=np.float64)
    shares = np.linspace(0, 1, q + 1) if isinstance(q, (int, np.integer)) else np.asarray(q)
    edges = [float(np.quantile(there, float(p))) for p in shares]
    return _binned(x, edges, True, labels, retbins, precision, True, True, duplicates)

"""`describe`, `info`, correlations, and which dtypes `select_dtypes` picks."""

import sys

import numpy as np

from . import _columns as C
from . import _reduce
from ._columns import FLOAT, OBJECT, STR, Column
from ._index import Index, RangeIndex
from ._series import Series


def _share(p):
    text = f"{p * 100:.6f}".rstrip("0").rstrip(".")
    return f"{text}%"


def described(series, percentiles=None, include=None):
    column = series._column
    if column.is_number:
        shares = [0.25, 0.5, 0.75] if percentiles is None else sorted(percentiles)
        if percentiles is None:
            shares = [0.25, 0.5, 0.75]
        names = ["count", "mean", "std", "min", *map(_share, shares), "max"]
        values = [
            float(series.count()),
            series.mean(),
            series.std(),
            series.min(),
            *[series.quantile(p) for p in shares],
            series.max(),
        ]
        if column.nullable:
            found = C.infer([C.NAN if C.is_missing(v) else float(v) for v in values])
            return Series._of(found.astype("Float64"), Index(names), series.name)
        return Series._of(Column(FLOAT, np.array([float(v) for v in values])), Index(names), series.name)
    if column.dtype == C.DATETIME:
        shares = [0.25, 0.5, 0.75] if percentiles is None else sorted(percentiles)
        from ._dates import mean, quantile

        there = sorted(_reduce.full(column))
        values = [len(there), mean("mean", there), there[0], *[quantile(there, p) for p in shares], there[-1]]
        return Series._of(Column(OBJECT, values), Index(["count", "mean", "min", *map(_share, shares), "max"]), series.name)
    counts = series.value_counts()
    top = [counts.index[0], int(counts._column.data[0])] if len(counts) else [C.NAN, C.NAN]
    values = [int(series.count()), len(counts[counts > 0]) if len(counts) else 0, *top]
    return Series._of(Column(OBJECT, values), Index(["count", "unique", "top", "freq"]), series.name)


def described_frame(frame, percentiles, include, exclude):
    if frame.shape[1] == 0:
        raise ValueError("Cannot describe a DataFrame without columns")
    if include == "all":
        part = frame
    elif include is not None or exclude is not None:
        part = frame.select_dtypes(include, exclude)
    else:
        kept = [i for i, c in enumerate(frame._data) if c.is_number or c.dtype in (C.DATETIME, C.TIMEDELTA)]
        part = frame._columns_at(kept) if kept else frame
    from ._frame import DataFrame

    made = [described(s, percentiles) for _, s in part.items()]
    longest = sorted(made, key=len)
    names = (
        list(dict.fromkeys(n for m in longest for n in m.index))
        if not all(m.index.equals(made[0].index) for m in made)
        else list(made[0].index)
    )
    order = ["count", "unique", "top", "freq"]
    names = [n for n in order if n in names] + [n for n in names if n not in order] if "unique" in names else names
    index = Index(names)
    columns = [m._column if m.index.equals(index) else _padded(m, names) for m in made]
    return DataFrame._of(columns, part.columns, index)


def _padded(series, names):
    known = dict(series.items())
    values = [known.get(n, C.NAN) for n in names]
    return Column(FLOAT, np.array(values, dtype=np.float64)) if series._column.numeric else Column(OBJECT, values)


def matches(dtype, wanted):
    wanted = [wanted] if isinstance(wanted, (str, type, np.dtype)) or not hasattr(wanted, "__iter__") else list(wanted)
    for w in wanted:
        number = isinstance(dtype, np.dtype) and dtype.kind in "iufc"
        if w in ("number", "numeric") or w is np.number:
            found = number
        elif w in ("float", "floating") or w is np.floating:
            found = number and dtype.kind == "f"
        elif w in ("integer",) or w is np.integer:
            found = number and dtype.kind in "iu"
        elif w in ("object", object, "O"):
            found = dtype == OBJECT or dtype == STR
        elif w in ("category",):
            found = isinstance(dtype, C.CategoricalDtype)
        elif w in ("datetime", "datetime64"):
            found = dtype == C.DATETIME
        elif w is int or w == "int":
            found = number and dtype == np.dtype("int64")
        else:
            found = dtype == C.as_dtype(w)
        if found:
            return True
    return False


def _both(a, b):
    x, y = np.asarray(a.data, dtype=np.float64), np.asarray(b.data, dtype=np.float64)
    there = ~(np.isnan(x) | np.isnan(y))
    return x[there], y[there]


def correlation(a, b, method="pearson"):
    if method not in ("pearson", "spearman", "kendall") or callable(method):
        raise ValueError(f"method must be either 'pearson', 'spearman', 'kendall', or a callable, '{method}' was supplied")
    if method == "kendall":
        raise NotImplementedError("pandas: corr(method='kendall')")
    if method == "spearman":
        x, y = _both(a, b)
        a, b = (_reduce.ranks(Column(FLOAT, v), "average", True, False) for v in (x, y))
    x, y = _both(a, b)
    if len(x) < 2:
        return np.float64(C.NAN)
    x, y = x - x.mean(), y - y.mean()
    below = np.sqrt((x * x).sum()) * np.sqrt((y * y).sum())
    if below == 0:
        return np.float64(C.NAN)
    return np.float64(np.clip((x * y).sum() / below, -1.0, 1.0))


def covariance(a, b, ddof=1):
    x, y = _both(a, b)
    if len(x) <= ddof:
        return np.float64(C.NAN)
    return ((x - x.mean()) * (y - y.mean())).sum() / (len(x) - ddof)


def _square(frame, function, numeric_only):
    from ._frame import DataFrame

    if numeric_only:
        frame = frame._numbers()
    # Dates count as the numbers that they're kept as.
    frame = DataFrame._of([Column(FLOAT, np.where(np.isnat(c.array()), C.NAN, c.array().astype(np.int64).astype(float)))
                           if c.dtype in (C.DATETIME, C.TIMEDELTA) else c.dense() for c in frame._data], frame.columns, frame.index)
    for c in frame._data:
        if not c.numeric:
            first = next((x for x in c.items() if isinstance(x, str)), None)
            raise ValueError(f"could not convert string to float: {first!r}")
    made = [Column(FLOAT, np.array([float(function(a, b)) for b in frame._data])) for a in frame._data]
    return DataFrame._of(made, frame.columns, frame.columns)


def correlations(frame, method, numeric_only):
    return _square(frame, lambda a, b: correlation(a, b, method), numeric_only)


def covariances(frame, ddof, numeric_only):
    if any(c.dtype in (C.DATETIME, C.TIMEDELTA) for c in frame._data):
        raise TypeError("DataFrame contains columns with dtype datetime64 or timedelta64, which are not supported for cov.")
    return _square(frame, lambda a, b: covariance(a, b, ddof), numeric_only)


def information(frame, buf, verbose, memory_usage, show_counts):
    from ._format import memory

    lines = ["<class 'pandas.DataFrame'>"]
    index, count = frame.index, len(frame)
    ends = f", {index[0]} to {index[-1]}" if count else ""
    kind = type(index).__name__
    if kind == "DatetimeIndex" and count:
        ends = f", {index[0]} to {index[-1]}"
    lines.append(f"{kind}: {count} entries{ends}")
    if not frame._data:
        lines.append("Empty DataFrame")
        (buf or sys.stdout).write("\n".join(lines) + "\n")
        return
    if verbose is False:
        lines.append(f"Columns: {len(frame._data)} entries, {frame.columns[0]} to {frame.columns[-1]}")
    else:
        lines += _table(frame, show_counts is not False)
    kinds = {}
    for c in frame._data:
        kinds[str(c.dtype)] = kinds.get(str(c.dtype), 0) + 1
    lines.append("dtypes: " + ", ".join(f"{k}({n})" for k, n in sorted(kinds.items())))
    if memory_usage is not False:
        deep = memory_usage == "deep"
        size = index_bytes(index) + sum(bytes_of(c, deep) for c in frame._data)
        more = "+" if not deep and any(c.dtype == OBJECT for c in [*frame._data, index._column]) else ""
        text = memory(size)
        lines.append(f"memory usage: {text.replace(' ', more + ' ', 1)}")
    (buf or sys.stdout).write("\n".join(lines) + "\n")


def _table(frame, counts):
    rows = []
    for i, (name, c) in enumerate(zip(frame.columns, frame._data)):
        row = [f" {i}", str(name)]
        if counts:
            row.append(f"{len(c) - sum(c.missing())} non-null")
        rows.append([*row, str(c.dtype)])
    heads = [" # ", "Column", *(["Non-Null Count"] if counts else []), "Dtype"]
    widths = [max(len(h), *(len(r[k]) for r in rows)) for k, h in enumerate(heads)]
    line = lambda cells: "  ".join(c.ljust(w) for c, w in zip(cells, widths))
    rules = ["---", *("-" * len(h) for h in heads[1:])]
    body = [line(heads), line(rules)]
    return [f"Data columns (total {len(rows)} columns):", *body, *map(line, rows)]


def bytes_of(column, deep):
    if isinstance(column.dtype, C.CategoricalDtype):
        return len(column) + 8 * len(column.dtype._categories)
    size = len(column) * column.dtype.itemsize
    if deep and not column.numeric:
        import sys

        size += sum(sys.getsizeof(x) for x in column.items())
    return size


def index_bytes(index):
    if isinstance(index, RangeIndex):
        return 132
    if index._multi:
        return sum(len(c) for c in index._columns) + 64
    return bytes_of(index._column, False)

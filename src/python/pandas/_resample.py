"""Values between values, periods of time, and tables that complete each other."""

import bisect
import datetime

import numpy as np

from . import _columns as C
from . import _offsets
from ._columns import DATETIME, FLOAT, Column, is_missing
from ._dates import NaT, Timedelta, Timestamp
from ._index import Index
from ._offsets import to_offset
from ._series import Series


def _between(data, positions, limit, direction, area):
    """Fills gaps by linear interpolation between their neighbors, and at the ends with the nearest value."""
    gaps = np.isnan(data)
    known = np.where(~gaps)[0]
    if not len(known) or not gaps.any():
        return data
    made = data.copy()
    filled = np.interp(positions, positions[known], data[known])
    first, last = int(known[0]), int(known[-1])
    nearest_before, nearest_after = -1, [len(data)] * len(data)
    following = len(data)
    for i in range(len(data) - 1, -1, -1):
        if not gaps[i]:
            following = i
        nearest_after[i] = following
    for i in range(len(data)):
        if not gaps[i]:
            nearest_before = i
            continue
        inside = first < i < last
        if area == "inside" and not inside or area == "outside" and inside:
            continue
        forward = nearest_before >= 0 and (limit is None or i - nearest_before <= limit)
        backward = nearest_after[i] < len(data) and (limit is None or nearest_after[i] - i <= limit)
        if direction in ("forward", "both") and forward or direction in ("backward", "both") and backward:
            made[i] = filled[i]
    return made


def interpolated(of, method, axis, limit, direction, area):
    if method not in ("linear", "time", "index", "values") or axis not in (0, "index"):
        raise NotImplementedError(f"pandas: interpolate(method={method!r}, axis={axis!r}) isn't here")
    direction = direction or "forward"
    if direction not in ("forward", "backward", "both"):
        raise ValueError(f"Invalid limit_direction: expecting one of ['forward', 'backward', 'both'], got '{direction}'.")
    positions = np.arange(len(of), dtype=float)
    if method != "linear":
        labels = of.index.tolist()
        if labels and isinstance(labels[0], datetime.datetime):
            positions = np.array([(x - labels[0]).total_seconds() for x in labels], dtype=float)
        elif method == "time":
            raise ValueError("time-weighted interpolation only works on Series or DataFrames with a DatetimeIndex")
        else:
            positions = np.array(labels, dtype=float)

    def change(column):
        if column.dtype in (C.STR, C.OBJECT):
            raise TypeError(f"Cannot interpolate with {column.dtype} dtype")
        if not column.numeric or column.dtype.kind != "f":
            return column
        return Column(FLOAT, _between(column.data.astype(np.float64), positions, limit, direction, area))

    return of._mapped(change)


def _edges(first, last, step, closed, origin, offset):
    """The moments that part the rows, the first of them before all rows and the last after them."""
    if not isinstance(step, _offsets._Even):
        first, last = first.normalize(), last.normalize()
        start = step.rollback(first) if closed == "left" else step._later(first, -step.n)
    else:
        zero, one = origin, step.delta
        if isinstance(origin, str):
            if origin not in ("start_day", "start", "epoch"):
                raise NotImplementedError(f"pandas: resample(origin={origin!r}) isn't here")
            zero = first.normalize() if origin == "start_day" else first if origin == "start" else Timestamp(1970, 1, 1)
        over = (first - Timestamp(zero) - (Timedelta(offset) if offset is not None else datetime.timedelta())) % one
        start = first - over if closed == "left" or over else first - one
    edges = [Timestamp(start)]
    while edges[-1] < last or closed == "left" and edges[-1] == last:
        edges.append(step._later(edges[-1], step.n))
    return edges


def periods(series, rule, closed=None, label=None, origin="start_day", offset=None):
    """The label of each moment's period, and all labels from the first to the last."""
    step = to_offset(rule)
    if step is None or type(step) is _offsets.DateOffset or step.n < 1:
        raise NotImplementedError(f"pandas: periods of {rule!r} aren't here")
    named = step.name.partition("-")[0]
    usual = "right" if named in ("ME", "YE", "QE", "BME", "BYE", "BQE", "W") else "left"
    closed, label = closed or usual, label or usual
    for option, side in (("closed", closed), ("label", label)):
        if side not in ("left", "right"):
            raise ValueError(f"Unsupported value {side} for `{option}`")
    moments = series._column.items()
    known = [x for x in moments if x is not NaT]
    if not known:
        raise NotImplementedError("pandas: periods of no moments")
    edges = _edges(min(known), max(known), step, closed, origin, offset)
    whole = not isinstance(step, _offsets._Even) and closed == "right"
    side = bisect.bisect_right if closed == "left" else bisect.bisect_left
    shown = edges[1:] if label == "right" else edges[:-1]
    labels = [NaT if x is NaT else shown[side(edges, x.normalize() if whole else x) - 1] for x in moments]
    every = Index._of(Column(DATETIME, shown), series.name)
    every.freq = step
    return Series._of(Column(DATETIME, labels), series.index, series.name), every


class Periods:
    """`resample(...)`: a group for each period, even for those without rows."""

    def __init__(self, groups, every, chosen=None):
        self._groups, self._every = groups, every

    def __getitem__(self, key):
        return Periods(self._groups[key], self._every)

    def _full(self, made, name):
        own = made.index
        places = {label: i for i, label in enumerate(own.tolist())}
        grid = [places.get(label, -1) for label in self._every.tolist()]
        zero = name in ("sum", "count", "size", "nunique") or name == "prod"
        fill = (1 if name == "prod" else 0) if zero else C.NAN
        parts = [made._column] if made.ndim == 1 else made._data
        parts = [c.taken(grid, fill) if zero or -1 in grid else c.take(grid) for c in parts]
        return Series._of(parts[0], self._every, made.name) if made.ndim == 1 else made._of(parts, made.columns, self._every)

    def agg(self, func=None, *args, **options):
        made = self._groups.agg(func, *args, **options)
        if len(made) == len(self._every) or isinstance(func, str):
            return self._full(made, func)
        names = func if isinstance(func, (list, tuple)) else list(func.values()) if isinstance(func, dict) else [None]
        if all(isinstance(name, str) for name in names):
            # Each function knows what it makes of no rows.
            from ._merge import concat

            if isinstance(func, dict):
                return concat([getattr(self[column], name)() for column, name in func.items()], axis=1)
            if made.columns.nlevels == 1:
                return concat([getattr(self, name)() for name in func], axis=1, keys=list(func))
        raise NotImplementedError("pandas: resample(...).agg with periods that have no rows isn't here; use one function by name")

    aggregate = agg

    def apply(self, func, *args, **options):
        made = self._groups.apply(func, *args, **options)
        if len(made) != len(self._every):
            raise NotImplementedError("pandas: resample(...).apply with periods that have no rows isn't here")
        return self._full(made, "apply")

    def transform(self, func, *args, **options):
        return self._groups.transform(func, *args, **options)

    def size(self):
        return self._full(self._groups.size(), "size")

    def ohlc(self):
        from ._merge import concat

        return concat([getattr(self, n)() for n in ("first", "max", "min", "last")], axis=1, keys=["open", "high", "low", "close"])

    def ffill(self, limit=None):
        return self._asis("ffill")

    def bfill(self, limit=None):
        return self._asis("bfill")

    def asfreq(self, fill_value=None):
        return self._asis(None)

    def interpolate(self, method="linear", **options):
        return self._asis(None).interpolate(method, **options)

    def _asis(self, how):
        made = self._groups._of.reindex(self._every, method=how)
        made.index = self._every
        return made

    def __len__(self):
        return len(self._every)

    def __iter__(self):
        return iter(self._groups)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        found = getattr(self._groups, name)
        if name in ("sum", "mean", "count", "min", "max", "median", "std", "var", "first", "last", "nunique", "prod", "sem", "quantile"):
            return lambda *args, **options: self._full(found(*args, **options), name)
        if isinstance(found, type(self._groups)):
            return Periods(found, self._every)
        raise NotImplementedError(f"pandas: resample(...).{name} isn't here")


def resampled(of, rule, closed, label, on, level, origin="start_day", offset=None):
    if level is not None:
        raise NotImplementedError("pandas: resample(level=)")
    if on is None:
        if isinstance(of.index.dtype, C.PeriodDtype):
            from ._periods import period_range

            labels = of.index.asfreq(rule)
            if of.index.dtype.freq._later(Timestamp(2000, 1, 1), 1) > labels.dtype.freq._later(Timestamp(2000, 1, 1), 1) or closed or label:
                raise NotImplementedError("pandas: resample of periods into shorter ones isn't here; use to_timestamp() first")
            every = period_range(labels.min(), labels.max(), freq=rule, name=of.index.name)
            return Periods(of.groupby(Series._of(labels._column, of.index, of.index.name)), every)
        if of.index.dtype != DATETIME:
            raise TypeError("Only valid with DatetimeIndex, TimedeltaIndex or PeriodIndex, but got an instance of "
                            f"'{type(of.index).__name__}'")
        moments = Series._of(of.index._column, of.index, of.index.name)
    else:
        moments = of[on]
        of = of.drop(columns=on)
    labels, every = periods(moments, rule, closed, label, origin, offset)
    return Periods(of.groupby(labels), every)


def combined(first, other):
    from ._frame import DataFrame

    if isinstance(first, Series):
        index = first.index.union(other.index)
        a, b = first.reindex(index), other.reindex(index)
        made = Series([y if is_missing(x) else x for x, y in zip(a, b)], index=index, name=first.name)
        kinds = {first.dtype, other.dtype}
        return made.astype(first.dtype) if len(kinds) == 1 and first._column.numeric and not any(made._column.missing()) else made
    index, columns = first.index.union(other.index), first.columns.union(other.columns)
    made = {}
    for name in columns:
        if name in first.columns and name in other.columns:
            made[name] = combined(first[name], other[name])
        else:
            made[name] = (first if name in first.columns else other)[name].reindex(index)
    return DataFrame(made, index=index, columns=columns)

"""Values between values, periods of time, and tables that complete each other."""

import datetime
import re

import numpy as np

from . import _columns as C
from ._columns import DATETIME, FLOAT, Column, infer, is_missing
from ._dates import NaT, Timestamp, date_range
from ._index import Index
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


_STARTS = {"MS": "month", "QS": "quarter", "YS": "year"}
_ENDS = {"ME": "month", "QE": "quarter", "YE": "year"}


def _rule(rule):
    match = re.fullmatch(r"(\d*)([A-Za-z]+)(-[A-Z]+)?", str(rule))
    if match is None:
        raise ValueError(f"Invalid frequency: {rule}")
    count, kind, anchor = int(match[1] or 1), match[2], match[3]
    if kind in ("M", "Y", "Q", "A"):
        raise ValueError(f"Invalid frequency: {rule}. Failed to parse with error message: ValueError(\"'{kind}' is no longer supported for "
                         f"offsets. Please use '{'Y' if kind == 'A' else kind}E' instead.\")")
    if anchor not in (None, "-SUN", "-DEC", "-JAN") or kind not in ("D", "h", "min", "s", "W", *_STARTS, *_ENDS):
        raise NotImplementedError(f"pandas: periods of {rule!r} aren't here")
    if count > 1 and kind not in ("D", "h", "min", "s"):
        raise NotImplementedError(f"pandas: periods of {rule!r} aren't here")
    return count, kind


def _period(x, count, kind, origin):
    """The label of the period that a moment is in."""
    if kind in _STARTS or kind in _ENDS:
        unit = (_STARTS.get(kind) or _ENDS[kind])
        month = x.month if unit == "month" else 3 * ((x.month - 1) // 3) + 1 if unit == "quarter" else 1
        if kind in _STARTS:
            return Timestamp(x.year, month, 1)
        last = month if unit == "month" else month + 2 if unit == "quarter" else 12
        return Timestamp(x.year, last, Timestamp(x.year, last, 1).days_in_month)
    if kind == "W":
        return Timestamp(x.normalize() + datetime.timedelta(days=6 - x.weekday()))
    step = datetime.timedelta(seconds={"D": 86400, "h": 3600, "min": 60, "s": 1}[kind] * count)
    return Timestamp(origin + (x - origin) // step * step)


def periods(series, rule):
    """The label of each moment's period, and all labels from the first to the last."""
    count, kind = _rule(rule)
    moments = series._column.items()
    known = [x for x in moments if x is not NaT]
    if not known:
        raise NotImplementedError("pandas: periods of no moments")
    origin = Timestamp(min(known).normalize())
    labels = [NaT if x is NaT else _period(x, count, kind, origin) for x in moments]
    inside = [x for x in labels if x is not NaT]
    every = date_range(min(inside), max(inside), freq=f"{count if count > 1 else ''}{kind}", name=series.name)
    every.freq = {"W": "W-SUN", "QS": "QS-JAN", "QE": "QE-DEC", "YS": "YS-JAN", "YE": "YE-DEC"}.get(kind, every.freq)
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
        raise NotImplementedError("pandas: resample(...).agg with periods that have no rows isn't here; use one function by name")

    aggregate = agg

    def apply(self, func, *args, **options):
        made = self._groups.apply(func, *args, **options)
        if len(made) != len(self._every):
            raise NotImplementedError("pandas: resample(...).apply with periods that have no rows isn't here")
        return self._full(made, "apply")

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


def resampled(of, rule, closed, label, on, level):
    if level is not None:
        raise NotImplementedError("pandas: resample(level=)")
    count, kind = _rule(rule)
    usual = "right" if kind == "W" or kind in _ENDS else "left"
    if closed not in (None, usual) or label not in (None, usual):
        raise NotImplementedError("pandas: resample(closed=, label=)")
    if on is None:
        if of.index.dtype != DATETIME:
            raise TypeError("Only valid with DatetimeIndex, TimedeltaIndex or PeriodIndex, but got an instance of "
                            f"'{type(of.index).__name__}'")
        moments = Series._of(of.index._column, of.index, of.index.name)
    else:
        moments = of[on]
        of = of.drop(columns=on)
    labels, every = periods(moments, rule)
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

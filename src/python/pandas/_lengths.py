"""Labels that are lengths of time."""

import numpy as np

from . import _columns as C
from ._columns import Column, is_missing
from ._index import Index


class TimedeltaIndex(Index):
    freq = None
    freqstr = property(lambda self: None if self.freq is None else self.freq.freqstr)

    def __new__(cls, data=None, dtype=None, copy=False, name=None):
        return to_index(data, None, name)

    def _as_label(self, label):
        from ._dates import Timedelta

        return Timedelta(label)

    def __contains__(self, label):
        try:
            return Index.__contains__(self, self._as_label(label))
        except (TypeError, ValueError):
            return False

    def get_loc(self, key):
        try:
            return Index.get_loc(self, self._as_label(key))
        except ValueError:
            raise KeyError(key) from None

    def _bound(self, label, end):
        return Index._bound(self, self._as_label(label), end)

    def total_seconds(self):
        return Index(np.array([np.nan if is_missing(x) else x.total_seconds() for x in self._column.items()], dtype=float), name=self.name)

    def mean(self):
        return self.to_series(index=range(len(self))).mean()

    def sum(self):
        return self.to_series(index=range(len(self))).sum()

    def __getattr__(self, name):
        if name in ("days", "seconds", "microseconds"):
            return Index._of(getattr(self.to_series(index=range(len(self))).dt, name)._column, self.name)
        if name in ("floor", "ceil", "round"):
            return lambda freq: Index._of(getattr(self.to_series(index=range(len(self))).dt, name)(freq)._column, self.name)
        raise AttributeError(f"'TimedeltaIndex' object has no attribute '{name}'")


def to_index(data, unit=None, name=None):
    """The labels that a list of numbers, texts or lengths of time means."""
    from ._dates import NaT, Timedelta

    found = []
    for x in data.tolist() if isinstance(data, (Index, np.ndarray)) else data:
        try:
            found.append(NaT if is_missing(x) else Timedelta(x.item() if isinstance(x, (np.integer, np.floating)) else x, unit))
        except ValueError as error:
            # NumPy reads the strings of a list, and says so itself.
            if str(error) != "unit abbreviation w/o a number":
                raise
            raise ValueError(f"Could not convert {x!r} to NumPy timedelta") from None
    return Index._of(Column(C.TIMEDELTA, found), getattr(data, "name", None) if name is None else name)


def timedelta_range(start=None, end=None, periods=None, freq=None, name=None):
    """Lengths of time that are the same step apart."""
    from ._dates import Timedelta
    from ._offsets import to_offset

    if sum(x is not None for x in (start, end, periods, freq)) < 3 and freq is None:
        freq = "D"
    if sum(x is not None for x in (start, end, periods, freq)) != 3:
        raise ValueError("Of the four parameters: start, end, periods, and freq, exactly three must be specified")
    if freq is None:
        step = (Timedelta(end) - Timedelta(start)) / (periods - 1)
        return to_index([Timedelta(start) + step * i for i in range(periods)], None, name)
    offset = to_offset(freq)
    step = Timedelta(freq if freq[:1].isdigit() else "1" + freq)
    if periods is None:
        periods = max(0, int((Timedelta(end) - Timedelta(start)) // step) + 1)
    start = Timedelta(end) - step * (periods - 1) if start is None else Timedelta(start)
    made = to_index([start + step * i for i in range(periods)], None, name)
    made.freq = offset
    return made

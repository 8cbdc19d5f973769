"""Steps in time: `DateOffset` and `pandas.offsets`, the frequencies that name them, and the dates that are steps apart."""

import calendar
import datetime
import re

import numpy as np

from ._columns import DATETIME, Column, NaT
from ._dates import Timestamp

_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_DAYS = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")


class DateOffset:
    """A step in time by the calendar: a month later is the same day of the next month, or its last day."""

    def __init__(self, n=1, normalize=False, **steps):
        known = ("years", "months", "weeks", "days", "hours", "minutes", "seconds", "microseconds")
        strange = [name for name in steps if name not in known]
        if strange:
            raise NotImplementedError(f"pandas.DateOffset({strange[0]}=) isn't here")
        self.n, self.normalize, self.kwds = n, normalize, steps or {"days": 1}

    def _later(self, moment, n):
        """The moment `n` steps later."""
        months = (12 * self.kwds.get("years", 0) + self.kwds.get("months", 0)) * n
        year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
        day = min(moment.day, calendar.monthrange(year, month + 1)[1])
        rest = {name: value * n for name, value in self.kwds.items() if name not in ("years", "months")}
        return Timestamp(datetime.datetime.replace(moment, year=year, month=month + 1, day=day) + datetime.timedelta(**rest))

    def _moved(self, moment, sign):
        made = self._later(Timestamp(moment), self.n * sign)
        return made.normalize() if self.normalize else made

    def _on(self, other, sign):
        if isinstance(other, datetime.datetime):
            return self._moved(other, sign)
        if isinstance(other, datetime.date):
            return self._moved(Timestamp(other), sign)
        if hasattr(other, "_column") and other._column.dtype == DATETIME:
            column = Column(DATETIME, [x if x is NaT else self._moved(x, sign) for x in other._column.items()])
            return other._like(column) if hasattr(other, "_like") else type(other)._of(column, other.name)
        return NaT if other is NaT else NotImplemented

    def _times(self, n):
        return DateOffset(n, self.normalize, **self.kwds)

    def __radd__(self, other):
        return self._on(other, 1)

    __add__ = __radd__

    def __rsub__(self, other):
        return self._on(other, -1)

    def __neg__(self):
        return self._times(-self.n)

    def __mul__(self, times):
        return self._times(self.n * times) if isinstance(times, (int, np.integer)) else NotImplemented

    __rmul__ = __mul__

    def _key(self):
        return type(self), self.n, self.normalize, tuple(sorted(self.kwds.items()))

    def __eq__(self, other):
        if isinstance(other, str):
            try:
                other = to_offset(other)
            except ValueError:
                return False
        return isinstance(other, DateOffset) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def is_on_offset(self, dt):
        return True

    def rollforward(self, dt):
        return Timestamp(dt) if self.is_on_offset(Timestamp(dt)) else self._later(Timestamp(dt), 1)

    def rollback(self, dt):
        return Timestamp(dt) if self.is_on_offset(Timestamp(dt)) else self._later(Timestamp(dt), -1)

    @property
    def freqstr(self):
        return repr(self)

    def _parts(self):
        return ", ".join(f"{name}={value}" for name, value in sorted(self.kwds.items()))

    def __repr__(self):
        kind, parts = getattr(self, "_kind", type(self).__name__), self._parts()
        many = "" if self.n == 1 else f"{self.n} * "
        return f"<{many}{kind}{'' if abs(self.n) == 1 else 's'}{': ' + parts if parts else ''}>"


class _Named(DateOffset):
    """A step that a frequency names."""

    def __init__(self, n=1, normalize=False):
        self.n, self.normalize, self.kwds = int(n), normalize, {}

    @property
    def name(self):
        return self._prefix

    rule_code = property(lambda self: self.name)
    freqstr = property(lambda self: f"{'' if self.n == 1 else self.n}{self.name}")

    def _times(self, n):
        return type(self)(n, self.normalize, **self.kwds)

    def __sub__(self, other):
        return self._times(self.n - other.n) if type(other) is type(self) and other.kwds == self.kwds else NotImplemented


class _Even(_Named):
    """A step that always takes the same time."""

    def __init__(self, n=1, normalize=False):
        if n != int(n):
            raise ValueError(f"`n` argument must be an integer, got {n}")
        super().__init__(n, normalize)

    delta = property(lambda self: self._one * self.n)

    def _later(self, moment, n):
        return moment + self._one * n

    def __add__(self, other):
        if isinstance(other, _Even):
            return of_length(self.delta + other.delta, Day if type(self) is type(other) is Day else None)
        if isinstance(other, datetime.timedelta):
            return of_length(self.delta + other)
        return self._on(other, 1)

    __radd__ = __add__


class Day(_Even):
    _prefix, _one = "D", datetime.timedelta(days=1)


class Hour(_Even):
    _prefix, _one = "h", datetime.timedelta(hours=1)


class Minute(_Even):
    _prefix, _one = "min", datetime.timedelta(minutes=1)


class Second(_Even):
    _prefix, _one = "s", datetime.timedelta(seconds=1)


class Milli(_Even):
    _prefix, _one = "ms", datetime.timedelta(milliseconds=1)


class Micro(_Even):
    _prefix, _one = "us", datetime.timedelta(microseconds=1)


def of_length(delta, kind=None):
    """The step of this length, in the largest unit that it's a whole number of."""
    for one in (kind,) if kind else (Day, Hour, Minute, Second, Milli, Micro):
        count, rest = divmod(delta, one._one)
        if not rest:
            return one(count)
    return None


class _Anchored(_Named):
    """Steps from one day of the calendar to the next such day. A day's number tells how many of them were before it."""

    def _later(self, moment, n):
        day = moment.date()
        at = self._number(day)
        on = self._day(at) == day
        if not on and n <= 0:
            at += 1
        return Timestamp(datetime.datetime.combine(self._day(at + n), moment.time()))

    def is_on_offset(self, dt):
        return self._day(self._number(dt.date())) == dt.date()


class BusinessDay(_Anchored):
    _prefix = "B"

    def _number(self, day):
        weeks, weekday = divmod(day.toordinal() - 1, 7)
        return weeks * 5 + min(weekday, 4)

    def _day(self, number):
        weeks, weekday = divmod(number, 5)
        return datetime.date.fromordinal(weeks * 7 + weekday + 1)


class Week(_Anchored):
    def __init__(self, n=1, normalize=False, weekday=None):
        super().__init__(n, normalize)
        if weekday is not None and not 0 <= weekday <= 6:
            raise ValueError(f"Day must be 0<=day<=6, got {weekday}")
        self.weekday, self.kwds = weekday, {"weekday": weekday}

    @property
    def name(self):
        return "W" if self.weekday is None else f"W-{_DAYS[self.weekday]}"

    def _later(self, moment, n):
        return moment + datetime.timedelta(weeks=n) if self.weekday is None else super()._later(moment, n)

    def is_on_offset(self, dt):
        return self.weekday is None or dt.weekday() == self.weekday

    def _number(self, day):
        return (day.toordinal() - 1 - self.weekday) // 7

    def _day(self, number):
        return datetime.date.fromordinal(number * 7 + self.weekday + 1)


class _Monthly(_Anchored):
    """Days at an end of every month, quarter or year. `_first` is the month that the others are counted from."""

    _every, _first = 1, 1

    def _number(self, day):
        at = (day.year * 12 + day.month - self._first) // self._every
        return at if self._day(at) <= day else at - 1

    def _day(self, number):
        year, month = divmod(number * self._every + self._first - 1, 12)
        last = calendar.monthrange(year, month + 1)[1]
        day = datetime.date(year, month + 1, last if self._end else 1)
        if self._business:
            away = max(day.weekday() - 4, 0)
            day += datetime.timedelta(days=-away if self._end else -away % 3)
        return day


def _monthly(name, prefix, end, business=False):
    return type(name, (_Monthly,), {"_prefix": prefix, "_end": end, "_business": business, "__module__": "pandas.offsets"})


def _longer(name, prefix, end, every, word, usual, text):
    """Steps of quarters or years, which begin or end with a month that can be chosen."""

    def made(self, n=1, normalize=False, **options):
        month = options.pop(word, None)
        if options:
            raise TypeError(f"__init__() got an unexpected keyword argument '{next(iter(options))}'")
        _Named.__init__(self, n, normalize)
        month = usual if month is None else month
        self.kwds, self._first = {word: month}, month
        setattr(self, word, month)

    named = property(lambda self: f"{prefix}-{_MONTHS[self._first - 1]}")
    return type(name, (_Monthly,), {"__init__": made, "name": named, "_every": every, "_end": end, "_business": prefix[0] == "B",
                                    "_prefix": prefix, "_text": text, "__module__": "pandas.offsets"})


MonthEnd, MonthBegin = _monthly("MonthEnd", "ME", True), _monthly("MonthBegin", "MS", False)
BusinessMonthEnd = _monthly("BusinessMonthEnd", "BME", True, True)
BusinessMonthBegin = _monthly("BusinessMonthBegin", "BMS", False, True)
QuarterEnd = _longer("QuarterEnd", "QE", True, 3, "startingMonth", 3, 12)
QuarterBegin = _longer("QuarterBegin", "QS", False, 3, "startingMonth", 3, 1)
YearEnd = _longer("YearEnd", "YE", True, 12, "month", 12, 12)
YearBegin = _longer("YearBegin", "YS", False, 12, "month", 1, 1)
BQuarterEnd = _longer("BQuarterEnd", "BQE", True, 3, "startingMonth", 3, 12)
BQuarterBegin = _longer("BQuarterBegin", "BQS", False, 3, "startingMonth", 3, 1)
BYearEnd = _longer("BYearEnd", "BYE", True, 12, "month", 12, 12)
BYearBegin = _longer("BYearBegin", "BYS", False, 12, "month", 1, 1)
BQuarterEnd._kind, BQuarterBegin._kind = "BusinessQuarterEnd", "BusinessQuarterBegin"
BYearEnd._kind, BYearBegin._kind = "BusinessYearEnd", "BusinessYearBegin"
BDay, BMonthEnd, BMonthBegin = BusinessDay, BusinessMonthEnd, BusinessMonthBegin

_KINDS = {kind._prefix: kind for kind in (
    Day, Hour, Minute, Second, Milli, Micro, BusinessDay, MonthEnd, MonthBegin, BusinessMonthEnd, BusinessMonthBegin, QuarterEnd,
    QuarterBegin, YearEnd, YearBegin, BQuarterEnd, BQuarterBegin, BYearEnd, BYearBegin)}
_SPELLED = {"d": "D", "w": "W", "MIN": "min", "b": "B"}
# Frequencies of old that pandas 3.1 refuses, and what it advises.
_PASSED = {"M": "ME", "Q": "QE", "Y": "YE", "BM": "BME", "BQ": "BQE", "BY": "BYE", "SM": "SME", "q": "QE", "m": "ME", "y": "YE"}
_CLOSE = {"H": "h", "T": "min", "S": "s", "L": "ms", "U": "us", "N": "ns", "A": "Y", "BH": "bh"}
_ABSENT = ("SME", "SMS", "C", "CBME", "CBMS", "bh", "cbh", "ns", "WOM", "LWOM", "REQ", "RE")


def _invalid(freq, why=None):
    return ValueError(f"Invalid frequency: {freq}." if why is None else f"Invalid frequency: {freq}. Failed to parse with error message: {why}")


def _one_offset(freq, count, kind, anchor):
    kind = _SPELLED.get(kind, kind)
    if kind in _PASSED:
        raise _invalid(freq, f'ValueError("\'{kind}\' is no longer supported for offsets. Please use \'{_PASSED[kind]}\' instead.")')
    if kind in _CLOSE:
        inner = f"Invalid frequency: {kind}. Did you mean {_CLOSE[kind]}?"
        raise _invalid(freq, f"ValueError('{inner}')" + (f" Did you mean {_CLOSE[kind]}?" if kind == freq else ""))
    if kind in _ABSENT:
        raise NotImplementedError(f"pandas: the frequency {freq!r} isn't here")
    if kind == "W" and (anchor is None or anchor in _DAYS):
        return Week(count, weekday=_DAYS.index(anchor or "SUN"))
    if kind not in _KINDS or anchor is not None and (not hasattr(_KINDS[kind], "_text") or anchor not in _MONTHS):
        if kind.upper() in _KINDS and kind not in _KINDS:
            raise _invalid(freq, f"ValueError('Invalid frequency: {kind}.')")
        shown = kind if anchor is None else f"{kind}-{anchor}"
        raise _invalid(freq, f'ValueError("Invalid frequency: {shown}. Failed to parse with error message: KeyError(\'{shown}\').")')
    made = _KINDS[kind]
    if not hasattr(made, "_text"):
        return made(count)
    month = _MONTHS.index(anchor) + 1 if anchor else made._text
    return made(count, **{"month" if made._every == 12 else "startingMonth": month})


def to_offset(freq):
    """The step that a frequency names, such as `"2W"` or `"QE-MAR"`."""
    if freq is None or isinstance(freq, DateOffset):
        return freq
    if isinstance(freq, datetime.timedelta):
        return of_length(freq)
    if not isinstance(freq, str):
        raise TypeError(f"Argument 'freq' has incorrect type (expected str, got {type(freq).__name__})")
    parts = re.findall(r"([-+]?\d*\.?\d*)\s*([A-Za-z]+)(?:-([A-Z]+))?", freq)
    if not parts:
        raise _invalid(freq)
    if re.sub(r"([-+]?\d*\.?\d*)\s*([A-Za-z]+)(?:-([A-Z]+))?", "", freq).strip() or freq.rstrip()[-1].isdigit():
        raise _invalid(freq, "ValueError('last element must be blank')")
    found = []
    for number, kind, anchor in parts:
        count = -1 if number == "-" else float(number) if number not in ("", "+") else 1
        whole = _one_offset(freq, 1, kind, anchor or None)
        if count == int(count):
            found.append(whole._times(int(count)))
        elif isinstance(whole, _Even):
            found.append(of_length(whole._one * count))
        else:
            raise _invalid(freq)
    total = found[0]
    for one in found[1:]:
        if not isinstance(total, _Even) or not isinstance(one, _Even):
            raise _invalid(freq)
        total = of_length(total.delta + one.delta)
    return total


def date_range(start=None, end=None, periods=None, freq=None, tz=None, normalize=False, name=None, inclusive="both", unit=None):
    from ._index import Index

    if tz is not None:
        raise NotImplementedError("pandas: time zones")
    given = [x is not None for x in (start, end, periods)]
    if freq is None and sum(given) < 3:
        freq = "D"
    if sum(given) + (freq is not None) != 3:
        raise ValueError("Of the four parameters: start, end, periods, and freq, exactly three must be specified")
    if inclusive not in ("both", "neither", "left", "right"):
        raise ValueError("Inclusive has to be either 'both', 'neither', 'left' or 'right'")
    step = to_offset(freq)
    day = (lambda x: Timestamp(x).normalize()) if normalize else Timestamp
    first, last = (None if x is None else day(x) for x in (start, end))
    if step is None:
        whole = last.to_pydatetime() - first.to_pydatetime()
        micro = whole // datetime.timedelta(microseconds=1)
        made = [first + datetime.timedelta(microseconds=micro * i // max(periods - 1, 1)) for i in range(periods)]
    else:
        made = _steps(first, last, periods, step)
    if inclusive in ("right", "neither") and made and made[0] == first:
        made = made[1:]
    if inclusive in ("left", "neither") and made and made[-1] == last:
        made = made[:-1]
    index = Index._of(Column(DATETIME, made), name)
    index.freq = step
    return index


def _steps(first, last, count, step):
    if step.n == 0:
        raise ValueError(f"Offset {step!r} did not increment date")
    made, back = [], first is None
    moment = step.rollback(last) if back else step.rollforward(first) if step.n > 0 else step.rollback(first)
    end = None if back or last is None else last
    while (count is None or len(made) < count) and (end is None or (moment <= end if step.n > 0 else moment >= end)):
        made.append(moment)
        moment = step._later(moment, -step.n if back else step.n)
    return made[::-1] if back else made


def bdate_range(start=None, end=None, periods=None, freq="B", tz=None, normalize=True, name=None, **options):
    return date_range(start, end, periods, freq, tz, normalize, name, **options)


def moved(index, freq, periods):
    """Dates, each `periods` steps of `freq` later."""
    step = to_offset(freq)
    if step.kwds and type(step) is DateOffset or index.dtype != DATETIME:
        made = index + step * periods
        made.freq = None
        return made
    made = type(index)._of(Column(DATETIME, [x if x is NaT else step._later(x, step.n * periods) for x in index._labels()]), index.name)
    made.freq = index.freq if index.freq == step or isinstance(step, _Even) else None
    return made


def infer_freq(index):
    """The frequency of dates, or None if they have none."""
    index = getattr(index, "index", index) if not hasattr(index, "_labels") and index.dtype != DATETIME else index
    moments = list(index)
    if not hasattr(index, "_column") or index._column.dtype != DATETIME:
        raise TypeError(f"cannot infer freq from a non-convertible index of dtype {index.dtype}")
    if len(moments) < 3:
        raise ValueError("Need at least 3 dates to infer frequency")
    if moments[0] > moments[-1]:
        return None
    gaps = {b - a for a, b in zip(moments, moments[1:])}
    if min(gaps) <= datetime.timedelta(0):
        return None
    if len(gaps) == 1:
        step = of_length(gaps.pop())
        if isinstance(step, Day) and step.n % 7 == 0:
            return Week(step.n // 7, weekday=moments[0].weekday()).freqstr
        return step.freqstr
    if len({x.time() for x in moments}) > 1:
        return None
    for end in (False, True):
        for business in (False, True):
            day = (BusinessMonthEnd if end else BusinessMonthBegin)() if business else (MonthEnd if end else MonthBegin)()
            if not all(day.is_on_offset(x) for x in moments):
                continue
            places = [x.year * 12 + x.month - 1 for x in moments]
            steps = {b - a for a, b in zip(places, places[1:])}
            if len(steps) > 1:
                continue
            step = steps.pop()
            month = places[0] % 12
            letter = "B" * business + ("Y" if step % 12 == 0 else "Q" if step % 3 == 0 else "M") + ("E" if end else "S")
            count = step // (12 if step % 12 == 0 else 3 if step % 3 == 0 else 1)
            if step % 3 == 0 and step % 12:
                # The quarters of a year are named after the last one that ends, or the first one that begins in it.
                month = month % 3 + (9 if end else 0)
            anchor = "" if step % 3 else f"-{_MONTHS[month]}"
            return f"{count if count > 1 else ''}{letter}{anchor}"
    if all(x.weekday() < 5 for x in moments) and all(BusinessDay()._later(a, 1) == b for a, b in zip(moments, moments[1:])):
        return "B"
    return None

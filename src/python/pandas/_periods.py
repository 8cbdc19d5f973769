"""Periods: whole days, months, quarters, years … `Period`, `PeriodIndex`, `period_range`, and what columns of dates ask of them."""

import calendar
import datetime
import re

import numpy as np

from . import _columns as C
from . import _offsets as O
from ._arrays import _Array
from ._columns import INT, NaT, Column, PeriodDtype, infer, is_missing
from ._dates import DateParseError, Timestamp
from ._parsing import parsed
from ._index import DatetimeIndex, Index

_EPOCH = datetime.date(1970, 1, 1).toordinal()
_EVEN = {"h": datetime.timedelta(hours=1), "min": datetime.timedelta(minutes=1), "s": datetime.timedelta(seconds=1),
         "ms": datetime.timedelta(milliseconds=1), "us": datetime.timedelta(microseconds=1)}
_FOR_DATES = {"M": "ME", "Q": "QE", "Y": "YE"}
_FOR_PERIODS = {"ME": "M", "MS": "M", "QE": "Q", "QS": "Q", "YE": "Y", "YS": "Y", "BME": "M", "BMS": "M", "BQE": "Q", "BQS": "Q", "BYE": "Y",
                "BYS": "Y"}
_GUESSES = {"H": "h", "T": "min", "S": "s", "L": "ms", "U": "us", "A": "Y"}
FIELDS = ("year", "month", "day", "hour", "minute", "second", "quarter", "qyear", "week", "weekofyear", "dayofweek", "day_of_week", "weekday",
          "dayofyear", "day_of_year", "daysinmonth", "days_in_month", "is_leap_year")


class IncompatibleFrequency(TypeError):
    """Periods of different lengths don't go together."""


IncompatibleFrequency.__module__ = "pandas.errors"


def frequency(freq):
    """The letter of a frequency, the month or day that it's anchored to, and how many of them are a step."""
    if isinstance(freq, PeriodDtype):
        freq = freq._freq
    if isinstance(freq, O.DateOffset):
        return frequency_of_step(freq)
    if not isinstance(freq, str):
        raise TypeError(f"Argument 'freq' has incorrect type (expected str, got {type(freq).__name__})")
    found = re.fullmatch(r"(\d*)([A-Za-z]+)(?:-([A-Z]+))?", freq)
    if found is None:
        raise ValueError(f"Invalid frequency: {freq}.")
    count, kind, anchor = int(found[1] or 1), found[2], found[3]
    kind = {"d": "D", "w": "W", "b": "B", "MIN": "min"}.get(kind, kind)
    if kind in ("m", "q", "y"):
        raise O._invalid(freq, f'ValueError("\'{kind}\' is no longer supported, please use \'{kind.upper()}\' instead.")')
    if kind in _FOR_DATES.values():
        raise O._invalid(freq, f'ValueError("for Period, please use \'{kind[0]}\' instead of \'{kind}\'")')
    if kind in ("Q", "Y"):
        if (anchor or "DEC") in O._MONTHS:
            return kind, O._MONTHS.index(anchor or "DEC") + 1, count
    elif kind == "W":
        if (anchor or "SUN") in O._DAYS:
            return kind, O._DAYS.index(anchor or "SUN"), count
    elif anchor is None and (kind in _EVEN or kind in ("M", "B", "D")):
        return kind, None, count
    shown = kind if anchor is None else f"{kind}-{anchor}"
    guess = f" Did you mean {_GUESSES[kind]}?" if kind in _GUESSES else ""
    why = f"KeyError('{shown}')." + guess
    raise O._invalid(freq, f'ValueError("Invalid frequency: {shown}. Failed to parse with error message: {why}")' + guess)


def frequency_of_step(step):
    """The periods that a step in time leads from one to the next."""
    named, _, anchor = getattr(step, "name", "?").partition("-")
    if named not in _FOR_PERIODS and named not in ("B", "D", "W") and named not in _EVEN:
        raise ValueError(f"{step!r} is not supported as period frequency")
    named = _FOR_PERIODS.get(named, named)
    if named in ("Q", "Y"):
        # A year that begins with January ends with December.
        month = O._MONTHS.index(anchor) + (0 if step._end else -1)
        return named, month % 12 + 1, step.n
    return named, O._DAYS.index(anchor or "SUN") if named == "W" else None, step.n


def frequency_name(freq):
    kind, anchor, count = freq
    text = kind if anchor is None else f"{kind}-{O._DAYS[anchor] if kind == 'W' else O._MONTHS[anchor - 1]}"
    return text if count == 1 else f"{count}{text}"


def _step(freq, n=1):
    """The step in time from a period to the next one."""
    kind, anchor, count = freq
    if kind == "Y":
        return O.YearEnd(n * count, month=anchor)
    if kind == "Q":
        return O.QuarterEnd(n * count, startingMonth=anchor)
    if kind == "M":
        return O.MonthEnd(n * count)
    return O.Week(n * count, weekday=anchor) if kind == "W" else O._KINDS[kind](n * count)


def _fiscal(moment, anchor):
    """The year that a moment counts to, if years end with this month, and its quarter."""
    return moment.year + (moment.month > anchor), (moment.month - anchor - 1) % 12 // 3 + 1


def _number(moment, freq):
    """The number of the period that a moment is in, counted from the one of 1970-01-01."""
    kind, anchor, _ = freq
    if kind in ("Y", "Q"):
        year, quarter = _fiscal(moment, anchor)
        return year - 1970 if kind == "Y" else (year - 1970) * 4 + quarter - 1
    if kind == "M":
        return (moment.year - 1970) * 12 + moment.month - 1
    days = moment.toordinal() - _EPOCH
    if kind == "W":
        return (days + 3 - (anchor + 1) % 7) // 7 + 1
    if kind == "B":
        return (days + 3) // 7 * 5 + min((days + 3) % 7, 5) - 3
    return days if kind == "D" else (moment - datetime.datetime(1970, 1, 1)) // _EVEN[kind]


def _start(number, freq):
    """The first moment of a period."""
    kind, anchor, _ = freq
    if kind in ("Y", "Q", "M"):
        months = number * {"Y": 12, "Q": 3, "M": 1}[kind] + (0 if kind == "M" else anchor - 12)
        return datetime.datetime(1970 + months // 12, months % 12 + 1, 1)
    if kind in _EVEN:
        return datetime.datetime(1970, 1, 1) + number * _EVEN[kind]
    if kind == "W":
        days = (number - 1) * 7 - 3 + (anchor + 1) % 7
    else:
        days = number if kind == "D" else (number + 3) // 5 * 7 + (number + 3) % 5 - 3
    return datetime.datetime.fromordinal(_EPOCH + days)


_MICRO = datetime.timedelta(microseconds=1)
_QUARTER = re.compile(r"(?:(\d{4})[-\s]?Q([1-4])|Q([1-4])[-\s]?(\d{4}))", re.IGNORECASE)


def _read(text, freq):
    """The moment that a string tells, and the frequency that its form has."""
    quarter = _QUARTER.fullmatch(text.strip())
    if quarter:
        year, number = int(quarter[1] or quarter[4]), int(quarter[2] or quarter[3])
        ends = freq[1] if freq is not None and freq[0] == "Q" else 12
        return _start((year - 1970) * 4 + number - 1, ("Q", ends, 1)), ("Q", ends, 1)
    for form, kind in (("%Y", ("Y", 12, 1)), ("%Y-%m", ("M", None, 1)), ("%Y/%m", ("M", None, 1)), ("%b %Y", ("M", None, 1)), ("%B %Y", ("M", None, 1)),
                       ("%Y%m", ("M", None, 1)), ("%b-%Y", ("M", None, 1))):
        try:
            return datetime.datetime.strptime(text.strip(), form), kind
        except ValueError:
            continue
    if "/" in text and len(text) == 21:
        return _read(text[:10], freq)
    try:
        moment = parsed(text)
    except DateParseError:
        raise DateParseError(f"Unknown datetime string format, unable to parse: {text.upper()}") from None
    colons = text.count(":")
    kind = "us" if "." in text else "s" if colons == 2 else "min" if colons == 1 else "D"
    return moment, (kind, None, 1)


class Period:
    """A span of time that a frequency names, such as a month."""

    _periodic = True

    def __new__(cls, value=None, freq=None, ordinal=None, year=None, month=None, quarter=None, day=None, hour=None, minute=None, second=None):
        freq = None if freq is None else frequency(freq)
        if ordinal is not None:
            return cls._of(int(ordinal), freq)
        if value is None and year is None or value is not None and value is NaT or isinstance(value, str) and value in ("NaT", "nat", ""):
            return NaT
        if value is None:
            if freq is None:
                raise ValueError("If value is None, freq cannot be None")
            if quarter is not None:
                return cls._of(_number(_start((year - 1970) * 4 + quarter - 1, ("Q", freq[1] or 12, 1)), freq), freq)
            return cls._of(_number(datetime.datetime(year, month or 1, day or 1, hour or 0, minute or 0, second or 0), freq), freq)
        if isinstance(value, Period):
            return value if freq is None or freq == value._freq else value.asfreq(freq)
        if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
            value = str(value)
        if isinstance(value, str):
            moment, own = _read(value, freq)
            freq = freq or own
        elif isinstance(value, (datetime.date, np.datetime64)):
            moment = Timestamp(value)
            if freq is None:
                raise ValueError("Must supply freq for datetime value")
        else:
            raise ValueError("Value must be Period, string, integer, or datetime")
        return cls._of(_number(moment, freq), freq)

    @classmethod
    def _of(cls, number, freq):
        self = object.__new__(cls)
        self.ordinal, self._freq = number, freq
        return self

    freqstr = property(lambda self: frequency_name(self._freq))
    freq = property(lambda self: _step(self._freq))
    start_time = property(lambda self: Timestamp(_start(self.ordinal, self._freq)))
    end_time = property(lambda self: Timestamp(_start(self.ordinal + self._freq[2], self._freq) - _MICRO))

    @property
    def _shown(self):
        """The moment that the fields are of: the beginning of hours and of what's shorter, the last day of everything longer."""
        if self._freq[0] in _EVEN:
            return _start(self.ordinal, self._freq)
        end = _start(self.ordinal + 1, self._freq) - _MICRO
        return datetime.datetime(end.year, end.month, end.day) if self._freq[0] != "B" else _start(self.ordinal, self._freq)

    year, month, day, hour, minute, second = (
        property(lambda self, name=name: getattr(self._shown, name)) for name in ("year", "month", "day", "hour", "minute", "second"))
    quarter = property(lambda self: _fiscal(self._shown, self._freq[1] if self._freq[0] == "Q" else 12)[1])
    qyear = property(lambda self: _fiscal(self._shown, self._freq[1] if self._freq[0] == "Q" else 12)[0])
    week = weekofyear = property(lambda self: self._shown.isocalendar()[1])
    day_of_week = dayofweek = weekday = property(lambda self: self._shown.weekday())
    day_of_year = dayofyear = property(lambda self: self._shown.timetuple().tm_yday)
    days_in_month = daysinmonth = property(lambda self: calendar.monthrange(self.year, self.month)[1])
    is_leap_year = property(lambda self: calendar.isleap(self.year))

    def asfreq(self, freq, how="E"):
        freq, end = frequency(freq), _at_end(how)
        moment = _start(self.ordinal + self._freq[2], self._freq) - _MICRO if end else _start(self.ordinal, self._freq)
        return Period._of(_number(moment, freq), freq)

    def to_timestamp(self, freq=None, how="start"):
        if _at_end(how):
            return self.end_time
        own = freq if freq is not None else "D" if self._freq[0] not in _EVEN else self.freqstr
        # pandas gives a period that was asked for by name its last day.
        return Timestamp(self.asfreq(own, how)._shown)

    def strftime(self, form):
        shown = {"%q": str(self.quarter), "%F": str(self.qyear), "%f": f"{self.qyear % 100:02d}"}
        form = re.sub("%[%qFf]", lambda found: shown.get(found[0], found[0]), form)
        return self._shown.strftime(form)

    @classmethod
    def now(cls, freq):
        return cls(Timestamp.now(), freq)

    def __str__(self):
        kind, start = self._freq[0], _start(self.ordinal, self._freq)
        if kind == "Y":
            return str(self.ordinal + 1970)
        if kind == "Q":
            return f"{self.ordinal // 4 + 1970}Q{self.ordinal % 4 + 1}"
        if kind == "W":
            return f"{start:%Y-%m-%d}/{start + datetime.timedelta(days=6):%Y-%m-%d}"
        if kind in ("ms", "us"):
            return start.isoformat(" ", "milliseconds" if kind == "ms" else "microseconds")
        return start.strftime({"M": "%Y-%m", "h": "%Y-%m-%d %H:00", "min": "%Y-%m-%d %H:%M", "s": "%Y-%m-%d %H:%M:%S"}.get(kind, "%Y-%m-%d"))

    def __repr__(self):
        return f"Period('{self}', '{self.freqstr}')"

    def __format__(self, form):
        return self.strftime(form) if form else str(self)

    def __hash__(self):
        return hash((self.ordinal, self._freq))

    def __reduce__(self):
        return Period, (None, self.freqstr, self.ordinal)

    def __eq__(self, other):
        return isinstance(other, Period) and (self.ordinal, self._freq) == (other.ordinal, other._freq)

    def _ordered(self, other):
        if not isinstance(other, Period):
            return None
        if self._freq != other._freq:
            raise IncompatibleFrequency(f"Input has different freq={other.freqstr} from Period(freq={self.freqstr})")
        return self.ordinal, other.ordinal

    def _steps(self, other):
        """How many periods a number, a step or a length of time is."""
        if isinstance(other, (int, np.integer)) and not isinstance(other, bool):
            return int(other) * self._freq[2]
        if isinstance(other, O.DateOffset):
            own = _step(self._freq)
            if type(own) is type(other) and own.kwds == other.kwds:
                return other.n
            other = getattr(other, "delta", None) if isinstance(other, O._Even) else False
        if isinstance(other, datetime.timedelta):
            one = {**_EVEN, "D": datetime.timedelta(days=1)}.get(self._freq[0])
            if one is not None and not other % one:
                return other // one
        elif other is not False:
            return None
        raise IncompatibleFrequency(f"Input cannot be converted to Period(freq={self.freqstr})")

    def __add__(self, other):
        if other is NaT:
            return NaT
        count = self._steps(other)
        return NotImplemented if count is None else Period._of(self.ordinal + count, self._freq)

    __radd__ = __add__

    def __sub__(self, other):
        if other is NaT:
            return NaT
        if isinstance(other, Period):
            a, b = self._ordered(other)
            return _step((*self._freq[:2], 1), a - b)
        count = self._steps(other)
        return NotImplemented if count is None else Period._of(self.ordinal - count, self._freq)


def _compared(name):
    def method(self, other):
        pair = self._ordered(other)
        return NotImplemented if pair is None else C.COMPARISON[name](*pair)

    return method


for _name in ("lt", "le", "gt", "ge"):
    setattr(Period, f"__{_name}__", _compared(_name))


def _at_end(how):
    found = str(how).upper()
    if found not in ("S", "E", "START", "END", "BEGIN", "FINISH"):
        raise ValueError("How must be one of S or E")
    return found in ("E", "END", "FINISH")


def to_column(column, freq=None):
    """A column of dates, strings or periods as one of periods."""
    if isinstance(column.dtype, PeriodDtype) and (freq is None or column.dtype._freq == freq):
        return column
    made = [NaT if is_missing(x) else Period(x, None if freq is None else frequency_name(freq)) for x in column.items()]
    known = [x._freq for x in made if x is not NaT]
    if freq is None and column.dtype != C.OBJECT or freq is None and not known:
        raise ValueError("freq not specified and cannot be inferred")
    for one in known:
        if one != known[0]:
            raise IncompatibleFrequency(f"Input has different freq={frequency_name(one)} from PeriodIndex(freq={frequency_name(known[0])})")
    return Column(PeriodDtype(freq or known[0]), made)


class PeriodArray(_Array):
    """What `.array` and `unique` are for periods."""

    def __repr__(self):
        from ._format import sequence

        body = sequence("PeriodArray", self._column).rstrip().rstrip(",").replace("\n" + " " * 13, "\n ")
        return f"<PeriodArray>\n{body}\nLength: {len(self)}, dtype: {self.dtype}"


PeriodArray.__module__ = "pandas.arrays"


class PeriodIndex(Index):
    """Labels that are periods."""

    def __new__(cls, data=None, freq=None, dtype=None, copy=False, name=None):
        freq = dtype._freq if isinstance(dtype, PeriodDtype) else frequency(freq) if freq is not None else None
        column = infer(data)
        if column.dtype == C.DATETIME and freq is None:
            return data.to_period()
        return Index._of(to_column(column, freq), getattr(data, "name", None) if name is None else name)

    @classmethod
    def from_fields(cls, *, year=None, quarter=None, month=None, day=None, hour=None, minute=None, second=None, freq=None):
        parts = {"year": year, "quarter": quarter, "month": month, "day": day, "hour": hour, "minute": minute, "second": second}
        parts = {name: list(part) for name, part in parts.items() if part is not None}
        freq = freq or "Q" if quarter is not None else freq
        return cls([Period(freq=freq, **dict(zip(parts, map(int, row)))) for row in zip(*parts.values())], freq=freq)

    @classmethod
    def from_ordinals(cls, ordinals, *, freq, name=None):
        freq = frequency(freq)
        return Index._of(Column(PeriodDtype(freq), [Period._of(int(x), freq) for x in ordinals]), name)

    freqstr = property(lambda self: frequency_name(self.dtype._freq))
    freq = property(lambda self: self.dtype.freq)

    def _as_label(self, label):
        if isinstance(label, (str, datetime.date)):
            return Period(label, self.freqstr)
        return label

    __contains__ = DatetimeIndex.__contains__

    def _span(self, key):
        """The first and the last period of a longer one that a string names."""
        if not isinstance(key, str):
            return None
        moment, own = _read(key, self.dtype._freq)
        order = ("Y", "Q", "M", "W", "B", "D", "h", "min", "s", "ms", "us")
        if order.index(own[0]) >= order.index(self.dtype._freq[0]):
            return None
        long = Period(moment, frequency_name(own))
        return long.asfreq(self.freqstr, "S"), long.asfreq(self.freqstr, "E")

    def get_loc(self, key):
        try:
            span = self._span(key)
            if span is None:
                return Index.get_loc(self, self._as_label(key))
        except (KeyError, ValueError):
            raise KeyError(key) from None
        places = [i for i, x in enumerate(self._labels()) if x is not NaT and span[0] <= x <= span[1]]
        if not places:
            raise KeyError(key)
        return slice(places[0], places[-1] + 1) if places == list(range(places[0], places[-1] + 1)) else self._mask(places)

    def _mask(self, places):
        mask = np.zeros(len(self), dtype=bool)
        mask[np.array(places)] = True
        return mask

    def _bound(self, label, end):
        span = self._span(label)
        return Index._bound(self, self._as_label(label) if span is None else span[1 if end else 0], end)

    def shift(self, periods=1, freq=None):
        return self + periods

    def __getattr__(self, name):
        if name in FIELDS or name in ("start_time", "end_time", "asfreq", "to_timestamp", "strftime"):
            found = getattr(Periodic(Index.to_series(self, index=range(len(self)))), name)
            if callable(found):
                return lambda *args, **options: self._with_freq(Index._of(found(*args, **options)._column, self.name), name)
            return np.array(found._column.items(), dtype=bool) if name == "is_leap_year" else Index._of(found._column, self.name)
        raise AttributeError(f"'PeriodIndex' object has no attribute '{name}'")

    def _with_freq(self, made, name):
        if name == "to_timestamp" and len(made) > 1:
            steps = {b.ordinal - a.ordinal for a, b in zip(self._labels(), self._labels()[1:]) if a is not NaT and b is not NaT}
            # Evenly spaced dates have a frequency, if there are enough of them to see it.
            if steps == {self.dtype._freq[2]} and (len(made) > 2 or self.dtype._freq[0] in ("D", *_EVEN)):
                made.freq = O.to_offset(made.inferred_freq)
        return made


def period_range(start=None, end=None, periods=None, freq=None, name=None):
    if sum(x is not None for x in (start, end, periods)) != 2:
        raise ValueError("Of the three parameters: start, end, and periods, exactly two must be specified")
    if freq is None:
        known = [x for x in (start, end) if isinstance(x, Period)]
        freq = known[0]._freq if known else ("D", None, 1)
    else:
        freq = frequency(freq)
    text = frequency_name(freq)
    first, last = (None if x is None else Period(x, text).ordinal for x in (start, end))
    count = freq[2]
    if periods is not None:
        numbers = range(first, first + periods * count, count) if first is not None else range(last - (periods - 1) * count, last + 1, count)
    else:
        numbers = range(first, last + 1, count)
    return Index._of(Column(PeriodDtype(freq), [Period._of(x, freq) for x in numbers]), name)


class Periodic:
    """`series.dt` of periods."""

    def __init__(self, series):
        self._series = series

    def _each(self, function, dtype=None):
        items = self._series._column.items()
        column = infer([NaT if x is NaT and dtype is None else C.NAN if x is NaT else function(x) for x in items])
        return self._series._like(column.astype(dtype) if dtype is not None and column.dtype.kind == "i" else column)

    freq = property(lambda self: self._series.dtype.freq)
    start_time = property(lambda self: self._each(lambda x: x.start_time))
    end_time = property(lambda self: self._each(lambda x: x.end_time))

    def asfreq(self, freq, how="E"):
        return self._each(lambda x: x.asfreq(freq, how))

    def to_timestamp(self, freq=None, how="start"):
        return self._each(lambda x: x.to_timestamp(freq, how))

    def strftime(self, date_format):
        return self._each(lambda x: x.strftime(date_format), "str")

    def __getattr__(self, name):
        if name in FIELDS:
            return self._each(lambda x: getattr(x, name), INT)
        raise AttributeError(f"'PeriodProperties' object has no attribute '{name}'")


def of_dates(index, freq=None):
    """The periods that dates are in."""
    if freq is None:
        step = index.freq if isinstance(index, DatetimeIndex) else None
        if step is None and isinstance(index, DatetimeIndex):
            step = O.to_offset(index.inferred_freq)
        if step is None:
            raise ValueError("You must pass a freq argument as current index has none.")
        freq = frequency_of_step(step)
    else:
        freq = frequency(freq)
    return Column(PeriodDtype(freq), [NaT if x is NaT else Period._of(_number(x, freq), freq) for x in index._column.items()])


def relabelled(of, name, freq, how=None, axis=0):
    """`to_period` and `to_timestamp` of frames and series: what they make of the labels."""
    columns = axis in (1, "columns")
    index = of.columns if columns else of.index
    wanted = DatetimeIndex if name == "to_period" else PeriodIndex
    if not isinstance(index, wanted):
        raise TypeError(f"unsupported Type {type(index).__name__}")
    made = of.copy()
    labels = Index._of(of_dates(index, freq), index.name) if name == "to_period" else index.to_timestamp(freq, how)
    if columns:
        made.columns = labels
    else:
        made.index = labels
    return made

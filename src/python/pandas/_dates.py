"""Dates: `Timestamp`, `Timedelta`, `to_datetime`, `date_range` and the accessor `.dt`."""

import calendar
import collections
import datetime
import re

import numpy as np

from . import _columns as C
from ._columns import DATETIME, TIMEDELTA, Column, NaT, infer, is_missing
from ._parsing import MISSING, DateParseError, guessed, parsed, strictly
from .errors import warn_program

FIELDS = (
    "year",
    "month",
    "day",
    "hour",
    "minute",
    "second",
    "microsecond",
    "dayofweek",
    "day_of_week",
    "weekday",
    "dayofyear",
    "day_of_year",
    "quarter",
    "days_in_month",
    "daysinmonth",
    "is_month_start",
    "is_month_end",
    "is_year_start",
    "is_year_end",
    "is_leap_year",
)
# Names that pandas 3.1 warns about, and those it names instead.
OUTDATED = {"dayofweek": "day_of_week", "weekday": "day_of_week", "dayofyear": "day_of_year", "daysinmonth": "days_in_month"}
def warn_outdated(of, name):
    from .errors import warn_later

    warn_later(f"{of}.{name} is deprecated and will be removed in a future version. Use {of}.{OUTDATED[name]} instead.")


def _refuse_number(other):
    if isinstance(other, (int, np.integer)) and not isinstance(other, bool):
        raise TypeError(
            "Addition/subtraction of integers and integer-arrays with Timestamp is no longer supported.  Instead of adding/subtracting `n`, "
            "use `n * obj.freq`")


class Timestamp(datetime.datetime):
    """A date with a time of day."""

    def tz_localize(self, tz, **options):
        raise NotImplementedError("pandas: Timestamp.tz_localize: time zones aren't here")

    def to_period(self, freq=None):
        from ._periods import Period

        return Period(self, freq)

    def round(self, freq):
        return _rounded(self, freq, "round")

    def floor(self, freq):
        return _rounded(self, freq, "floor")

    def ceil(self, freq):
        return _rounded(self, freq, "ceil")

    def __new__(
        cls,
        ts_input=None,
        month=None,
        day=None,
        hour=0,
        minute=0,
        second=0,
        microsecond=0,
        year=None,
        tzinfo=None,
        fold=0,
        tz=None,
        unit=None,
    ):
        x = ts_input if year is None else year
        if isinstance(x, np.datetime64):
            x = x.astype("M8[us]").item()
        if x is None or x is NaT:
            return NaT
        if tz is not None or tzinfo is not None:
            raise NotImplementedError("pandas: time zones")
        if isinstance(x, int) and month is not None:
            return super().__new__(cls, x, month, day, hour, minute, second, microsecond)
        if isinstance(x, str):
            x = parsed(x)
            if x is None:
                return NaT
        elif isinstance(x, (int, float, np.number)):
            scale = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, None: 1e-9, "D": 86400}[unit]
            x = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=float(x) * scale)
        elif isinstance(x, datetime.date) and not isinstance(x, datetime.datetime):
            x = datetime.datetime(x.year, x.month, x.day)
        elif not isinstance(x, datetime.datetime):
            raise TypeError(f"Cannot convert input [{x}] of type {type(x)} to Timestamp")
        return super().__new__(cls, x.year, x.month, x.day, x.hour, x.minute, x.second, x.microsecond)

    @classmethod
    def _of(cls, x):
        return NaT if x is NaT else cls(x)

    tz = None
    dayofweek = day_of_week = property(lambda self: self.weekday())
    dayofyear = day_of_year = property(lambda self: self.timetuple().tm_yday)
    quarter = property(lambda self: (self.month - 1) // 3 + 1)
    days_in_month = daysinmonth = property(lambda self: calendar.monthrange(self.year, self.month)[1])
    is_month_start = property(lambda self: self.day == 1)
    is_month_end = property(lambda self: self.day == self.days_in_month)
    is_year_start = property(lambda self: (self.month, self.day) == (1, 1))
    is_year_end = property(lambda self: (self.month, self.day) == (12, 31))
    is_leap_year = property(lambda self: calendar.isleap(self.year))
    week = property(lambda self: self.isocalendar()[1])

    @classmethod
    def now(cls, tz=None):
        return cls(datetime.datetime.now())

    today = now

    def day_name(self):
        return self.strftime("%A")

    def month_name(self):
        return self.strftime("%B")

    def normalize(self):
        return Timestamp(self.date())

    def to_datetime64(self):
        return np.datetime64(self, "us")

    to_numpy = to_datetime64
    asm8 = property(to_datetime64)

    def to_pydatetime(self):
        return datetime.datetime(self.year, self.month, self.day, self.hour, self.minute, self.second, self.microsecond)

    def isoformat(self, sep="T", timespec="auto"):
        return self.to_pydatetime().isoformat(sep, timespec)

    def __add__(self, other):
        other = C.timed(other)
        _refuse_number(other)
        return (
            NaT
            if other is NaT
            else Timestamp(self.to_pydatetime() + other) if isinstance(other, datetime.timedelta) else NotImplemented
        )

    __radd__ = __add__

    def __sub__(self, other):
        other = C.timed(other)
        _refuse_number(other)
        if other is NaT:
            return NaT
        if isinstance(other, datetime.timedelta):
            return Timestamp(self.to_pydatetime() - other)
        if isinstance(other, datetime.datetime):
            mine = other.to_pydatetime() if isinstance(other, Timestamp) else other
            return Timedelta(self.to_pydatetime() - mine)
        return NotImplemented

    def __str__(self):
        return self.to_pydatetime().isoformat(" ")

    def __repr__(self):
        return f"Timestamp('{self}')"

    def __reduce__(self):
        return Timestamp, (str(self),)


_UNITS = {
    "D": "days",
    "day": "days",
    "days": "days",
    "d": "days",
    "h": "hours",
    "hour": "hours",
    "hours": "hours",
    "hr": "hours",
    "min": "minutes",
    "minute": "minutes",
    "minutes": "minutes",
    "m": "minutes",
    "s": "seconds",
    "second": "seconds",
    "seconds": "seconds",
    "sec": "seconds",
    "ms": "milliseconds",
    "us": "microseconds",
    "W": "weeks",
}


_Components = collections.namedtuple("Components", "days hours minutes seconds milliseconds microseconds nanoseconds")


class Timedelta(datetime.timedelta):
    """A length of time."""

    def __new__(cls, value=None, unit=None, **parts):
        if parts:
            return super().__new__(cls, **parts)
        if isinstance(value, np.timedelta64):
            value = value.astype("m8[us]").item()
        if value is None or value is NaT:
            return NaT
        if hasattr(value, "_one"):
            value = value.delta
        if isinstance(value, datetime.timedelta):
            return super().__new__(cls, value.days, value.seconds, value.microseconds)
        if isinstance(value, str):
            if value.strip() in MISSING:
                return NaT
            clock = re.search(r"(\d+):(\d+):(\d+(?:\.\d+)?)", value)
            found = {}
            if clock is None and ":" in value:
                raise ValueError("expected hh:mm:ss format")
            if clock:
                found = {"hours": int(clock[1]), "minutes": int(clock[2]), "seconds": float(clock[3])}
                value = value[: clock.start()]
            elif re.search(r"[A-Za-z]", value) and not re.search(r"\d", value):
                raise ValueError("unit abbreviation w/o a number")
            elif re.search(r"[A-Za-z].*\d\s*$", value):
                raise ValueError("have leftover units")
            for number, name in re.findall(r"([-+]?\d+(?:\.\d+)?)\s*([A-Za-z]+)", value):
                if name not in _UNITS:
                    raise ValueError(f"invalid unit abbreviation: {name}")
                found[_UNITS[name]] = found.get(_UNITS[name], 0) + float(number)
            return super().__new__(cls, **found)
        if unit is None:
            return super().__new__(cls, microseconds=value / 1000)
        return super().__new__(cls, **{_UNITS[unit]: value})

    def to_timedelta64(self):
        return np.timedelta64(self, "us")

    to_numpy = to_timedelta64
    asm8 = property(to_timedelta64)

    @property
    def components(self):
        """The days, hours and so on, each by its name."""
        rest, micro = divmod(self.microseconds, 1000)
        return _Components(
            self.days, self.seconds // 3600, self.seconds // 60 % 60, self.seconds % 60, rest, micro, 0)

    def to_pytimedelta(self):
        return datetime.timedelta(self.days, self.seconds, self.microseconds)

    def __add__(self, other):
        if isinstance(other, datetime.datetime):
            return Timestamp(other) + self
        made = datetime.timedelta.__add__(self, other)
        return made if made is NotImplemented else Timedelta(made)

    def __sub__(self, other):
        made = datetime.timedelta.__sub__(self, other)
        return made if made is NotImplemented else Timedelta(made)

    def __mul__(self, other):
        made = datetime.timedelta.__mul__(self, other)
        return made if made is NotImplemented else Timedelta(made)

    __rmul__ = __mul__

    def __truediv__(self, other):
        other = C.timed(other)
        made = datetime.timedelta.__truediv__(self, other)
        return Timedelta(made) if isinstance(made, datetime.timedelta) else made

    def __str__(self):
        seconds = self.seconds
        rest = f".{self.microseconds:06d}" if self.microseconds else ""
        sign = "+" if self.days < 0 else ""
        return f"{self.days} days {sign}{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{rest}"

    def __repr__(self):
        return f"Timedelta('{self}')"

    def __reduce__(self):
        return Timedelta, (str(self),)


def mean(name, items):
    if isinstance(items[0], datetime.timedelta):
        total = sum((x for x in items[1:]), items[0])
        return Timedelta(total if name == "sum" else total / len(items))
    if name == "median":
        return quantile(sorted(items), 0.5)
    start = min(items)
    away = sum(((x - start).total_seconds() for x in items), 0.0) / len(items)
    return Timestamp(start.to_pydatetime() + datetime.timedelta(seconds=away))


def quantile(ordered, p):
    at = (len(ordered) - 1) * p
    low = int(at)
    if low + 1 >= len(ordered):
        return ordered[low]
    return ordered[low] + (ordered[low + 1] - ordered[low]) * (at - low)


def to_column(column, form=None, errors="raise", unit=None, dayfirst=False):
    """Converts a column of strings, numbers or dates to dates."""
    if errors not in ("raise", "coerce"):
        raise ValueError("errors must be one of 'raise', or 'coerce'.")
    if column.dtype == DATETIME:
        return column
    items = list(column.items())
    if form is None and unit is None:
        # The first date says in which form all others must be.
        first = next((x for x in items if not is_missing(x) and x not in MISSING), None)
        if isinstance(first, str):
            form = guessed(first, dayfirst)
            if form is None and len(items) > 1:
                warn_program(
                    "Could not infer format, so each element will be parsed individually, falling back to `dateutil`. To ensure parsing is "
                    "consistent and as-expected, please specify a format."
                )
    made = []
    for x in items:
        if is_missing(x) or isinstance(x, str) and x.strip() in MISSING:
            made.append(NaT)
            continue
        try:
            if form is not None and form != "mixed":
                made.append(Timestamp(strictly(str(x).strip(), form) if not isinstance(x, datetime.date) else x))
            elif isinstance(x, str):
                made.append(Timestamp(parsed(x, dayfirst, iso=not dayfirst)))
            else:
                made.append(Timestamp(x, unit=unit))
        except (ValueError, TypeError):
            if errors == "raise":
                raise
            made.append(NaT)
    return Column(DATETIME, made)


def to_datetime(arg, errors="raise", dayfirst=False, yearfirst=False, utc=False, format=None, unit=None, **options):
    from ._index import DatetimeIndex, Index
    from ._series import Series

    if utc:
        raise NotImplementedError("pandas: to_datetime(utc=)")
    if isinstance(arg, dict):
        from ._frame import DataFrame

        arg = DataFrame(arg)
    if isinstance(arg, Series):
        return arg._like(to_column(arg._column, format, errors, unit, dayfirst))
    if hasattr(arg, "columns"):
        names = {n.rstrip("s"): n for n in arg.columns}
        parts = [arg[names[n]].tolist() if n in names else [0] * len(arg) for n in ("year", "month", "day", "hour", "minute", "second")]
        moments = [Timestamp(datetime.datetime(*map(int, row))) for row in zip(*parts)]
        return Series._of(Column(DATETIME, moments), arg.index)
    arg = C.timed(arg)
    if arg is None or arg is NaT:
        return arg
    if isinstance(arg, (str, int, float, datetime.date)):
        return to_column(infer([arg]), format, errors, unit, dayfirst).items()[0]
    return (
        Index._of(to_column(infer(arg), format, errors, unit, dayfirst), getattr(arg, "name", None))
        if not isinstance(arg, DatetimeIndex)
        else arg
    )


def to_timedelta(arg, unit=None):
    from ._series import Series

    if isinstance(arg, Series):
        return arg._like(Column(TIMEDELTA, [NaT if is_missing(x) else Timedelta(x, unit) for x in arg.tolist()]))
    if isinstance(arg, (list, tuple, np.ndarray)) or hasattr(arg, "_column"):
        from ._lengths import to_index

        return to_index(arg, unit)
    return Timedelta(arg, unit)


_SECONDS = {"D": 86400, "h": 3600, "min": 60, "s": 1, "ms": 0.001}


def _rounded(x, freq, how):
    """A date or a length of time, rounded to whole steps of `freq`."""
    match = re.fullmatch(r"(\d*)([A-Za-z]+)", freq)
    if match is None or match[2] not in _SECONDS:
        raise ValueError(f"Invalid frequency: {freq}")
    step = int(round(int(match[1] or 1) * _SECONDS[match[2]] * 1_000_000))
    start = None if isinstance(x, datetime.timedelta) else datetime.datetime(1970, 1, 1)
    gone = (x if start is None else x - start) // datetime.timedelta(microseconds=1)
    steps, rest = divmod(gone, step)
    if how == "ceil":
        steps += rest > 0
    elif how == "round":
        steps += 2 * rest > step or 2 * rest == step and steps % 2 == 1
    moved = datetime.timedelta(microseconds=steps * step)
    return type(x)(moved) if start is None else Timestamp(start + moved)


class Dates:
    """`series.dt`."""

    def __new__(cls, series):
        if isinstance(series.dtype, C.PeriodDtype):
            from ._periods import Periodic

            return Periodic(series)
        return object.__new__(cls)

    def __init__(self, series):
        if series.dtype not in (DATETIME, TIMEDELTA):
            raise AttributeError("Can only use .dt accessor with datetimelike values")
        self._series = series

    def _each(self, function, kind=None):
        items = self._series._column.items()
        made = [C.NAN if x is NaT else function(x) for x in items]
        column = infer(made)
        if kind is not None and not any(x is NaT for x in items):
            column = column.astype(kind)
        return self._series._like(column)

    date = property(
        lambda self: self._series._like(Column(C.OBJECT, [x if x is NaT else x.date() for x in self._series._column.items()]))
    )
    time = property(
        lambda self: self._series._like(Column(C.OBJECT, [x if x is NaT else x.time() for x in self._series._column.items()]))
    )

    def strftime(self, form):
        return self._each(lambda x: x.strftime(form))

    def day_name(self):
        return self.strftime("%A")

    def month_name(self):
        return self.strftime("%B")

    def normalize(self):
        return self._each(lambda x: x.normalize())

    def to_period(self, freq=None):
        from ._index import Index
        from ._periods import of_dates

        return self._series._like(of_dates(Index._of(self._series._column), freq))

    def total_seconds(self):
        return self._each(lambda x: x.total_seconds())

    def isocalendar(self):
        from ._frame import DataFrame
        from ._index import Index

        parts = [(C.NA,) * 3 if x is NaT else x.isocalendar() for x in self._series._column.items()]
        columns = [infer([part[i] for part in parts], "UInt32") for i in range(3)]
        return DataFrame._of(columns, Index(["year", "week", "day"]), self._series.index)

    def floor(self, freq):
        return self._each(lambda x: _rounded(x, freq, "floor"))

    def ceil(self, freq):
        return self._each(lambda x: _rounded(x, freq, "ceil"))

    def round(self, freq):
        return self._each(lambda x: _rounded(x, freq, "round"))

    def __getattr__(self, name):
        if self._series.dtype == TIMEDELTA and name in ("days", "seconds", "microseconds"):
            return self._each(lambda x: getattr(x, name), "int64" if name == "days" else "int32")
        if name in OUTDATED:
            warn_outdated("Series.dt", name)
        if name in FIELDS:
            asked = name.startswith("is_")
            if asked:
                # A missing date is none of these.
                return self._series._like(Column(C.BOOL, np.array([x is not NaT and getattr(x, name) for x in self._series._column.items()], dtype=bool)))
            return self._each(lambda x: x.weekday() if name == "weekday" else getattr(x, name), "int32")
        if name in ("tz_localize", "tz_convert", "to_timestamp", "components", "tz", "nanosecond", "microsecond", "as_unit"):
            raise NotImplementedError(f"pandas: dt.{name} isn't here")
        raise AttributeError(f"'DatetimeProperties' object has no attribute '{name}'")

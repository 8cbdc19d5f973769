"""Axes of dates: a place is a number of days since 1970."""

import calendar
import datetime
import math

import numpy

from matplotlib.ticker import Formatter, Locator, MultipleLocator

YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, MINUTELY, SECONDLY, MICROSECONDLY = range(8)
_UNITS = [365.0, 30.0, 7.0, 1.0, 1 / 24, 1 / 1440, 1 / 86400, 1 / 86400e6]
DAYS_PER_WEEK, DAYS_PER_MONTH, DAYS_PER_YEAR = 7.0, 30.0, 365.0
HOURS_PER_DAY, MIN_PER_HOUR, SEC_PER_MIN, MONTHS_PER_YEAR = 24.0, 60.0, 60.0, 12.0
MINUTES_PER_DAY, SEC_PER_HOUR, SEC_PER_DAY, SEC_PER_WEEK = 1440.0, 3600.0, 86400.0, 604800.0
MUSECONDS_PER_DAY = 86400e6
MO, TU, WE, TH, FR, SA, SU = WEEKDAYS = MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = tuple(range(7))
UTC = datetime.timezone.utc
_EPOCH = datetime.datetime(1970, 1, 1)


def get_epoch():
    return "1970-01-01T00:00:00"


def date2num(d):
    """Days since 1970 of a date, or of many."""
    if hasattr(d, "to_numpy"):
        d = d.to_numpy()
    if isinstance(d, (datetime.date, numpy.datetime64)):
        return numpy.float64(date2num([d])[0])
    given = numpy.asarray(d)
    if given.dtype.kind == "O":
        if any(getattr(x, "tzinfo", None) is not None for x in given.ravel().tolist()):
            shape = given.shape
            given = numpy.array([x if x is None else x.astimezone(UTC).replace(tzinfo=None) if x.tzinfo else x
                                 for x in given.ravel().tolist()], dtype="M8[us]").reshape(shape)
        given = given.astype("M8[us]")
    if given.dtype.kind != "M":
        return given
    out = (given.astype("M8[us]") - numpy.datetime64(0, "us")) / numpy.timedelta64(1, "D")
    return out if out.ndim else out[()]


def num2date(x, tz=None):
    """The moments that numbers stand for."""
    if hasattr(x, "__len__") or getattr(x, "ndim", 0):
        return [num2date(v, tz) for v in numpy.asarray(x).ravel().tolist()]
    moment = _moment(float(x)).replace(tzinfo=UTC)
    return moment if tz is None or isinstance(tz, str) else moment.astimezone(tz)


def _moment(x):
    if isinstance(x, datetime.datetime):
        return x.replace(tzinfo=None)
    moment = _EPOCH + datetime.timedelta(microseconds=round(x * MUSECONDS_PER_DAY))
    if abs(x) > 70 * 365:
        # Numbers this far from 1970 don't hold single microseconds.
        moment = moment.replace(microsecond=0) + datetime.timedelta(microseconds=round(moment.microsecond / 20) * 20)
    return moment


def datestr2num(d, default=None):
    if isinstance(d, str):
        return date2num(numpy.datetime64(d, "us"))
    return date2num(numpy.array(d, dtype="M8[us]"))


def drange(dstart, dend, delta):
    first, last, step = date2num(dstart), date2num(dend), delta.total_seconds() / SEC_PER_DAY
    return numpy.linspace(first, first + (count := math.ceil((last - first) / step)) * step, count + 1)[:-1]


# ---- where ticks are -------------------------------------------------------------------------------------------------


def _between(low, high):
    """How far apart two moments are, by the calendar: months, and what is left."""
    months = (high.year - low.year) * 12 + high.month - low.month
    if _later(low, months) > high:
        months -= 1
    return months, high - _later(low, months)


def _later(moment, months):
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    year = min(max(year, 1), 9999)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, calendar.monthrange(year, month + 1)[1]))


def _listed(given, own):
    return [own] if given is None else sorted(given) if hasattr(given, "__iter__") else [given]


def _moments(freq, first, last, interval, by):
    """Every moment of a rule from `first` to `last`, such as each second month, on its first day."""
    first = first.replace(microsecond=0)
    lists = {name: _listed(by.get(name), getattr(first, name)) for name in ("hour", "minute", "second")}
    allowed = lambda name, value: by.get(name) is None or value in _listed(by[name], None)
    fits = lambda day: allowed("month", day.month) and allowed("day", day.day) and allowed("weekday", day.weekday())
    out, k = [], 0

    def clock(day, hours, minutes, seconds):
        out.extend(datetime.datetime(day.year, day.month, day.day, h, m, s) for h in hours for m in minutes for s in seconds)

    while True:
        step = k * interval
        k += 1
        if freq in (YEARLY, MONTHLY):
            months = first.year * 12 + (step * 12 if freq == YEARLY else first.month - 1 + step)
            if months // 12 > min(last.year, 9999):
                break
            chosen = [months] if freq == MONTHLY else [months + m - 1 for m in _listed(by.get("month"), first.month)]
            for month in chosen:
                year, number = divmod(month, 12)
                if freq == MONTHLY and not allowed("month", number + 1):
                    continue
                for day in range(1, calendar.monthrange(year, number + 1)[1] + 1):
                    date = datetime.date(year, number + 1, day)
                    if fits(date) if by.get("weekday") is not None else day in _listed(by.get("day"), first.day):
                        clock(date, *lists.values())
            continue
        if freq == WEEKLY:
            monday = first - datetime.timedelta(days=first.weekday()) + datetime.timedelta(weeks=step)
            if monday > last:
                break
            for weekday in _listed(by.get("weekday"), first.weekday()):
                clock(monday + datetime.timedelta(days=weekday), *lists.values())
            continue
        base = first + datetime.timedelta(**{{DAILY: "days", HOURLY: "hours", MINUTELY: "minutes", SECONDLY: "seconds"}[freq]: step})
        if base.replace(minute=0, second=0) > last:
            break
        if not fits(base) or freq > DAILY and not allowed("hour", base.hour) or freq > HOURLY and not allowed("minute", base.minute) \
                or freq > MINUTELY and not allowed("second", base.second):
            continue
        clock(base, lists["hour"] if freq == DAILY else [base.hour], lists["minute"] if freq < MINUTELY else [base.minute],
              lists["second"] if freq < SECONDLY else [base.second])
    return [moment for moment in out if first <= moment <= last]


class DateLocator(Locator):
    """Moments of a rule."""

    def __init__(self, freq, interval=1, **by):
        self._freq, self._interval, self._by = freq, interval, by

    def _get_unit(self):
        return _UNITS[self._freq]

    def _ends(self, low, high):
        months, rest = _between(low, high)
        return _later(low, -months) - rest, _later(high, months) + rest

    def tick_values(self, vmin, vmax):
        low, high = _moment(vmin), _moment(vmax)
        try:
            found = _moments(self._freq, *self._ends(low, high), self._interval, self._by)
        except OverflowError:
            found = _moments(self._freq, low, high, self._interval, self._by)
        if self._freq != YEARLY:
            found = [v for v in found if low <= v <= high]
        return [float(v) for v in date2num(found or [low, high])]


RRuleLocator = DateLocator


class YearLocator(DateLocator):
    def __init__(self, base=1, month=1, day=1, tz=None):
        super().__init__(YEARLY, base, month=month, day=day, hour=0, minute=0, second=0)

    def _ends(self, low, high):
        base = self._interval
        start = datetime.datetime(max(low.year // base * base, 1), self._by["month"], self._by["day"])
        return start, start.replace(year=min(-(-high.year // base) * base, 9999))


class MonthLocator(DateLocator):
    def __init__(self, bymonth=None, bymonthday=1, interval=1, tz=None):
        super().__init__(MONTHLY, interval, month=range(1, 13) if bymonth is None else bymonth, day=bymonthday, hour=0, minute=0,
                         second=0)


class WeekdayLocator(DateLocator):
    def __init__(self, byweekday=1, interval=1, tz=None):
        super().__init__(DAILY, interval, weekday=byweekday, hour=0, minute=0, second=0)


class DayLocator(DateLocator):
    def __init__(self, bymonthday=None, interval=1, tz=None):
        super().__init__(DAILY, interval, day=range(1, 32) if bymonthday is None else bymonthday, hour=0, minute=0, second=0)


class HourLocator(DateLocator):
    def __init__(self, byhour=None, interval=1, tz=None):
        super().__init__(HOURLY, interval, hour=range(24) if byhour is None else byhour, minute=0, second=0)


class MinuteLocator(DateLocator):
    def __init__(self, byminute=None, interval=1, tz=None):
        super().__init__(MINUTELY, interval, minute=range(60) if byminute is None else byminute, second=0)


class SecondLocator(DateLocator):
    def __init__(self, bysecond=None, interval=1, tz=None):
        super().__init__(SECONDLY, interval, second=range(60) if bysecond is None else bysecond)


class AutoDateLocator(Locator):
    """The rule that gives at least five ticks."""

    def __init__(self, tz=None, minticks=5, maxticks=None, interval_multiples=True):
        if not interval_multiples:
            raise NotImplementedError("matplotlib: AutoDateLocator(interval_multiples=False)")
        self._freq, self.minticks = YEARLY, minticks
        self.maxticks = {YEARLY: 11, MONTHLY: 12, DAILY: 11, HOURLY: 12, MINUTELY: 11, SECONDLY: 11, MICROSECONDLY: 8}
        if maxticks is not None:
            self.maxticks.update(maxticks if isinstance(maxticks, dict) else dict.fromkeys(self.maxticks, maxticks))
        self.intervald = {
            YEARLY: [n * ten for ten in (1, 10, 100, 1000) for n in (1, 2, 4, 5)] + [10000], MONTHLY: [1, 2, 3, 4, 6],
            DAILY: [1, 2, 4, 7, 14], HOURLY: [1, 2, 3, 4, 6, 12], MINUTELY: [1, 5, 10, 15, 30], SECONDLY: [1, 5, 10, 15, 30],
            MICROSECONDLY: [n * ten for ten in (1, 10, 100, 1000, 10000, 100000) for n in (1, 2, 5)] + [1000000]}
        self.intervald[YEARLY].remove(4000)

    def _get_unit(self):
        return _UNITS[self._freq]

    def get_locator(self, dmin, dmax):
        low, high = sorted((_moment(dmin), _moment(dmax)))
        months, rest = _between(low, high)
        whole, span = high - low, rest.seconds
        hours = whole.days * 24 + span // 3600
        counts = {YEARLY: months // 12, MONTHLY: months, DAILY: whole.days, HOURLY: hours, MINUTELY: hours * 60 + span // 60 % 60,
                  SECONDLY: math.floor(whole.total_seconds()), MICROSECONDLY: math.floor(whole.total_seconds() * 1e6)}
        by = {"month": 1, "day": 1, "hour": 0, "minute": 0, "second": 0}
        names = {MONTHLY: "month", DAILY: "day", HOURLY: "hour", MINUTELY: "minute", SECONDLY: "second"}
        ranges = {MONTHLY: range(1, 13), DAILY: range(1, 32), HOURLY: range(24), MINUTELY: range(60), SECONDLY: range(60)}
        freq = interval = None
        for freq, count in counts.items():
            if count >= self.minticks:
                interval = next((n for n in self.intervald[freq] if count <= n * (self.maxticks[freq] - 1)), self.intervald[freq][-1])
                break
            if freq in names:
                by[names[freq]] = None
        self._freq = freq if interval is not None else self._freq
        interval = interval or 1
        if freq == YEARLY:
            return YearLocator(interval)
        if freq == MICROSECONDLY:
            return MultipleLocator(interval / MUSECONDS_PER_DAY)
        by[names[freq]] = {(DAILY, 14): [1, 15], (DAILY, 7): [1, 8, 15, 22]}.get((freq, interval), ranges[freq][::interval])
        return DateLocator(freq, 1, **by)

    def tick_values(self, vmin, vmax):
        return self.get_locator(vmin, vmax).tick_values(vmin, vmax)


# ---- what ticks say --------------------------------------------------------------------------------------------------


class DateFormatter(Formatter):
    def __init__(self, fmt, tz=None, *, usetex=None):
        self.fmt, self.tz = fmt, tz

    def __call__(self, x, pos=0):
        return num2date(x, self.tz).strftime(self.fmt)


class AutoDateFormatter(Formatter):
    """Labels with as much of a date as it takes to tell the ticks apart."""

    def __init__(self, locator, tz=None, defaultfmt="%Y-%m-%d", *, usetex=None):
        self._locator, self._tz, self.defaultfmt = locator, tz, defaultfmt
        self.scaled = dict(zip((365.0, 30.0, 1, 1 / 24, 1 / 1440, 1 / 86400, 1 / 86400e6), (
            "%Y", "%Y-%m", "%Y-%m-%d", "%m-%d %H", "%d %H:%M", "%H:%M:%S", "%M:%S.%f")))

    def _set_locator(self, locator):
        self._locator = locator

    def __call__(self, x, pos=None):
        unit = self._locator._get_unit() if hasattr(self._locator, "_get_unit") else 1
        form = next((form for scale, form in sorted(self.scaled.items()) if scale >= unit), self.defaultfmt)
        return form(x, pos) if callable(form) else DateFormatter(form, self._tz)(x, pos)


class ConciseDateFormatter(Formatter):
    """Labels with only the part of the date that changes from tick to tick."""

    def __init__(self, locator, tz=None, formats=None, offset_formats=None, zero_formats=None, show_offset=True, *, usetex=None):
        self._locator, self._tz = locator, tz
        self.formats = list(formats or ["%Y", "%b", "%d", "%H:%M", "%H:%M", "%S.%f"])
        self.zero_formats = list(zero_formats or [""] + self.formats[:-1])
        if not zero_formats and not formats:
            self.zero_formats[3] = "%b-%d"

    def _set_locator(self, locator):
        self._locator = locator

    def __call__(self, x, pos=None):
        return num2date(x, self._tz).strftime("%Y")

    def format_ticks(self, values):
        moments = [num2date(v, self._tz) for v in values]
        parts = [moment.timetuple()[:6] for moment in moments]
        level = next((i for i in range(5, -1, -1) if len({part[i] for part in parts}) > 1), 5)
        zero = (0, 1, 1, 0, 0, 0)
        labels = []
        for moment, part in zip(moments, parts):
            start = part[level] == zero[level] if level < 5 else moment.second == moment.microsecond == 0
            labels.append(moment.strftime((self.zero_formats if start else self.formats)[level]))
        if level == 5:
            extra = min((len(s) - len(s.rstrip("0")) for s in labels if "." in s), default=0)
            labels = [s[:-extra].rstrip(".") if extra and "." in s else s for s in labels]
        return labels


def __getattr__(name):
    if name in ("rrule", "rrulewrapper", "relativedelta", "MicrosecondLocator", "DateConverter", "ConciseDateConverter", "set_epoch",
                "num2timedelta"):
        raise NotImplementedError(f"matplotlib.dates.{name} isn't here")
    raise AttributeError(f"module 'matplotlib.dates' has no attribute {name!r}")

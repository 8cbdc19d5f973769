"""Dates and lengths of time: `datetime64` and `timedelta64`, and arrays of them.

An array of dates holds an array of int64 with the counts of its unit since 1970 (`_at`). The lowest int64 is NaT, "not a time".
"""

import datetime
import re

import numpy as np
from numpy import _types as _t
from numpy._array import array, asarray, ndarray
from numpy._boxed import Boxed, of as boxed_of
from numpy._types import BOOL, INT64, OBJECT, generic, number

NAT = -1 << 63
# Nanoseconds of a unit. Months and years have no fixed length.
_NS = {"W": 604_800_000_000_000, "D": 86_400_000_000_000, "h": 3_600_000_000_000, "m": 60_000_000_000, "s": 1_000_000_000,
       "ms": 1_000_000, "us": 1000, "ns": 1}
_ORDER = ["generic", "Y", "M", *_NS]
_NAMES = dict(zip(_ORDER, "generic time units,years,months,weeks,days,hours,minutes,seconds,milliseconds,microseconds,"
                          "nanoseconds".split(",")))
_WIDTH = dict(zip(_ORDER, (21, 21, 25, 28, 28, 32, 35, 38, 42, 45, 48)))
_FORMS = {}
_EPOCH = datetime.datetime(1970, 1, 1)


class datetime64(generic):
    __slots__ = ("_v", "dtype")

    def __new__(cls, value=None, unit=None):
        return _scalar("M", value, unit)

    def __repr__(self):
        unit = self.dtype.unit
        shown = unit if unit in ("h", "W", "generic") else None
        return f"np.datetime64('{self}')" if shown is None else f"np.datetime64('{self}','{shown}')"


class timedelta64(_t.signedinteger):
    __slots__ = ("_v", "dtype")

    def __new__(cls, value=0, unit=None):
        return _scalar("m", value, unit)

    def __repr__(self):
        shown = "'NaT'" if self._v == NAT else self._v
        return f"np.timedelta64({shown})" if self.dtype.unit == "generic" else f"np.timedelta64({shown},'{self.dtype.unit}')"


def _item(self, *args):
    return _python(self._v, self.dtype)


def _as_python(function):
    return lambda self: function(self.item())


for _class in (datetime64, timedelta64):
    _class.__module__ = "numpy"
    _class.item = _class.tolist = _item
    _class.__str__ = lambda self: _written(self._v, self.dtype)
    _class.__format__ = lambda self, spec: format(str(self), spec)
    _class.__hash__ = lambda self: hash((self.dtype.kind, self._v if self.dtype.unit in ("Y", "M", "generic") else
                                         self._v * _NS[self.dtype.unit]))
    _class.astype = lambda self, dtype, **options: asarray(self).astype(dtype)[()]
    _class.__int__, _class.__float__ = _as_python(int), _as_python(float)
    _class.view = lambda self, dtype=None: asarray(self).view(dtype)[()]


def dtype_of(kind, unit="generic"):
    """The dtype of dates ("M") or lengths of time ("m") in a unit. The same arguments give the same object."""
    made = _FORMS.get((kind, unit))
    if made is None:
        if unit not in _ORDER:
            if unit.lstrip("0123456789") in (*_ORDER, "ps", "fs", "as"):
                raise NotImplementedError(f"numpy: the unit of time {unit!r}")
            raise TypeError(f'Invalid datetime unit in metadata string "[{unit}]"')
        part = "" if unit == "generic" else f"[{unit}]"
        cls = datetime64 if kind == "M" else timedelta64
        made = _t._boxed(cls.__name__ + part, kind, 8, f"<{kind}8{part}", cls, 21 if kind == "M" else 22)
        made.unit = unit
        _FORMS[kind, unit] = made
    return made


def parse_dtype(name):
    """The dtype that a string such as "datetime64[D]" or "M8[s]" names, or None."""
    found = re.fullmatch(r"(datetime64|M8?|timedelta64|m8?)(?:\[(\w+)\])?", name)
    return found and dtype_of("M" if found[1][0] in "dM" else "m", found[2] or "generic")


# ---- calendar: of Python's integers, and of arrays of them -----------------------------------------------------------


def _days_of(months):
    """The day on which a month since 1970 begins."""
    year, month = months // 12 + 1970, months % 12 + 1
    late = month <= 2
    year = year - late
    century = year // 400
    of_century = year - century * 400
    of_year = (153 * (month + late * 12 - 3) + 2) // 5
    return century * 146097 + of_century * 365 + of_century // 4 - of_century // 100 + of_year - 719468


def _months_of(days):
    """The month since 1970 in which a day is, and the day of that month from 1."""
    days = days + 719468
    century = days // 146097
    rest = days - century * 146097
    year = (rest - rest // 1460 + rest // 36524 - rest // 146096) // 365
    of_year = rest - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    # The year begins in March here.
    return (year + century * 400 - 1970) * 12 + month + 2, of_year - (153 * month + 2) // 5 + 1


def _counts(values, kind, old, new):
    """Converts dates or lengths of time, given as integers that count one unit, to counts of another unit."""
    if old == new or "generic" in (old, new):
        return values
    if (old in ("Y", "M")) != (new in ("Y", "M")):
        if kind == "m":
            raise TypeError(f"Cannot cast NumPy timedelta64 scalar from metadata [{old}] to [{new}] according to the rule 'same_kind'")
        if old in ("Y", "M"):
            return _counts(_days_of(values * 12 if old == "Y" else values), kind, "D", new)
        months = _months_of(_counts(values, kind, old, "D"))[0]
        return months if new == "M" else months // 12
    if old in ("Y", "M"):
        return values * 12 if old == "Y" else values // 12
    return values * (_NS[old] // _NS[new]) if _NS[old] >= _NS[new] else values // (_NS[new] // _NS[old])


def convert(a, d):
    """The counts of an array of dates in the unit of another dtype."""
    unit = a._d.unit
    if unit == d.unit:
        return a._at
    gone = a._at == NAT
    counts = asarray(_counts(np.where(gone, 0, a._at), a._d.kind, unit, d.unit))
    return np.where(gone, NAT, counts) if gone.any() else counts


def common(a, b):
    """The dtype of an operation between dates and lengths of time."""
    if a.kind not in "mM" or b.kind not in "mM":
        return a if a.kind in "mM" else b
    units = {a.unit, b.unit}
    if "m" in (a.kind, b.kind) and units & {"Y", "M"} and units - {"Y", "M", "generic"} and \
            any(d.kind == "m" and d.unit in ("Y", "M") for d in (a, b)):
        raise TypeError(f"Cannot get a common metadata divisor for Numpy datetime metadata [{a.unit}] and [{b.unit}] because they "
                        "have incompatible nonlinear base time units.")
    return dtype_of("M" if "M" in (a.kind, b.kind) else "m", max(units, key=_ORDER.index))


# ---- text and Python's own dates -------------------------------------------------------------------------------------

_ISO = re.compile(r"([-+]?\d{4,})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:\.(\d{1,9}))?)?)?)?)?)?Z?")


def _read(text, unit):
    """Reads a date in the ISO 8601 format: its count and its unit."""
    text = text.strip()
    if text in ("", "NaT", "nat", "NAT"):
        return NAT, unit
    if text in ("today", "now"):
        now = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
        now = now.date() if text == "today" else now.replace(microsecond=0)
        count, known = _count_of(now)
        return _counts(count, "M", known, "D" if text == "today" else "s"), "D" if text == "today" else "s"
    found = _ISO.fullmatch(text)
    if found is None:
        position = len(text) if text[:4].isdigit() and text.isdigit() else next(
            (i for i, c in enumerate(text) if not c.isdigit() and (i < 4 or c not in "-:T. ")), 0)
        raise ValueError(f'Error parsing datetime string "{text}" at position {position}')
    year, month, day, hour, minute, second, rest = found.groups()
    for part, name, low, high in ((month, "Month", 1, 12), (hour, "Hours", 0, 23), (minute, "Minutes", 0, 59),
                                  (second, "Seconds", 0, 59)):
        if part is not None and not low <= int(part) <= high:
            raise ValueError(f'{name} out of range in datetime string "{text}"')
    months = (int(year) - 1970) * 12 + int(month or 1) - 1
    if day is None:
        return (months // 12, "Y") if month is None else (months, "M")
    days = _days_of(months)
    if not 1 <= int(day) <= _days_of(months + 1) - days:
        raise ValueError(f'Day out of range in datetime string "{text}"')
    days += int(day) - 1
    if hour is None:
        return days, "D"
    known = "h" if minute is None else "m" if second is None else "s" if rest is None else \
        "ms" if len(rest) <= 3 else "us" if len(rest) <= 6 else "ns"
    seconds = days * 86400 + int(hour) * 3600 + int(minute or 0) * 60 + int(second or 0)
    return (seconds * 1_000_000_000 + int((rest or "0").ljust(9, "0"))) // _NS[known], known


def _count_of(x):
    """The count and the unit of one of Python's dates or lengths of time."""
    if isinstance(x, datetime.timedelta):
        return (x.days * 86400 + x.seconds) * 1_000_000 + x.microseconds, "us"
    if isinstance(x, datetime.datetime):
        if x.tzinfo is not None:
            x = x.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return _count_of(datetime.datetime.__sub__(x, _EPOCH) if type(x) is datetime.datetime else
                         datetime.datetime(x.year, x.month, x.day, x.hour, x.minute, x.second, x.microsecond) - _EPOCH)
    return x.toordinal() - 719163, "D"


def _known(x, kind, unit):
    """The count and the unit of anything that stands for a date ("M") or a length of time ("m")."""
    if isinstance(x, (datetime64, timedelta64)):
        return x._v, x.dtype.unit
    if isinstance(x, generic):
        x = x._v
    if x is None or "NaTType" in type(x).__name__ or x != x:
        return NAT, unit
    if isinstance(x, bytes):
        x = x.decode()
    if isinstance(x, str):
        return _read(x, unit) if kind == "M" else (NAT if x in ("", "NaT") else int(x), unit)
    if isinstance(x, int):
        if kind == "M" and unit == "generic":
            raise ValueError("Converting an integer to a NumPy datetime requires a specified unit")
        return int(x), unit
    if isinstance(x, datetime.timedelta if kind == "m" else datetime.date):
        return _count_of(x)
    raise ValueError(f"Could not convert object to NumPy {'datetime' if kind == 'M' else 'timedelta'}")


def _scalar(kind, value, unit):
    if isinstance(unit, (tuple, list)):
        raise NotImplementedError("numpy: units of time with a factor")
    wanted = dtype_of(kind, unit or "generic").unit
    count, known = _known(value, kind, wanted)
    if count != NAT and wanted != "generic":
        count, known = _counts(count, kind, known, wanted), wanted
    return number(dtype_of(kind, known), count)


def one(d, count):
    """One date or length of time as NumPy's number. Anything that isn't a count yet is read."""
    if type(count) is not int:
        return _scalar(d.kind, count, d.unit)
    self = object.__new__(d.type)
    self._v, self.dtype = count, d
    return self


def _python(count, d):
    if count == NAT:
        return None
    unit = d.unit
    if d.kind == "m":
        plain = unit in ("generic", "Y", "M", "ns")
        return count if plain else datetime.timedelta(microseconds=count * _NS[unit] // 1000)
    if unit in ("ns", "generic"):
        return count
    try:
        if unit in ("Y", "M", "W", "D"):
            return datetime.date.fromordinal(_counts(count, "M", unit, "D") + 719163)
        return _EPOCH + datetime.timedelta(microseconds=count * _NS[unit] // 1000)
    except (OverflowError, ValueError):
        return count


def _written(count, d, bare=False):
    unit = d.unit
    if count == NAT:
        return "NaT"
    if d.kind == "m":
        return str(count) if bare else f"{count} {_NAMES[unit]}"
    if unit == "generic":
        return "NaT"
    if unit in ("Y", "M"):
        months = count * 12 if unit == "Y" else count
        return f"{months // 12 + 1970:04d}" + (f"-{months % 12 + 1:02d}" if unit == "M" else "")
    ns = count * _NS[unit]
    days, ns = divmod(ns, _NS["D"])
    months, day = _months_of(days)
    text = f"{months // 12 + 1970:04d}-{months % 12 + 1:02d}-{day:02d}"
    clock = f"T{ns // _NS['h']:02d}:{ns // _NS['m'] % 60:02d}:{ns // _NS['s'] % 60:02d}.{ns % _NS['s']:09d}"
    return text + clock[:{"W": 0, "D": 0, "h": 3, "m": 6, "s": 9, "ms": 13, "us": 16, "ns": 19}[unit]]


# ---- arrays ----------------------------------------------------------------------------------------------------------


class Dates(Boxed):
    @classmethod
    def _of(cls, at, d):
        self = object.__new__(cls)
        self._at, self._d = asarray(at), d
        return self

    def _like(self, at):
        if not isinstance(at, ndarray):
            return one(self._d, int(at))
        made = Dates._of(at, self._d)
        made._base, made._writes = self, self._writes
        return made

    def __setitem__(self, key, value):
        self._writable()
        if isinstance(value, str) or not hasattr(value, "__len__"):
            self._at[key] = of([value], (), self._d)._at.item()
        else:
            self._at[key] = convert(asarray(value, self._d), self._d)

    def __contains__(self, item):
        return bool((self == item).any())

    def _mapped(self, function):
        def walk(part):
            return [walk(p) for p in part] if isinstance(part, list) else function(part)

        return walk(self._at.tolist())

    def _flat(self):
        return [_python(v, self._d) for v in self._at.ravel().tolist()]

    def tolist(self):
        return self._mapped(lambda v: _python(v, self._d))

    def _texts(self):
        """The elements as nested lists of strings."""
        return self._mapped(lambda v: f"'{_written(v, self._d)}'" if self._d.kind == "M" or v == NAT else str(v))

    def scalars(self):
        return self._mapped(lambda v: one(self._d, v))

    def item(self, *args):
        return _python(self._at.item(*args), self._d)

    def copy(self, order="C"):
        return Dates._of(self._at.copy(order), self._d)

    __copy__ = copy
    __deepcopy__ = lambda self, memo: self.copy()

    def tobytes(self, order="C"):
        return self._at.tobytes(order)

    def view(self, dtype=None, type=None):
        d = self._d if dtype is None else _t.as_dtype(dtype)
        return Dates._of(self._at, d) if d.kind in "mM" else self._at.view(d)

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        d = _t.as_dtype(dtype)
        if d.kind in "mM":
            if d.unit == "generic":
                d = dtype_of(d.kind, self._d.unit)
            return self if d is self._d and not copy else Dates._of(convert(self, d).copy(), d)
        if d.kind == "O":
            return boxed_of(self._flat(), self.shape, OBJECT)
        if d.kind in "US":
            texts = [_written(v, self._d, True) for v in self._at.ravel().tolist()]
            return boxed_of(texts, self.shape, d if d.itemsize else _t.sized(d.kind, _WIDTH[self._d.unit] if self._d.kind == "M" else 21))
        if d.kind == "f" and self._d.kind == "m":
            return np.where(self._at == NAT, np.nan, self._at).astype(d)
        return self._at.astype(d)

    def keys(self):
        """Counts that sort as NumPy does, NaT last."""
        return np.where(self._at == NAT, (1 << 63) - 1, self._at)


Dates.__name__ = Dates.__qualname__ = "ndarray"
Dates.__module__ = "numpy"


def of(items, shape, d):
    """An array of whatever stands for dates; a dtype without a unit takes the finest of theirs."""
    found = [_known(x, d.kind, d.unit) for x in items]
    if d.unit == "generic":
        units = {unit for count, unit in found if count != NAT or unit != "generic"}
        d = dtype_of(d.kind, max(units, key=_ORDER.index, default="generic"))
    counts = [c if c == NAT else _counts(c, d.kind, unit, d.unit) for c, unit in found]
    return Dates._of(array(counts, dtype=INT64).reshape(shape), d)


def arange(start, stop, step, d):
    """`np.arange` of dates or lengths of time."""
    if d is None:
        kinds = {x.dtype.kind for x in (start, stop, step) if isinstance(x, (datetime64, timedelta64))}
        d = dtype_of("M" if "M" in kinds else "m")
    if start is None:
        if d.kind == "M":
            raise ValueError("arange requires both a start and a stop for Numpy datetime64 ranges")
        start = 0
    first, last = (_known(x, d.kind, d.unit) for x in (start, start if isinstance(stop, (int, np.integer)) and d.kind == "M" else stop))
    gap = (1, "generic") if step is None else _known(step, "m", "generic")
    if d.unit == "generic":
        d = dtype_of(d.kind, max(first[1], last[1], gap[1], key=_ORDER.index))
    low = _counts(first[0], d.kind, first[1], d.unit)
    high = low + int(stop) if isinstance(stop, (int, np.integer)) and not isinstance(stop, timedelta64) and d.kind == "M" else \
        _counts(last[0], d.kind, last[1], d.unit)
    return Dates._of(np.arange(low, high, _counts(gap[0], "m", gap[1], d.unit), dtype=INT64), d)


# ---- universal functions ---------------------------------------------------------------------------------------------


def _refused(name, args):
    from numpy._ufunc import UFuncTypeError
    if len(args) == 1:
        from numpy._ufunc import unsupported
        return unsupported(name)
    types = [a.dtype for a in args]
    return UFuncTypeError(f"ufunc '{name}' cannot use operands with types {types[0]!r} and {types[1]!r}")


def _joined(function, parts, d, gone):
    """Computes with counts. Where an operand is NaT, so is the result."""
    found = asarray(function(*parts))
    return Dates._of(np.where(gone, NAT, found.astype(INT64)), d)


def _quotient(a, b):
    return np.trunc(np.divide(a, b)) if b.dtype.kind == "f" else np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b))


def call(function, args):
    """A universal function of arrays of which one holds dates or lengths of time."""
    from numpy._boxed import _COMPARISONS
    from numpy._ufunc import no_loop
    name, given = function.__name__, args
    args = [asarray(a) for a in args]
    kinds = "".join(a.dtype.kind if a.dtype.kind in "mM" else "i" if a.dtype.kind in "biu" else a.dtype.kind for a in args)
    if name in _COMPARISONS and "M" in kinds and kinds != "MM" or name in _COMPARISONS and set(kinds) - set("mMi"):
        raise no_loop(name, given)
    made = _computed(function, name, args, kinds)
    return made[()] if isinstance(made, ndarray) and not made.ndim else made


def _computed(function, name, args, kinds):
    from numpy._boxed import _COMPARISONS
    gone = np.equal(args[0]._at, NAT) if kinds[0] in "mM" else asarray(False)
    if len(args) == 2 and kinds[1] in "mM":
        gone = np.logical_or(gone, np.equal(args[1]._at, NAT))
    if len(args) == 1:
        a, d = args[0], args[0]._d
        if name in ("isnat", "isnan"):
            return gone
        if name in ("isfinite", "isinf"):
            return np.logical_and(np.logical_not(gone), name == "isfinite")
        if kinds == "m" and name in ("negative", "positive", "absolute", "sign"):
            return _joined(function, [a._at], d, gone)
        raise _refused(name, args)
    a, b = args
    whole = kinds.replace("i", "m") if name in ("add", "subtract") or name in _COMPARISONS else kinds
    if whole in ("mm", "MM", "Mm", "mM"):
        d = common(a.dtype, b.dtype)
        at = [convert(x, d) if x._boxed else x for x in args]
        if name in _COMPARISONS:
            return np.where(gone, name == "not_equal", function(*at)).astype(BOOL)
        if whole in ("mm", "MM") and name in ("maximum", "minimum"):
            return _joined(function, at, d, gone)
        if whole in ("mm", "MM") and name in ("fmax", "fmin"):
            one_gone = [np.equal(x, NAT) for x in at]
            return Dates._of(np.where(one_gone[0], at[1], np.where(one_gone[1], at[0], function(*at))), d)
        if name == "add" and whole != "MM":
            return _joined(function, at, d, gone)
        if name == "subtract" and whole != "mM":
            return _joined(function, at, dtype_of("m", d.unit) if whole == "MM" else d, gone)
        if whole == "mm" and name == "divide":
            return np.where(gone, np.nan, np.divide(*at))
        if whole == "mm" and name == "floor_divide":
            return np.where(gone, 0, np.floor_divide(*at))
        if whole == "mm" and name in ("remainder", "fmod"):
            return _joined(function, at, d, gone)
        if whole == "mm" and name == "divmod":
            return np.where(gone, 0, np.floor_divide(*at)), _joined(np.remainder, at, d, gone)
    elif "m" in kinds and "M" not in kinds and not set(kinds) - set("mif"):
        d = common(a.dtype, b.dtype)
        at = [x._at if x._boxed else x for x in args]
        if name == "multiply":
            return _joined(lambda *p: np.trunc(np.multiply(*p)) if "f" in kinds else np.multiply(*p), at, d, gone)
        if kinds[0] == "m" and name in ("divide", "floor_divide"):
            zero = np.equal(at[1], 0)
            return _joined(_quotient, [at[0], np.where(zero, 1, at[1])], d, np.logical_or(gone, zero))
    raise _refused(name, args)


def fold(a, name, axis, keepdims):
    """A sum, a product, the largest or the least along axes."""
    d, gone = a._d, a._at == NAT
    if name == "multiply" or name == "add" and d.kind == "M":
        raise _refused(name, [a, a])
    found = asarray(getattr(np, {"add": "sum", "maximum": "max", "minimum": "min"}[name])(
        a._at, axis=axis, keepdims=keepdims))
    made = Dates._of(np.where(np.any(gone, axis=axis, keepdims=keepdims), NAT, found), d)
    return made if made.ndim else made[()]


def datetime_data(dtype, /):
    return _t.as_dtype(dtype).unit, 1


def datetime_as_string(arr, unit=None, timezone="naive", casting="same_kind"):
    arr = asarray(arr)
    if arr.dtype.kind != "M":
        raise TypeError("input must have type NumPy datetime")
    if timezone != "naive":
        raise NotImplementedError("numpy.datetime_as_string(timezone=)")
    if unit not in (None, "auto"):
        arr = arr.astype(dtype_of("M", unit))
    return arr.astype(str)[()]


def _weekdays(weekmask, holidays):
    if isinstance(weekmask, str):
        names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        weekmask = [c == "1" for c in weekmask] if len(weekmask) == 7 and set(weekmask) <= set("01") else \
            [name in weekmask for name in names]
    days = {} if holidays is None else set(np.atleast_1d(asarray(holidays, "datetime64[D]"))._at.tolist())
    mask = [bool(x) for x in weekmask]
    return lambda day: mask[(day + 3) % 7] and day not in days


def _each_day(function, *args):
    parts = np.broadcast_arrays(*[asarray(a) for a in args])
    return [function(*row) for row in zip(*[p.ravel().tolist() for p in parts])], parts[0].shape


def _day_counts(x):
    return asarray(x, "datetime64[D]")._at


def is_busday(dates, weekmask="1111100", holidays=None, busdaycal=None, out=None):
    open_on = _weekdays(weekmask, holidays)
    found, shape = _each_day(lambda day: day != NAT and open_on(day), _day_counts(dates))
    return array(found, dtype=BOOL).reshape(shape)[()]


def busday_count(begindates, enddates, weekmask="1111100", holidays=None, busdaycal=None, out=None):
    open_on = _weekdays(weekmask, holidays)

    def between(a, b):
        if a > b:
            # Counted backward, the last day belongs to the range and the first doesn't.
            return -sum(open_on(day) for day in range(b + 1, a + 1))
        return sum(open_on(day) for day in range(a, b))

    found, shape = _each_day(between, _day_counts(begindates), _day_counts(enddates))
    return array(found, dtype=INT64).reshape(shape)[()]


def busday_offset(dates, offsets, roll="raise", weekmask="1111100", holidays=None, busdaycal=None, out=None):
    open_on = _weekdays(weekmask, holidays)
    if roll not in ("raise", "forward", "following", "backward", "preceding"):
        raise NotImplementedError(f"numpy.busday_offset(roll={roll!r})")

    def moved(day, n):
        if not open_on(day) and roll == "raise":
            raise ValueError("Non-business day date in busday_offset")
        toward = 1 if roll in ("forward", "following") else -1
        while not open_on(day):
            day += toward
        while n:
            day += 1 if n > 0 else -1
            n -= (1 if n > 0 else -1) * open_on(day)
        return day

    found, shape = _each_day(moved, _day_counts(dates), offsets)
    return Dates._of(array(found, dtype=INT64).reshape(shape), dtype_of("M", "D"))[()]

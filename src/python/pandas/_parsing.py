"""Reads dates from strings, in the steps of pandas: a form of digits, an ISO date, or whatever dateutil reads."""

import calendar
import datetime
import re

from .errors import warn_program

MONTHS = {name.lower(): i for names in (calendar.month_name, calendar.month_abbr) for i, name in enumerate(names) if name} | {"sept": 9}
DAYS = {name.lower() for names in (calendar.day_name, calendar.day_abbr) for name in names}
JUMPS = {" ", ".", ",", ";", "-", "/", "'", "at", "on", "and", "ad", "m", "t", "of", "st", "nd", "rd", "th"}
HALVES = {"am": 0, "a": 0, "pm": 1, "p": 1}
MISSING = {"", "nan", "nat", "NaT", "NaN", "NAT", "NA", "<NA>", "None"}
ADVICE = (
    ". You might want to try:\n    - passing `format` if your strings have a consistent format;\n    - passing `format='ISO8601'` "
    "if your strings are all ISO8601 but not necessarily in exactly the same format;\n    - passing `format='mixed'`, and the format will "
    "be inferred for each element individually. You might want to use `dayfirst` alongside this."
)
_ISO = re.compile(
    r"(\d{4})(?:(-|/|)(\d\d)(?:\2(\d\d))?)?(?:[ T](\d\d)(?::?(\d\d)(?::?(\d\d)(?:\.(\d{1,9}))?)?)?)?$"
)
_DELIMITED = re.compile(r"(\d{1,2})([-/. ])(\d{1,2})\2(\d{4})$")


class DateParseError(ValueError):
    """A string isn't a date."""


def _warn_order(form, dayfirst):
    said, other = ("True", "False") if dayfirst else ("False (the default)", "True")
    warn_program(
        f"Parsing dates in {form} format when dayfirst={said} was specified. Pass `dayfirst={other}` or specify a format to silence "
        "this warning."
    )


def _iso(text):
    found = _ISO.match(text)
    # Six digits aren't a year and a month.
    if found is None or found[3] and not found[4] and not found[2]:
        return None
    try:
        return datetime.datetime(
            int(found[1]), int(found[3] or 1), int(found[4] or 1), int(found[5] or 0), int(found[6] or 0), int(found[7] or 0),
            int((found[8] or "0").ljust(6, "0")[:6]))
    except ValueError:
        return None


def _delimited(text, dayfirst):
    """Three numbers such as `1/2/2024`. A number above 12 can't be the month."""
    found = _DELIMITED.match(text)
    if found is None:
        return None
    month, day = int(found[1]), int(found[3])
    if dayfirst:
        month, day = day, month
    if month > 12 and day > 12:
        raise DateParseError(f"Invalid date specified ({month}/{day})")
    if month > 12:
        # The order that was asked for is turned around.
        month, day = day, month
    try:
        return datetime.datetime(int(found[4]), month, day)
    except ValueError:
        return None


def split(text):
    """Words, numbers and single signs. `12.5` is one number; `1.2.2024` is three with points between them."""
    tokens = []
    for token in re.findall(r"[^\W\d_]+|\d+(?:\.\d+)*|.", text):
        if token.count(".") > 1:
            tokens += re.findall(r"\d+|\.", token)
        else:
            tokens.append(token)
    return tokens


class _Unknown(ValueError):
    pass


class _Date:
    """The numbers of a date as they come, and which of them is known to be the month or the year."""

    def __init__(self):
        self.numbers, self.month_at, self.year_at = [], None, None

    def add(self, number, label=None):
        digits = number if isinstance(number, str) else ""
        if len(digits) > 2 or int(number) > 100:
            label = label or "year"
        if label == "month":
            self.month_at = len(self.numbers)
        elif label == "year":
            self.year_at = len(self.numbers)
        self.numbers.append(int(number))

    def resolved(self, dayfirst):
        """Year, month and day; None is a part that isn't there."""
        n, at = self.numbers, self.month_at
        if len(n) > 3:
            raise _Unknown
        if not n:
            return None, None, None
        if len(n) == 1:
            if at is not None:
                return None, n[0], None
            return (n[0], None, None) if n[0] > 31 else (None, None, n[0])
        if len(n) == 2:
            if at is not None:
                other = n[1 - at]
                return (other, n[at], None) if other > 31 else (None, n[at], other)
            if n[0] > 31:
                return n[0], n[1], None
            if n[1] > 31:
                return n[1], n[0], None
            return (None, n[1], n[0]) if dayfirst and n[1] <= 12 else (None, n[0], n[1])
        if at == 0:
            return (n[1], n[0], n[2]) if n[1] > 31 else (n[2], n[0], n[1])
        if at == 1:
            return (n[0], n[1], n[2]) if n[0] > 31 else (n[2], n[1], n[0])
        if at == 2:
            return (n[1], n[2], n[0]) if n[1] > 31 else (n[0], n[2], n[1])
        if n[0] > 31 or self.year_at == 0:
            return (n[0], n[2], n[1]) if dayfirst and n[2] <= 12 else (n[0], n[1], n[2])
        if n[0] > 12 or dayfirst and n[1] <= 12:
            return n[2], n[1], n[0]
        return n[2], n[0], n[1]


def _seconds(token):
    whole, _, part = token.partition(".")
    return int(whole), int(part.ljust(6, "0")[:6]) if part else 0


def loosely(text, dayfirst, default):
    """A date as dateutil reads it: parts that aren't written come from `default`."""
    tokens, date, time, i = split(text), _Date(), {}, 0
    half = None
    while i < len(tokens):
        token = tokens[i]
        after = tokens[i + 1] if i + 1 < len(tokens) else ""
        low = token.lower()
        if token[0].isdigit():
            whole = token.partition(".")[0]
            if after == ":" and i + 2 < len(tokens):
                time["hour"] = int(token)
                time["minute"] = int(tokens[i + 2])
                i += 2
                if tokens[i + 1:i + 2] == [":"] and i + 2 < len(tokens):
                    time["second"], time["microsecond"] = _seconds(tokens[i + 2])
                    i += 2
            elif len(date.numbers) == 3 and len(whole) in (4, 6) and not time:
                time = {"hour": int(token[:2]), "minute": int(token[2:4])}
                if len(whole) == 6:
                    time["second"], time["microsecond"] = _seconds(token[4:])
            elif len(token) in (8, 12, 14):
                for part, label in ((token[:4], "year"), (token[4:6], None), (token[6:8], None)):
                    date.add(part, label)
                if len(token) > 8:
                    time = {"hour": int(token[8:10]), "minute": int(token[10:12]), "second": int(token[12:14] or 0)}
            elif len(whole) == 6 and "." not in token:
                for part in (token[:2], token[2:4], token[4:]):
                    date.add(part)
            elif after.lower() in HALVES or (after == " " and tokens[i + 2:i + 3] and tokens[i + 2].lower() in HALVES):
                time["hour"] = int(token)
            elif "." in token:
                raise _Unknown
            else:
                date.add(token)
        elif low in DAYS or low in JUMPS and low not in HALVES:
            pass
        elif low in MONTHS:
            date.add(MONTHS[low], "month")
        elif low in HALVES and "hour" in time and half is None:
            half = HALVES[low]
            if not 0 < time["hour"] <= 12 and not (half == 0 and time["hour"] <= 12):
                raise _Unknown
        else:
            raise _Unknown
        i += 1
    year, month, day = date.resolved(dayfirst)
    if not date.numbers and not time:
        raise _Unknown
    if half is not None:
        time["hour"] = time["hour"] % 12 + 12 * half
    if year is not None and year < 100 and date.year_at is None:
        now = datetime.datetime.now().year
        year += now // 100 * 100
        year += 100 if year < now - 50 else -100 if year >= now + 50 else 0
    parts = {"year": year, "month": month, "day": day, **time}
    for name, low, high in (("month", 1, 12), ("hour", 0, 23), ("minute", 0, 59), ("second", 0, 59)):
        if parts.get(name) is not None and not low <= parts[name] <= high:
            raise ValueError(f"{name} must be in {low}..{high}")
    if day is not None and month is not None and not 1 <= day <= calendar.monthrange(year or default.year, month)[1]:
        raise ValueError("day is out of range for month")
    return default.replace(**{name: x for name, x in parts.items() if x is not None})


def parsed(text, dayfirst=False, iso=True):
    """A date from a string of any form that pandas knows; None for a missing one."""
    text = text.strip()
    if text in MISSING:
        return None
    if text in ("now", "today"):
        return datetime.datetime.now()
    found = (_iso(text) if iso else None) or _delimited(text, dayfirst)
    if found:
        return found
    if re.fullmatch(r"-?\d+\.\d+|\d", text):
        raise ValueError(f'Given date string "{text}" not likely a datetime')
    quarter = re.fullmatch(r"(\d{4})[-/]?[qQ]([1-4])", text) or re.fullmatch(r"[qQ]([1-4])[-/]?(\d{4})", text)
    if quarter:
        from .errors import warn_later

        warn_later(
            f"Parsing '{text}' as a quarterly string is deprecated and will be removed in a future version. "
            f"Use pd.Period('{text}').to_timestamp(), or a PeriodIndex for indexing, instead.")
        year, number = sorted(map(int, quarter.groups()), reverse=True)
        return datetime.datetime(year, 3 * number - 2, 1)
    if re.search(r"\d(Z|[+-]\d{2}:?\d{2}|\s(UTC|GMT))$", text) and ":" in text:
        raise NotImplementedError(f"pandas: time zones, as in {text!r}")
    # A time without a date is today's.
    only_time = re.fullmatch(r"\d?\d:\d\d(:\d\d(\.\d+)?)?(\s*[aApP][mM])?", text)
    default = datetime.datetime.combine(datetime.date.today() if only_time else datetime.date(1, 1, 1), datetime.time())
    try:
        return loosely(text, dayfirst, default)
    except _Unknown:
        raise DateParseError(f"Unknown datetime string format, unable to parse: {text}") from None
    except ValueError as error:
        raise DateParseError(f"{error}: {text}") from None


_FORMS = (
    (("year", "month", "day", "hour", "minute", "second"), "%Y%m%d%H%M%S", 0),
    (("year", "month", "day", "hour", "minute"), "%Y%m%d%H%M", 0),
    (("year", "month", "day"), "%Y%m%d", 0),
    (("hour", "minute", "second"), "%H%M%S", 0),
    (("hour", "minute"), "%H%M", 0),
    (("year",), "%Y", 0),
    (("month",), "%B", 0),
    (("month",), "%b", 0),
    (("month",), "%m", 2),
    (("day",), "%d", 2),
    (("hour",), "%H", 2),
    (("minute",), "%M", 2),
    (("second",), "%S", 2),
    (("second", "microsecond"), "%S.%f", 0),
    (("weekday",), "%a", 0),
    (("weekday",), "%A", 0),
    (("half",), "%p", 0),
)


def _filled(token, width):
    if not re.fullmatch(r"\d+\.\d+", token):
        return token.zfill(width)
    seconds, _, part = token.partition(".")
    return f"{int(seconds):02d}.{part.ljust(9, '0')[:6]}"


def guessed(text, dayfirst=False):
    """The form that a date is written in, as `strptime` takes it, or None where none describes it exactly."""
    text = text.strip()
    try:
        date = loosely(text, dayfirst, datetime.datetime(1970, 1, 1))
    except ValueError:
        return None
    tokens = split(text)
    forms, found = [None] * len(tokens), set()
    order = sorted(_FORMS, key=lambda form: form[1] != "%d") if dayfirst else _FORMS
    for parts, form, width in order:
        if found & set(parts):
            continue
        written = date.strftime(form)
        for i, token in enumerate(tokens):
            if forms[i] is None and _filled(token, width) == written:
                forms[i], tokens[i] = form, written
                found.update(parts)
                break
    whole = {"year", "month", "day"} <= found
    if not whole and forms != ["%Y"] and not (forms == ["%Y", None, "%m"] and tokens[1] == "-"):
        return None
    if any(form is None and token[0].isdigit() for form, token in zip(forms, tokens)):
        return None
    if "%p" in forms:
        forms = ["%I" if form == "%H" else form for form in forms]
    form = "".join(token if form is None else form for form, token in zip(forms, tokens))
    try:
        datetime.datetime.strptime(text, form)
    except ValueError:
        return None
    if date.strftime(form) != "".join(tokens):
        return None
    day, month = form.find("%d"), form.find("%m")
    if day >= 0 and month >= 0 and (day < month) != bool(dayfirst):
        _warn_order(form, dayfirst)
    return form


def strictly(text, form):
    """A date in exactly this form."""
    if form == "ISO8601":
        found = _iso(text)
        if found is None:
            raise ValueError(f"Time data {text} is not ISO8601 format{ADVICE}")
        return found
    try:
        return datetime.datetime.strptime(text, form)
    except ValueError as error:
        if re.match("day .*range", str(error)):
            raise ValueError(f"day is out of range for month{ADVICE}") from None
        said = f'time data "{text}" doesn\'t match format "{form}"'
        for end in range(len(text) - 1, 0, -1):
            try:
                datetime.datetime.strptime(text[:end], form)
            except ValueError:
                continue
            said = f'unconverted data remains when parsing with format "{form}": "{text[end:]}"'
            break
        raise ValueError(f"{said}{ADVICE}") from None

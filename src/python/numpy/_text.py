"""Arrays and numbers as NumPy prints them."""

import math
import struct

_DEFAULTS = {"precision": 8, "threshold": 1000, "edgeitems": 3, "linewidth": 75, "suppress": False, "nanstr": "nan",
             "infstr": "inf", "sign": "-", "floatmode": "maxprec", "formatter": None, "legacy": False}
options = dict(_DEFAULTS)


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, nanstr=None,
                     infstr=None, formatter=None, sign=None, floatmode=None, **others):
    """Says how arrays are printed; what is not named stays as it is."""
    if floatmode not in (None, "maxprec") or sign not in (None, "-") or others:
        raise NotImplementedError("numpy.set_printoptions(floatmode=, sign=, legacy=, override_repr=)")
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth,
             "suppress": suppress, "nanstr": nanstr, "infstr": infstr}
    options.update({name: value for name, value in given.items() if value is not None})
    options["formatter"] = formatter


def get_printoptions():
    return dict(options)


class printoptions:
    """Other options inside a `with` block."""

    def __init__(self, **changed):
        self._changed = changed

    def __enter__(self):
        self._before = dict(options)
        set_printoptions(**self._changed)
        return dict(options)

    def __exit__(self, *exc):
        options.update(self._before)


# ---- numbers ---------------------------------------------------------------------------------------------------------


def shortest(value, size):
    """The fewest digits that read back as the same number of `size` bytes: digits, and the exponent of the first."""
    if size == 8:
        text = repr(abs(value))
    else:
        code, fewest = ("f", 6) if size == 4 else ("e", 3)
        for count in range(1, fewest + 4):
            text = f"{abs(value):.{count - 1}e}"
            try:
                if struct.unpack(code, struct.pack(code, float(text)))[0] == abs(value):
                    break
            except OverflowError:
                pass
    mantissa, _, exponent = text.partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + fraction
    point = len(whole) + int(exponent or 0)
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    stripped = stripped.rstrip("0")
    return (stripped, point - 1) if stripped else ("0", 0)


def _sign(value):
    return "-" if math.copysign(1.0, value) < 0 else ""


def positional(value, size, precision):
    """`(whole, fraction)` with at most `precision` digits after the point, none of them a trailing zero."""
    digits, exponent = shortest(value, size)
    fraction = len(digits) - 1 - exponent
    if fraction > precision:
        text = f"{abs(value):.{precision}f}"
        whole, _, rest = text.partition(".")
        return _sign(value) + whole, rest.rstrip("0")
    if exponent < 0:
        return _sign(value) + "0", "0" * (-exponent - 1) + digits if digits != "0" else ""
    digits = digits.ljust(exponent + 1, "0")
    return _sign(value) + digits[:exponent + 1], digits[exponent + 1:]


def scientific(value, size, precision):
    """`(whole, fraction, exponent)`, the exponent with its sign."""
    digits, exponent = shortest(value, size)
    if len(digits) - 1 > precision:
        text = f"{abs(value):.{precision}e}"
        mantissa, _, power = text.partition("e")
        whole, _, fraction = mantissa.partition(".")
        return _sign(value) + whole, fraction.rstrip("0"), power
    return _sign(value) + digits[0], digits[1:], f"{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def scalar(value, dtype):
    """`str()` of one of NumPy's numbers."""
    if dtype.kind != "f":
        return str(value)
    if not math.isfinite(value):
        return "nan" if value != value else _sign(value) + "inf"
    limit = {8: 1e16, 4: 1e6, 2: 1e3}[dtype.itemsize]
    if value == 0 or 1e-4 <= abs(value) < limit:
        whole, fraction = positional(value, dtype.itemsize, 1000)
        return f"{whole}.{fraction or '0'}"
    whole, fraction, power = scientific(value, dtype.itemsize, 1000)
    return f"{whole}.{fraction}e{power}" if fraction else f"{whole}e{power}"


class _Reals:
    """Shows floats so that their points line up."""

    def __init__(self, values, dtype):
        self.size = dtype.itemsize
        finite = [v for v in values if math.isfinite(v)]
        telling = [abs(v) for v in finite if v != 0]
        precision = options["precision"]
        self.scientific = bool(telling) and (
            max(telling) >= 1e8 or not options["suppress"] and (min(telling) < 1e-4 or max(telling) / min(telling) > 1000))
        self.precision = precision
        self.left = self.right = 0
        if finite and self.scientific:
            parts = [scientific(v, self.size, precision) for v in finite]
            self.precision = max(len(p[1]) for p in parts)
            self.left = max(len(p[0]) for p in parts)
            self.power = max(len(p[2]) for p in parts)
            self.right = self.power + 1 + self.precision
        elif finite:
            parts = [positional(v, self.size, precision) for v in finite]
            self.left = max(len(p[0]) for p in parts)
            self.right = max(len(p[1]) for p in parts)
        if len(finite) < len(values):
            after = self.right + 1
            negative = any(v == -math.inf for v in values)
            self.left = max(self.left, len(options["nanstr"]) - after, len(options["infstr"]) + negative - after)

    def __call__(self, value):
        if not math.isfinite(value):
            text = options["nanstr"] if value != value else _sign(value) + options["infstr"]
            return text.rjust(self.left + self.right + 1)
        if self.scientific:
            # Digits beyond the shortest are the number's own, not zeros.
            mantissa, _, power = f"{value:.{self.precision}e}".partition("e")
            whole, _, fraction = mantissa.partition(".")
            power = power[0] + power[1:].rjust(self.power - 1, "0")
            return f"{whole.rjust(self.left)}.{fraction}e{power}"
        whole, fraction = positional(value, self.size, self.precision)
        return f"{whole.rjust(self.left)}.{fraction.ljust(self.right)}"


def _formatter(values, dtype, ndim):
    given = options["formatter"] or {}
    names = {"f": ("float", "float_kind"), "i": ("int", "int_kind"), "u": ("int", "int_kind"), "b": ("bool",),
             "U": ("str_kind", "numpystr")}[dtype.kind]
    for name in names + ("all",):
        if name in given:
            return given[name]
    if dtype.kind == "f":
        return _Reals(values, dtype)
    if dtype.kind == "U":
        return repr
    if ndim == 0:
        return str
    width = 5 if dtype.kind == "b" else max((len(str(v)) for v in values), default=0)
    return lambda value: str(value).rjust(width)


# ---- arrays ----------------------------------------------------------------------------------------------------------


def _ends(nested, depth, edge):
    """The elements that a shortened array shows."""
    if depth == 0:
        return [nested]
    parts = nested if edge is None or len(nested) <= 2 * edge else nested[:edge] + nested[-edge:]
    return [v for part in parts for v in _ends(part, depth - 1, edge)]


def body(array, separator, prefix, suffix="", linewidth=None):
    """The bracketed elements; every line but the first is indented by the length of `prefix`."""
    nested, ndim = array.tolist(), array.ndim
    edge = options["edgeitems"] if array.size > options["threshold"] else None
    show = _formatter(_ends(nested, ndim, edge), array.dtype, ndim)
    if ndim == 0:
        return show(nested)
    width = (options["linewidth"] if linewidth is None else linewidth) - len(suffix)

    def rows(part, axes, indent, width):
        count = len(part)
        cut = edge is not None and 2 * edge < count
        shown = part[:edge] + [None] + part[-edge:] if cut else part
        if axes == 1:
            lines, line = [], indent
            room = width - max(len(separator.rstrip()), 1)
            for i, item in enumerate(shown):
                last = i == len(shown) - 1
                word = "..." if cut and i == edge else show(item)
                if len(line) + len(word) > room and len(line) > len(indent):
                    lines.append(line.rstrip())
                    line = indent
                line += word + ("" if last else separator)
            lines.append(line)
            text = "\n".join(lines)
        else:
            between = separator.rstrip() + "\n" * (axes - 1)
            texts = ["..." if cut and i == edge else rows(item, axes - 1, indent + " ", width - 1)
                     for i, item in enumerate(shown)]
            text = between.join(indent + t for t in texts)
        return "[" + text[len(indent):] + "]"

    # Inside each bracket there is one column less, and one more of indentation.
    return rows(nested, ndim, " " * (len(prefix) + 1), width)


def array_repr(array):
    prefix = "array("
    width = options["linewidth"]
    empty = array.size == 0
    shortened = array.size > options["threshold"]
    text = "[]" if empty else body(array, ", ", prefix, ")")
    extras = []
    if empty and array.shape != (0,) or shortened:
        extras.append(f"shape={array.shape}")
    kind = array.dtype.name
    if kind not in ("float64", "int64", "bool") or empty:
        extras.append(f"dtype={array.dtype.str!r}" if array.dtype.kind == "U" else f"dtype={kind}")
    text = prefix + text
    if not extras:
        return text + ")"
    last = len(text) - (text.rfind("\n") + 1)
    tail = ", ".join(extras) + ")"
    spacer = "\n" + " " * len(prefix) if last + len(tail) + 1 > width else " "
    return text + "," + spacer + tail


def array_str(array):
    if array.ndim == 0:
        return array.item() if array.dtype.kind == "U" else scalar(array.item(), array.dtype)
    return "[]" if array.size == 0 else body(array, " ", "")


def array2string(a, max_line_width=None, precision=None, suppress_small=None, separator=" ", prefix="", suffix="",
                 threshold=None, edgeitems=None, formatter=None, **others):
    import numpy
    a = numpy.asarray(a)
    changed = {"precision": precision, "suppress": suppress_small, "threshold": threshold, "edgeitems": edgeitems}
    with printoptions(formatter=formatter, **{k: v for k, v in changed.items() if v is not None}):
        return "[]" if a.size == 0 else body(a, separator, prefix, suffix, max_line_width)

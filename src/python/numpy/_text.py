"""Arrays and numbers as NumPy prints them."""

import math
import struct

from numpy._types import generic

_DEFAULTS = {"edgeitems": 3, "threshold": 1000, "floatmode": "maxprec", "precision": 8, "suppress": False, "linewidth": 75,
             "nanstr": "nan", "infstr": "inf", "sign": "-", "formatter": None, "legacy": False, "override_repr": None}
options = dict(_DEFAULTS)


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, nanstr=None,
                     infstr=None, formatter=None, sign=None, floatmode=None, *, legacy=None, override_repr=None):
    """Says how arrays are printed; what is not named stays as it is."""
    if legacy not in (None, False, "1.21", "1.25", "2.1", "2.2"):
        raise NotImplementedError(f"numpy.set_printoptions(legacy={legacy!r})")
    if precision is not None and (isinstance(precision, (str, float)) or not hasattr(precision, "__index__")):
        raise TypeError("precision must be an integer")
    if threshold is not None and not isinstance(threshold, (int, float, generic)):
        raise TypeError("threshold must be numeric")
    if threshold is not None and threshold != threshold:
        raise ValueError("threshold must be non-NAN, try sys.maxsize for untruncated representation")
    if floatmode not in (None, "fixed", "unique", "maxprec", "maxprec_equal"):
        raise ValueError("floatmode option must be one of \"fixed\", \"unique\", \"maxprec\", or \"maxprec_equal\"")
    if sign not in (None, " ", "+", "-"):
        raise ValueError("sign option must be one of ' ', '+', or '-'")
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth,
             "suppress": suppress, "nanstr": nanstr, "infstr": infstr, "floatmode": floatmode,
             "sign": sign, "legacy": legacy, "override_repr": override_repr}
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
    if dtype.kind == "c":
        size = dtype.itemsize // 2
        imag = _one(value.imag, size)
        if value.real == 0 and math.copysign(1.0, value.real) > 0:
            return imag.removesuffix(".0") + "j"
        imag = imag if imag[0] == "-" else "+" + imag
        return f"({_one(value.real, size).removesuffix('.0')}{imag.removesuffix('.0')}j)"
    return str(value) if dtype.kind != "f" else _one(value, dtype.itemsize)


def _one(value, size):
    if not math.isfinite(value):
        return "nan" if value != value else _sign(value) + "inf"
    limit = {8: 1e16, 4: 1e6, 2: 1e3}[size]
    if value == 0 or 1e-4 <= abs(value) < limit:
        whole, fraction = positional(value, size, 1000)
        return f"{whole}.{fraction or '0'}"
    whole, fraction, power = scientific(value, size, 1000)
    return f"{whole}.{fraction}e{power}" if fraction else f"{whole}e{power}"


class _Reals:
    """Shows floats so that their points line up."""

    def __init__(self, values, size, sign=None):
        self.size = size
        self.sign = options["sign"] if sign is None else sign
        self.mode = options["floatmode"]
        finite = [v for v in values if math.isfinite(v)]
        telling = [abs(v) for v in finite if v != 0]
        precision = 1000 if self.mode == "unique" else options["precision"]
        self.scientific = bool(telling) and (
            max(telling) >= {2: 1e3, 4: 1e6}.get(size, 1e8)
            or not options["suppress"] and (min(telling) < 1e-4 or max(telling) / min(telling) > 1000))
        self.precision, self.fill = precision, self.mode in ("fixed", "maxprec_equal")
        self.left = self.right = 0
        if finite and self.scientific:
            parts = [scientific(v, self.size, precision) for v in finite]
            if self.mode != "fixed":
                self.precision = max(len(p[1]) for p in parts)
            self.left = max(len(self._signed(p[0])) for p in parts)
            self.power = max(len(p[2]) for p in parts)
            self.right = self.power + 1 + self.precision
        elif finite:
            parts = [positional(v, self.size, precision) for v in finite]
            self.left = max(len(self._signed(p[0])) for p in parts)
            self.right = precision if self.mode == "fixed" else max(len(p[1]) for p in parts)
        if self.sign == " " and not any(_sign(v) for v in finite):
            self.left = max(self.left, 1)
        if len(finite) < len(values):
            after = self.right + 1
            negative = self.sign != "-" or any(v == -math.inf for v in values)
            self.left = max(self.left, len(options["nanstr"]) + (self.sign == "+") - after, len(options["infstr"]) + negative - after)

    def _signed(self, whole):
        return whole if whole[0] == "-" or self.sign == "-" else self.sign + whole

    def __call__(self, value):
        if not math.isfinite(value):
            plus = "+" if self.sign == "+" else ""
            text = plus + options["nanstr"] if value != value else (_sign(value) or self.sign.replace("-", "")) + options["infstr"]
            return text.rjust(self.left + self.right + 1)
        if self.scientific:
            # Digits beyond the shortest are the number's own, not zeros.
            mantissa, _, power = f"{value:.{self.precision}e}".partition("e")
            whole, _, fraction = mantissa.partition(".")
            power = power[0] + power[1:].rjust(self.power - 1, "0")
            return f"{self._signed(whole).rjust(self.left)}.{fraction}e{power}"
        whole, fraction = positional(value, self.size, self.precision)
        return f"{self._signed(whole).rjust(self.left)}.{fraction.ljust(self.right, '0' if self.fill else ' ')}"


class _Complexes:
    def __init__(self, values, size):
        self.real = _Reals([v.real for v in values], size)
        self.imag = _Reals([v.imag for v in values], size, "+")

    def __call__(self, value):
        imag = self.imag(value.imag)
        end = len(imag.rstrip())
        return self.real(value.real) + imag[:end] + "j" + imag[end:]


def _formatter(values, dtype, ndim):
    given = options["formatter"] or {}
    names = {"f": ("float", "float_kind"), "i": ("int", "int_kind"), "u": ("int", "int_kind"), "b": ("bool",),
             "U": ("str_kind", "numpystr"), "S": ("str_kind", "numpystr"), "O": ("object",),
             "c": ("complexfloat", "complex_kind")}.get(dtype.kind, ())
    for name in names + ("all",):
        if name in given:
            return given[name]
    if dtype.kind == "f":
        return _Reals(values, dtype.itemsize)
    if dtype.kind == "c":
        return _Complexes(values, dtype.itemsize // 2)
    if dtype.kind == "O":
        return lambda item: f"list({item!r})" if type(item) is list else repr(item)
    if dtype.kind in "US":
        return repr
    if dtype.kind in "mM":
        width = max(map(len, values), default=0)
        return lambda text: text.rjust(width)
    if ndim == 0:
        return str
    width = 5 if dtype.kind == "b" else max((len(str(v)) for v in values), default=0)
    signed = options["sign"] == "+" and dtype.kind == "i"
    return lambda value: (f"{value:+d}" if signed else str(value)).rjust(width)


# ---- arrays ----------------------------------------------------------------------------------------------------------


def _ends(nested, depth, edge):
    """The elements that a shortened array shows."""
    if depth == 0:
        return [nested]
    parts = nested if edge is None or len(nested) <= 2 * edge else nested[:edge] + nested[-edge:]
    return [v for part in parts for v in _ends(part, depth - 1, edge)]


def body(array, separator, prefix, suffix="", linewidth=None):
    """The bracketed elements; every line but the first is indented by the length of `prefix`."""
    nested, ndim = array._texts() if array.dtype.kind in "mM" else array.tolist(), array.ndim
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


def array_repr(array, max_line_width=None, precision=None, suppress_small=None):
    with _changed(max_line_width, precision, suppress_small):
        return _array_repr(array)


def _changed(max_line_width, precision, suppress_small, **others):
    given = {"linewidth": max_line_width, "precision": precision, "suppress": suppress_small, **others}
    return printoptions(formatter=options["formatter"], **{k: v for k, v in given.items() if v is not None})


def _array_repr(array):
    prefix = getattr(array, "_called", "array(")
    width = options["linewidth"]
    empty = array.size == 0
    shortened = array.size > options["threshold"]
    text = "[]" if empty else body(array, ", ", prefix, ")")
    extras = []
    if empty and array.shape != (0,) or shortened and options["legacy"] not in ("1.21", "1.25", "2.1"):
        extras.append(f"shape={array.shape}")
    kind = array.dtype.name
    if kind not in ("float64", "int64", "bool", "complex128") or empty:
        extras.append(f"dtype={array.dtype.str!r}" if array.dtype.kind in "US" else
                      f"dtype={kind!r}" if array.dtype.kind in "mM" else f"dtype={kind}")
    text = prefix + text
    if not extras:
        return text + ")"
    last = len(text) - (text.rfind("\n") + 1)
    tail = ", ".join(extras) + ")"
    spacer = "\n" + " " * len(prefix) if last + len(tail) + 2 > width else " "
    return text + "," + spacer + tail


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    if a.shape == ():
        return str(a[()]) if a.dtype.kind in "USOmM" else scalar(a.item(), a.dtype)
    with _changed(max_line_width, precision, suppress_small):
        return "[]" if a.size == 0 else body(a, " ", "")


def array2string(a, max_line_width=None, precision=None, suppress_small=None, separator=" ", prefix="", *, suffix="",
                 formatter=None, threshold=None, edgeitems=None, sign=None, floatmode=None, legacy=None):
    import numpy
    a = numpy.asarray(a)
    changed = {"precision": precision, "suppress": suppress_small, "threshold": threshold, "edgeitems": edgeitems, "sign": sign,
               "floatmode": floatmode}
    with printoptions(formatter=formatter, **{k: v for k, v in changed.items() if v is not None}):
        return "[]" if a.size == 0 else body(a, separator, prefix, suffix, max_line_width)


def _trimmed(text, trim):
    if trim == "k" or "." not in text:
        return text
    body, e, power = text.partition("e")
    body = body.rstrip("0")
    if trim == "-":
        body = body.rstrip(".")
    elif trim == "0" and body.endswith("."):
        body += "0"
    return body + e + power


def format_float_positional(x, precision=None, unique=True, fractional=True, trim="k", sign=False, pad_left=None,
                            pad_right=None, min_digits=None):
    if not fractional or pad_right is not None:
        raise NotImplementedError("numpy.format_float_positional(fractional=False, pad_right=)")
    size = x.dtype.itemsize if hasattr(x, "dtype") else 8
    x = float(x)
    if unique:
        whole, fraction = positional(x, size, 1000 if precision is None else precision)
    else:
        whole, _, fraction = f"{x:.{6 if precision is None else precision}f}".partition(".")
    if min_digits is not None:
        fraction = fraction.ljust(min_digits, "0")
    text = _trimmed(f"{whole}.{fraction}", trim)
    text = "+" + text if sign and x >= 0 else text
    return text if pad_left is None else " " * (pad_left - len(text.partition(".")[0])) + text


def format_float_scientific(x, precision=None, unique=True, trim="k", sign=False, pad_left=None, exp_digits=None,
                            min_digits=None):
    size = x.dtype.itemsize if hasattr(x, "dtype") else 8
    x = float(x)
    if unique:
        whole, fraction, power = scientific(x, size, 1000 if precision is None else precision)
    else:
        mantissa, _, power = f"{x:.{6 if precision is None else precision}e}".partition("e")
        whole, _, fraction = mantissa.partition(".")
    if min_digits is not None:
        fraction = fraction.ljust(min_digits, "0")
    if exp_digits is not None:
        power = power[0] + power[1:].rjust(exp_digits, "0")
    text = ("+" if sign and x >= 0 else "") + _trimmed(f"{whole}.{fraction}", trim) + "e" + power
    return text if pad_left is None else " " * (pad_left - len(text.partition(".")[0])) + text

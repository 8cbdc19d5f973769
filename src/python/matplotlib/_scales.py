"""Scales of axes. Those that the drawing doesn't know are bent here: everything is moved before it's drawn."""

import math

import numpy

from matplotlib._artists import unknown
from matplotlib._options import undrawn

_SCALES = {"linear": (), "log": ("base", "subs", "nonpositive"), "symlog": ("base", "linthresh", "subs", "linscale"),
           "logit": ("nonpositive", "one_half", "use_overline"), "asinh": ("linear_width", "base", "subs"), "function": ("functions",),
           "functionlog": ("functions", "base"), "mercator": ()}
_POWERS = str.maketrans("-0123456789", "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079")


def scale(value, options):
    """The name of a scale, and what bends it."""
    if value not in _SCALES:
        raise unknown("scale", value, list(_SCALES))
    for name in options:
        if name not in _SCALES[value]:
            kind = {"symlog": "SymmetricalLog"}.get(value, value.capitalize())
            raise TypeError(f"{kind}Scale.__init__() got an unexpected keyword argument {name!r}")
    if value == "symlog":
        return value, Symlog(**{name: given for name, given in options.items() if name != "subs"})
    if value not in ("linear", "log"):
        raise NotImplementedError(f"matplotlib: the scale '{value}'")
    if options.get("base", 10) != 10:
        undrawn("the base of a logarithmic scale")
    return value, None


class Symlog:
    """Logarithmic on both sides of a straight part from `-linthresh` to `linthresh`."""

    def __init__(self, base=10, linthresh=2, linscale=1):
        if base <= 1.0:
            raise ValueError("'base' must be larger than 1")
        if linthresh <= 0.0:
            raise ValueError("'linthresh' must be positive")
        if linscale <= 0.0:
            raise ValueError("'linscale' must be positive")
        self.base, self.edge, self.part = float(base), float(linthresh), linscale / (1.0 - base ** -1.0)

    def there(self, v):
        size = abs(v)
        if not size > self.edge:
            return v * self.part
        return math.copysign(self.edge * (self.part + math.log(size / self.edge) / math.log(self.base)), v)

    def back(self, v):
        size = abs(v)
        if not size > self.edge * self.part:
            return v / self.part
        return math.copysign(self.edge * self.base ** (size / self.edge - self.part), v)

    def ticks(self, low, high):
        """Zero, and powers of the base on both sides."""
        log = lambda v: math.log(v) / math.log(self.base)
        powers = lambda first, last: (math.floor(log(first)), math.ceil(log(last)))
        down, up = low < -self.edge, high > self.edge
        middle = (down and high >= -self.edge) or (not down and low <= self.edge) or (not down and not up)
        if low < 0 < high and not down and not up:
            return sorted({low, 0.0, high})
        left = powers(min(abs(low), abs(high)) if high < -self.edge else self.edge, abs(low) + 1) if down else (0, 0)
        right = powers(max(self.edge, low), high + 1) if up else (0, 0)
        step = max((left[1] - left[0] + right[1] - right[0] + middle) // 14, 1)
        places = [-self.base ** k for k in range(*left, step)][::-1] if down else []
        return places + ([0.0] if middle else []) + ([self.base ** k for k in range(*right, step)] if up else [])

    def text(self, v, plain=False):
        if v == 0:
            said = "0"
        else:
            power = math.log(abs(v)) / math.log(self.base)
            if abs(power - round(power)) > 1e-9:
                return "" if plain else f"{v:g}"
            sign = "-" if v < 0 else ""
            said = f"{sign}{self.base:g}^{{{round(power)}}}" if plain else sign.replace("-", "\u2212") + f"{self.base:g}" + str(round(power)).translate(_POWERS)
        return f"$\\mathdefault{{{said}}}$" if plain else said


def back(axes, ends):
    """Ends of both axes in the numbers of the data."""
    x, y = axes._bends["x"], axes._bends["y"]
    move = lambda bend, v: v if bend is None else bend.back(v)
    return (move(x, ends[0]), move(x, ends[1]), move(y, ends[2]), move(y, ends[3]))


def moved(axes, letter, ends):
    bend = axes._bends[letter]
    return ends if bend is None else tuple(None if v is None else bend.there(v) for v in ends)


def ticks(axes, letter, ends):
    """The places and texts of the ticks."""
    axis, bend = axes.xaxis if letter == "x" else axes.yaxis, axes._bends[letter]
    made = axis.marks(ends)
    if bend is None:
        return made
    if made is None:
        low, high = sorted(ends)
        places = [v for v in bend.ticks(low, high) if low <= v <= high]
        made = places, [bend.text(v) for v in places]
    places, names = made
    return [bend.there(v) for v in places], [f"{v:g}" for v in places] if names is None else names


def bent(axes, drawn):
    """What is drawn, moved along axes that are bent."""
    x, y = axes._bends["x"], axes._bends["y"]
    if x is None and y is None:
        return drawn
    if axes._twin is not None or axes._host is not None:
        raise NotImplementedError("matplotlib: a second axis beside a scale 'symlog'")
    to_x, to_y = (v.there if v is not None else float for v in (x, y))
    for spec in (spec for made in drawn for spec in made):
        (kind, of), = spec.items()
        if kind in ("line", "points", "band"):
            for name, move in (("x", to_x), *((n, to_y) for n in (("low", "high") if kind == "band" else ("y",)))):
                of[name] = [move(v) for v in of[name]]
        elif kind == "boxes":
            of["boxes"] = [(to_x(a), to_y(b), to_x(a + w) - to_x(a), to_y(b + h) - to_y(b)) for a, b, w, h in of["boxes"]]
        elif kind == "rule":
            of["at"] = (to_x if of["upright"] else to_y)(of["at"])
        elif kind == "words":
            of["x"], of["y"] = to_x(of["x"]), to_y(of["y"])
            of["arrow"] = of["arrow"] and [to_x(of["arrow"][0]), to_y(of["arrow"][1])]
        else:
            raise NotImplementedError(f"matplotlib: {kind} on a scale 'symlog'")
    return drawn


def decades(letter, low, high):
    """The ticks of a logarithmic axis."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    if not 2 <= last - first <= 8:
        raise NotImplementedError(f"matplotlib: get_{letter}ticks of a logarithmic axis of less than two powers of ten, or of many")
    return 10.0 ** numpy.arange(first, last + 1)

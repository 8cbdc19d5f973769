"""Where an axis has ticks, and how they're labeled."""

import math
import string

import numpy


class Locator:
    def tick_values(self, vmin, vmax):
        return numpy.array(self._places(vmin, vmax))

    def _places(self, vmin, vmax):
        raise NotImplementedError("Derived must override")


class NullLocator(Locator):
    def tick_values(self, vmin, vmax):
        return []


class FixedLocator(Locator):
    def __init__(self, locs, nbins=None):
        self.locs = numpy.asarray(locs)

    def tick_values(self, vmin, vmax):
        return self.locs


class MultipleLocator(Locator):
    def __init__(self, base=1.0, offset=0.0):
        if base <= 0:
            raise ValueError("'base' must be positive")
        self.base, self.offset = float(base), float(offset)

    def _places(self, vmin, vmax):
        low, high = sorted((vmin - self.offset, vmax - self.offset))
        first = math.ceil(low / self.base - 1e-10)
        count = int((high - first * self.base + 0.001 * self.base) // self.base)
        return [first * self.base - self.base + k * self.base + self.offset for k in range(count + 3)]


class MaxNLocator(Locator):
    """Round numbers, in at most `nbins` steps."""

    def __init__(self, nbins=10, *, steps=None, integer=False, symmetric=False, prune=None, min_n_ticks=2):
        if symmetric:
            raise NotImplementedError("matplotlib: MaxNLocator(symmetric=True)")
        if prune not in ("upper", "lower", "both", None):
            raise ValueError(f"{prune!r} is not a valid value for prune. Supported values are 'upper', 'lower', 'both', None")
        self.prune = prune
        steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10] if steps is None else list(steps)
        if steps[0] != 1:
            steps = [1, *steps]
        if steps[-1] != 10:
            steps.append(10)
        self.nbins, self.integer, self.least = nbins, integer, max(1, min_n_ticks)
        self.steps = [0.1 * s for s in steps[:-1]] + steps + [10 * steps[1]]

    def _places(self, vmin, vmax, space=9):
        low, high = sorted((float(vmin), float(vmax)))
        if high - low <= 1e-13 * max(abs(low), abs(high), 1e-300):
            low, high = (low - 0.05 * abs(low), high + 0.05 * abs(high)) if low else (-0.05, 0.05)
        count = max(min(space, 9), max(1, self.least - 1)) if self.nbins == "auto" else self.nbins
        wide, middle = high - low, (high + low) / 2
        offset = 0.0 if abs(middle) / wide < 100 else math.copysign(10.0 ** math.floor(math.log10(abs(middle))), middle)
        scale = 10.0 ** math.floor(math.log10(wide / count))
        low, high = low - offset, high - offset
        steps = [s * scale for s in self.steps]
        if self.integer:
            steps = [s for s in steps if s < 1 or abs(s - round(s)) < 0.001]
        fits = [i for i, s in enumerate(steps) if s >= (high - low) / count]
        places = []
        for i in range(fits[0] if fits else len(steps) - 1, -1, -1):
            step = steps[i]
            if self.integer and math.floor(high) - math.ceil(low) >= self.least - 1:
                step = max(1, step)
            start = low // step * step
            slack = 1e-10 if not offset else min(0.4999, max(1e-10, 10 ** (math.log10(abs(offset) / step) - 12)))
            first = _whole(low - start, step, slack, False)
            last = _whole(high - start, step, slack, True)
            places = [k * step + start for k in range(first, last + 1)]
            if sum(low <= v <= high for v in places) >= self.least:
                break
        first, last = self.prune in ("lower", "both"), self.prune in ("upper", "both")
        return [v + offset for v in places][first:len(places) - last]


def _whole(value, step, slack, above):
    """The number of steps up to a value, at most or at least; one that is nearly whole counts as whole."""
    count, rest = divmod(value, step)
    near = abs(rest / step - (0 if above else 1)) < slack
    return int(count) + (1 if near != above else 0)


class AutoLocator(MaxNLocator):
    def __init__(self):
        super().__init__("auto", steps=[1, 2, 2.5, 5, 10])


class LinearLocator(Locator):
    """The same number of ticks everywhere."""

    def __init__(self, numticks=None, presets=None):
        self.numticks = 11 if numticks is None else numticks

    def tick_values(self, vmin, vmax):
        low, high = sorted((vmin, vmax))
        return numpy.linspace(low, high, self.numticks) if self.numticks else []


class IndexLocator(Locator):
    """Every so many of counted places."""

    def __init__(self, base, offset):
        self._base, self.offset = base, offset

    def tick_values(self, vmin, vmax):
        return numpy.arange(vmin + self.offset, vmax + 1, self._base)


class LogLocator(Locator):
    """Powers of the base, and multiples of them."""

    def __init__(self, base=10.0, subs=(1.0,), *, numticks=None):
        if isinstance(subs, str):
            raise NotImplementedError(f"matplotlib: LogLocator(subs={subs!r})")
        self.base, self.subs, self.numticks = float(base), [float(v) for v in subs], numticks

    def _places(self, vmin, vmax):
        low, high = sorted((vmin, vmax))
        if low <= 0:
            raise ValueError("Data has no positive values, and therefore cannot be log-scaled.")
        log = lambda v: math.log(v) / math.log(self.base)
        first, last = math.floor(log(low) + 1e-12), math.ceil(log(high) - 1e-12)
        count = math.floor(log(high) + 1e-12) - math.ceil(log(low) - 1e-12) + 1
        most = 9 if self.numticks in (None, "auto") else self.numticks
        step = 1
        while count // step + 1 > most:
            step += 1
        if step > 1 and self.subs != [1.0]:
            return []
        powers = [self.base**k for k in range(first - step, last + (2 if self.subs == [1.0] else 1) * step, step)]
        return [p * s for p in powers for s in self.subs] if self.subs != [1.0] else powers


class AutoMinorLocator(Locator):
    """Smaller ticks between the others. They aren't drawn here."""

    def __init__(self, n=None):
        self.ndivs = n

    def between(self, major, low, high):
        """The places that part each step from one of the others to the next; five parts, or four."""
        major = numpy.unique(major)
        if len(major) < 2:
            return numpy.array([])
        step = float(major[1] - major[0])
        parts = self.ndivs
        if parts in (None, "auto"):
            mantissa = 10 ** (numpy.log10(step) % 1)
            parts = 5 if numpy.isclose(mantissa, [1.0, 2.5, 5.0, 10.0]).any() else 4
        small = step / parts
        first = float(major[0])
        least, most = round((low - first) / small), round((high - first) / small) + 1
        return numpy.arange(least, most) * small + first


class Formatter:
    def __call__(self, x, pos=None):
        raise NotImplementedError("Derived must override")


class NullFormatter(Formatter):
    def __call__(self, x, pos=None):
        return ""


class FuncFormatter(Formatter):
    def __init__(self, func):
        self.func = func

    def __call__(self, x, pos=None):
        return self.func(x, pos)


class FormatStrFormatter(Formatter):
    def __init__(self, fmt):
        self.fmt = fmt

    def __call__(self, x, pos=None):
        return self.fmt % x


class _Signed(string.Formatter):
    """Numbers with a minus sign, not a hyphen."""

    def format_field(self, value, format_spec):
        text = format(value, format_spec)
        return text.replace("-", "\N{MINUS SIGN}") if isinstance(value, (int, float)) else text


class StrMethodFormatter(Formatter):
    def __init__(self, fmt):
        self.fmt = fmt

    def __call__(self, x, pos=None):
        return _Signed().format(self.fmt, x=x, pos=pos)


class PercentFormatter(Formatter):
    def __init__(self, xmax=100, decimals=None, symbol="%", is_latex=False):
        self.xmax, self.decimals, self.symbol = xmax, decimals, symbol
        self.span = None

    def __call__(self, x, pos=None):
        share = 100.0 * (x / self.xmax)
        digits = self.decimals
        if digits is None:
            wide = 100.0 * (self.span or 0.0) / self.xmax
            digits = 0 if wide > 50 or wide <= 0 else min(max(math.ceil(2.0 - math.log10(2.0 * wide)), 0), 5)
        return f"{share:0.{int(digits)}f}{self.symbol or ''}".replace("-", "\N{MINUS SIGN}")


class ScalarFormatter(Formatter):
    """Numbers, as short as their differences allow: what an axis has by itself."""

    def __init__(self, useOffset=None, useMathText=None, useLocale=None, *, usetex=None):
        self._limits, self._scientific = (-5, 6), True

    def set_powerlimits(self, lims):
        if len(lims) != 2:
            raise ValueError("'lims' must be a sequence of length 2")
        self._limits = tuple(lims)

    def set_scientific(self, b):
        self._scientific = bool(b)

    def set_useOffset(self, val):
        pass

    set_useMathText = set_useLocale = set_useOffset

    def format_ticks(self, places):
        """The digits that tell neighbors apart."""
        places = [float(v) for v in places]
        if not places:
            return []
        wide = max(places) - min(places) if len(places) > 1 else abs(places[0])
        scale = 10.0 ** math.floor(math.log10(wide)) if wide else 1.0
        digits = max(0, 3 - math.floor(math.log10(wide))) if wide else 0
        while digits and all(abs(v - round(v, digits - 1)) < 1e-3 * scale for v in places):
            digits -= 1
        return [f"{v:.{digits}f}".replace("-", "\N{MINUS SIGN}") for v in places]

    def __call__(self, x, pos=None):
        return self.format_ticks([x])[0]


class EngFormatter(Formatter):
    """Numbers with the prefixes of units, such as k and m."""

    ENG_PREFIXES = dict(zip(range(-30, 33, 3), ("q", "r", "y", "z", "a", "f", "p", "n", "\N{MICRO SIGN}", "m", "", "k", "M", "G", "T",
                                                "P", "E", "Z", "Y", "R", "Q")))

    def __init__(self, unit="", places=None, sep=" ", *, usetex=None, useMathText=None, useOffset=False):
        self.unit, self.places, self.sep = unit, places, sep

    def __call__(self, x, pos=None):
        return self.format_data(x)

    def format_data(self, value):
        form = "g" if self.places is None else f".{self.places}f"
        sign, value = (-1, -value) if value < 0 else (1, value)
        power = int(math.floor(math.log10(value) / 3) * 3) if value else 0
        power = min(max(power, min(self.ENG_PREFIXES)), max(self.ENG_PREFIXES))
        mantissa = sign * value / 10.0**power
        if abs(float(format(mantissa, form))) >= 1000 and power < max(self.ENG_PREFIXES):
            mantissa, power = mantissa / 1000, power + 3
        ending = f"{self.ENG_PREFIXES[power]}{self.unit}"
        text = f"{mantissa:{form}}".replace("-", "\N{MINUS SIGN}")
        return f"{text}{self.sep}{ending}" if ending else text

    format_eng = format_data


class FixedFormatter(Formatter):
    def __init__(self, seq):
        self.seq = list(seq)

    def __call__(self, x, pos=None):
        return self.seq[pos] if pos is not None and pos < len(self.seq) else ""


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name.endswith(("Locator", "Formatter")):
        raise NotImplementedError(f"matplotlib.ticker.{name}")
    raise AttributeError(f"module 'matplotlib.ticker' has no attribute {name!r}")

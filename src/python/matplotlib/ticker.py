"""Where an axis has ticks, and how they're labeled."""

import math


class Locator:
    def tick_values(self, vmin, vmax):
        raise NotImplementedError("Derived must override")


class NullLocator(Locator):
    def tick_values(self, vmin, vmax):
        return []


class FixedLocator(Locator):
    def __init__(self, locs, nbins=None):
        self.locs = [float(v) for v in locs]

    def tick_values(self, vmin, vmax):
        return list(self.locs)


class MultipleLocator(Locator):
    def __init__(self, base=1.0, offset=0.0):
        if base <= 0:
            raise ValueError("'base' must be positive")
        self.base, self.offset = float(base), float(offset)

    def tick_values(self, vmin, vmax):
        low, high = sorted((vmin - self.offset, vmax - self.offset))
        first = math.ceil(low / self.base - 1e-10)
        count = int((high - first * self.base + 0.001 * self.base) // self.base)
        return [first * self.base - self.base + k * self.base + self.offset for k in range(count + 3)]


class MaxNLocator(Locator):
    """Round numbers, in at most `nbins` steps."""

    def __init__(self, nbins=10, *, steps=None, integer=False, symmetric=False, prune=None, min_n_ticks=2):
        for name, given in (("symmetric", symmetric), ("prune", prune)):
            if given:
                raise NotImplementedError(f"matplotlib: MaxNLocator({name}=)")
        steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10] if steps is None else list(steps)
        if steps[0] != 1:
            steps = [1, *steps]
        if steps[-1] != 10:
            steps.append(10)
        self.nbins, self.integer, self.least = nbins, integer, max(1, min_n_ticks)
        self.steps = [0.1 * s for s in steps[:-1]] + steps + [10 * steps[1]]

    def tick_values(self, vmin, vmax, space=9):
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
        return [v + offset for v in places]


def _whole(value, step, slack, above):
    """The number of steps up to a value, at most or at least; one that is nearly whole counts as whole."""
    count, rest = divmod(value, step)
    near = abs(rest / step - (0 if above else 1)) < slack
    return int(count) + (1 if near != above else 0)


class AutoLocator(MaxNLocator):
    def __init__(self):
        super().__init__("auto", steps=[1, 2, 2.5, 5, 10])


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


class StrMethodFormatter(Formatter):
    def __init__(self, fmt):
        self.fmt = fmt

    def __call__(self, x, pos=None):
        return self.fmt.format(x=x, pos=pos)


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

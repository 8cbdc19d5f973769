"""The two axes of a plot, with their ticks."""

from matplotlib._more import undrawn
from matplotlib._titles import Title
from matplotlib._parts import ticks_of
from matplotlib.ticker import AutoLocator, FuncFormatter, NullLocator, PercentFormatter, ScalarFormatter, StrMethodFormatter


class Axis:
    """`ax.xaxis` and `ax.yaxis`, with their ticks."""

    def __init__(self, axes, letter):
        self.axes, self.letter = axes, letter
        self.locator = self.formatter = self.minor = None

    def set_major_locator(self, locator):
        self.locator = locator
        if hasattr(self.formatter, "_set_locator"):
            self.formatter._set_locator(locator)

    def of_dates(self):
        """Chooses ticks for dates, unless the program chose others."""
        from matplotlib.dates import AutoDateFormatter, AutoDateLocator

        if self.locator is None and (self.axes._xticks if self.letter == "x" else self.axes._yticks) is None:
            self.locator = AutoDateLocator()
        if self.formatter is None:
            self.formatter = AutoDateFormatter(self.locator)

    def set_major_formatter(self, formatter):
        formatter = StrMethodFormatter(formatter) if isinstance(formatter, str) else formatter
        self.formatter = FuncFormatter(formatter) if hasattr(formatter, "__name__") else formatter

    def get_major_locator(self):
        return self.locator or AutoLocator()

    def get_major_formatter(self):
        return self.formatter or ScalarFormatter()

    def set_minor_locator(self, locator):
        undrawn("set_minor_locator")
        self.minor = locator

    def get_minor_locator(self):
        return self.minor or NullLocator()

    def get_major_ticks(self, numticks=None):
        return ticks_of(self.axes, self.letter)[:numticks]

    def get_minor_ticks(self, numticks=None):
        return ticks_of(self.axes, self.letter, True)[:numticks]

    def get_ticklocs(self, *, minor=False):
        return self.axes._places(self.letter, minor)

    def get_majorticklocs(self):
        return self.get_ticklocs()

    def get_minorticklocs(self):
        return self.get_ticklocs(minor=True)

    def get_ticklabels(self, minor=False, which=None):
        return getattr(self.axes, f"get_{self.letter}ticklabels")(minor, which)

    get_majorticklabels = get_ticklabels

    def set_minor_formatter(self, formatter):
        undrawn("set_minor_formatter")

    @property
    def label(self):
        return Title(self.axes, f"_{self.letter}label")

    def set_visible(self, visible):
        if not visible:
            getattr(self.axes, f"set_{self.letter}ticks")([])
            getattr(self.axes, f"set_{self.letter}label")("")

    def set_ticks(self, ticks, labels=None, **others):
        return getattr(self.axes, f"set_{self.letter}ticks")(ticks, labels, **others)

    def set_ticklabels(self, labels, **others):
        return getattr(self.axes, f"set_{self.letter}ticklabels")(labels, **others)

    def set_label_text(self, label, **others):
        return getattr(self.axes, f"set_{self.letter}label")(label, **others)

    def grid(self, visible=None, which="major", **options):
        self.axes.grid(visible, which, self.letter, **options)

    labelpad = 4.0

    def get_label(self):
        return self.label

    def get_label_text(self):
        return self.label.get_text()

    def set_tick_params(self, **options):
        self.axes.tick_params(self.letter, **options)

    def set_inverted(self, inverted):
        if inverted != (self.axes._inverted if self.letter == "y" else self.axes._mirrored):
            getattr(self.axes, f"invert_{self.letter}axis")()

    def set_ticks_position(self, position):
        if position not in ("bottom" if self.letter == "x" else "left", "both", "default"):
            raise NotImplementedError(f"matplotlib: ticks of the {self.letter} axis at the {position}")

    set_label_position = set_ticks_position

    def set_label_coords(self, x, y, transform=None):
        undrawn("set_label_coords")

    def tick_top(self):
        self.set_ticks_position("top")

    def tick_right(self):
        self.set_ticks_position("right")

    def tick_bottom(self):
        self.set_ticks_position("bottom")

    def tick_left(self):
        self.set_ticks_position("left")

    def marks(self, ends):
        """The places of the ticks and their labels, between two ends.

        Labels of None are the plain numbers. The result is None if the program chose no ticks.
        """
        low, high = sorted(ends)
        own = self.axes._xticks if self.letter == "x" else self.axes._yticks
        if self.locator is None and self.formatter is None:
            return own
        if self.locator is None and own is not None:
            places = own[0]
        else:
            places = list((self.locator or AutoLocator()).tick_values(low, high))
        slack = 1e-9 * (high - low)
        seen = [(i, float(v)) for i, v in enumerate(places) if low - slack <= v <= high + slack]
        if self.formatter is None:
            return [v for _, v in seen], None
        if isinstance(self.formatter, PercentFormatter):
            self.formatter.span = high - low
        return [v for _, v in seen], self.texts([v for _, v in seen], [i for i, _ in seen])

    def texts(self, places, numbers=None):
        """The labels that the formatter gives to places."""
        if hasattr(self.formatter, "format_ticks"):
            return self.formatter.format_ticks(places)
        return [str(self.formatter(v, i)) for i, v in zip(numbers or range(len(places)), places)]


class XAxis(Axis):
    """`ax.xaxis`."""


class YAxis(Axis):
    """`ax.yaxis`."""

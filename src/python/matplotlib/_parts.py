"""What axes consist of: their ticks, the artists on them and their place in a grid, for programs that ask."""

import numpy

from matplotlib import _options
from matplotlib._options import undrawn
from matplotlib._titles import TickLabel, Title
from matplotlib.ticker import AutoMinorLocator, FixedLocator, NullLocator


class Tick:
    """A tick. Its label can be asked and told; what is told about its line isn't drawn."""

    def __init__(self, axes, letter, place, label):
        self.axes, self._letter, self._place, self.label1, self.label = axes, letter, place, label, label

    def get_loc(self):
        return self._place

    def __getattr__(self, name):
        if name in ("tick1line", "tick2line", "gridline", "label2", "set_pad", "set_visible"):
            raise NotImplementedError(f"matplotlib: {name} of a tick")
        raise AttributeError(f"'{type(self).__name__}' object has no attribute {name!r}")


@_options.known_as("XTick", "axis")
class XTick(Tick):
    pass


@_options.known_as("YTick", "axis")
class YTick(Tick):
    pass


def ticks_of(axes, letter, minor=False):
    """The ticks of an axis. One that is asked for twice is the same object, until their number changes."""
    places = list(axes._places(letter, minor))
    labels = axes._tick_texts(letter) if not minor else [TickLabel(axes, letter, v, "") for v in places]
    kept = axes.__dict__.setdefault("_tick_objects", {}).setdefault((letter, minor), [])
    while len(kept) < len(places):
        kept.append((XTick if letter == "x" else YTick)(axes, letter, None, None))
    for tick, place, label in zip(kept, places, labels):
        tick._place, tick.label1, tick.label = place, label, label
    return kept[:len(places)]


def minor_places(axes, letter):
    """Where the small ticks between the others are."""
    axis = axes.xaxis if letter == "x" else axes.yaxis
    locator = axis.minor
    if locator is None and (axes._xscale if letter == "x" else axes._yscale) != "linear":
        raise NotImplementedError("matplotlib: the minor ticks of a scale that isn't linear, unless the program chose them")
    if locator is None or isinstance(locator, NullLocator):
        return numpy.array([])
    low, high = sorted(axes._limits()[0 if letter == "x" else 1])
    major = numpy.asarray(axes._places(letter), dtype=float)
    if isinstance(locator, AutoMinorLocator):
        found = locator.between(major, low, high)
    else:
        found = numpy.asarray(locator.tick_values(low, high))
    if not len(found):
        return found
    # A place that a large tick takes has no small one.
    near = 1e-5 * (high - low) / 400
    taken = [any(abs(float(v) - m) <= near for m in major.tolist()) for v in found]
    return found[~numpy.array(taken)]


class Parts:
    """Methods of `Axes` that tell what they consist of."""

    _own_label = ""
    _place_in_grid = None

    def minorticks_on(self):
        undrawn("minorticks_on")
        for axis, scale in ((self.xaxis, self._xscale), (self.yaxis, self._yscale)):
            if scale == "linear":
                axis.minor = AutoMinorLocator()

    def minorticks_off(self):
        self.xaxis.minor, self.yaxis.minor = NullLocator(), NullLocator()

    def _set_minor_ticks(self, letter, ticks, labels):
        (self.xaxis if letter == "x" else self.yaxis).minor = FixedLocator(ticks)
        if len(ticks):
            undrawn("a minor tick")
        if labels is not None:
            undrawn("the label of a minor tick")
        return ticks_of(self, letter, True)

    def get_figure(self, root=False):
        return self.figure

    def set_axis_off(self):
        self._shown = False

    def get_label(self):
        return self._own_label

    def set_label(self, s):
        self._own_label = str(s)

    def add_collection(self, collection, autolim=True):
        from matplotlib._artists import Artist

        if not isinstance(collection, Artist):
            raise NotImplementedError(f"matplotlib: add_collection({type(collection).__name__})")
        self.artists.append(collection)
        return collection

    def get_subplotspec(self):
        return self._place_in_grid

    def get_gridspec(self):
        return None if self._place_in_grid is None else self._place_in_grid.get_gridspec()

    def get_children(self):
        from matplotlib._artists import Boxes
        from matplotlib.patches import Rectangle

        drawn = []
        for artist in self.artists:
            if isinstance(artist, Boxes):
                drawn += artist.patches
            elif not getattr(artist, "hidden", False):
                drawn.append(artist)
        legend = self.get_legend()
        titles = [Title(self, name) for name in ("_title", "_title_left", "_title_right")]
        patch = Rectangle((0.0, 0.0), 1.0, 1.0, facecolor=self._face)
        return [*drawn, *self.spines.values(), self.xaxis, self.yaxis, *titles, *([] if legend is None else [legend]), patch]

"""The contents of a set of axes. Their appearance is computed from `spec` when they're drawn."""

import math

import numpy

from matplotlib._options import Worded, font, known_as
from matplotlib.colors import colormap, to_hex

_STYLES = {"-": "solid", "--": "dashed", ":": "dotted", "-.": "dashdot", "": "none", " ": "none", "None": "none", None: "none"}
MARKERS = ".,ov^<>sdDx+|_*"


def values(x):
    """Floats of a list, an array or a tensor; tensors on a device raise as `Tensor.numpy` does."""
    if isinstance(x, (list, tuple)) and all(type(v) in (int, float) for v in x):
        return [float(v) for v in x]
    if isinstance(x, (range, map, zip)) or hasattr(x, "__next__"):
        x = list(x)
    given = numpy.asarray(unmasked(x)).reshape(-1)
    if are_dates(given):
        from matplotlib.dates import date2num

        given = date2num(given)
    return [math.nan if v is None else float(v) for v in given.tolist()]


def are_whole(*given):
    """Whether each of these is whole numbers."""
    return tuple(getattr(numpy.asarray(x).dtype, "kind", "f") in "iu" for x in given)


def unmasked(x):
    """A masked array with NaN for what is masked; anything else as it is."""
    return x.astype(float).filled(math.nan) if hasattr(x, "filled") and numpy.ma.is_masked(x) else x


def are_dates(x):
    """Whether the first of these that is there is a date."""
    import datetime

    kind = getattr(getattr(x, "dtype", None), "kind", "O")
    if kind != "O":
        return kind == "M"
    if isinstance(x, str) or not hasattr(x, "__iter__"):
        return isinstance(x, datetime.date)
    first = next((v for v in x if v is not None), None)
    return isinstance(first, datetime.date) or getattr(getattr(first, "dtype", None), "kind", None) == "M"


def marker(kind):
    """The letter of a marker; None if there is none."""
    if kind in (None, "", " ", "None", "none"):
        return None
    if not isinstance(kind, str) or len(kind) != 1 or kind not in MARKERS:
        raise ValueError(f"Unrecognized marker style {kind!r}")
    return kind


def line_style(style):
    """The name of a line style."""
    name = _STYLES.get(style, style) if isinstance(style, (str, type(None))) else style
    if name not in _STYLES.values():
        raise unknown("ls", style, ["-", "--", "-.", ":", "None", " ", "", "solid", "dashed", "dashdot", "dotted"])
    return name


def unknown(name, given, known):
    """The error for a word that isn't one of more than five; it names those that look like it."""
    from difflib import get_close_matches

    near = get_close_matches(given, known, cutoff=0.5) if isinstance(given, str) else []
    listed = ", ".join(map(repr, near or known))
    hint = f" Did you mean{' one of' if len(near) > 1 else ''}: {listed}?" if near else "" if isinstance(given, str) else \
        f" Supported values are {listed}"
    return ValueError(f"{given!r} is not a valid value for {name}.{hint}")


def stroke(color, width, style="solid", alpha=None):
    return {"color": color, "width": float(width), "style": style, "alpha": _share(alpha)}


def mapping(cmap, low, high, numbers):
    """Numbers and the map that gives their colors; the colors themselves for a map that was made here."""
    made = colormap(cmap)
    if hasattr(made, "colors") or not made._plain:
        seen = [v for v in numbers if math.isfinite(v)]
        low = min(seen, default=0.0) if low is None else float(low)
        high = max(seen, default=1.0) if high is None else float(high)
        empty = to_hex(made._bad) if made._bad[3] else "#ffffff"
        return [to_hex(made((v - low) / (high - low) if high > low else 0.0)) if math.isfinite(v) else empty for v in numbers]
    return {"name": colormap(cmap).name, "values": numbers,
            "ends": [None if low is None else float(low), None if high is None else float(high)]}


def pixels(colors):
    """Red, green and blue of each color, from 0 to 255."""
    return [float(int(color[i:i + 2], 16)) for color in colors for i in (1, 3, 5)]


def ends_of(norm, low, high):
    """The numbers at the two ends of a map."""
    if norm is None:
        return low, high
    if type(norm).__name__ != "Normalize":
        raise NotImplementedError(f"matplotlib: norm={type(norm).__name__}()")
    return norm.vmin, norm.vmax


def _share(alpha):
    return None if alpha is None else float(alpha)


class Artist:
    """Something drawn, with a label for the legend."""

    label = None
    mapping = None
    # Whether it's drawn for the sake of a color scale alone.
    hidden = False
    axes = figure = None
    _visible, layer, _order = True, None, 1

    def get_visible(self):
        return self._visible

    def set_visible(self, b):
        self._visible = bool(b)

    def get_zorder(self):
        return self._order if self.layer is None else self.layer

    def set_zorder(self, level):
        self.layer = level

    def set(self, **options):
        made = []
        for name, value in options.items():
            setter = getattr(self, f"set_{name}", None)
            if setter is None:
                raise AttributeError(f"{type(self).__name__}.set() got an unexpected keyword argument {name!r}")
            made.append(setter(value))
        return made

    def update(self, options):
        return self.set(**options)

    def set_label(self, label):
        self.label = label

    def get_label(self):
        if self.label is None and self in self.axes.artists:
            return f"_child{self.axes.artists.index(self)}"
        return self.label

    def remove(self):
        self.axes.artists.remove(self)

    def _name(self):
        return None if self.label is None else str(self.label).replace("$\\mathdefault{", "").removesuffix("}$") \
            if "mathdefault" in str(self.label) else str(self.label)


class Cycled(str):
    """A color that the cycle chose, not the program."""


def cycled(axes):
    """The next color of the cycle; it's marked, unless the program chose the cycle's colors."""
    from matplotlib.colors import CYCLE, ORDER

    return Cycled(axes._next_color()) if axes._colors is None and CYCLE == ORDER else axes._next_color()


class Inked(Artist):
    """What has one color. It can be read as it was given."""

    @property
    def color(self):
        return self._hex

    @color.setter
    def color(self, given):
        from matplotlib import _options
        from matplotlib.colors import to_rgb

        self._hex = str(_options.color(given))
        self._ink = to_rgb(given) if isinstance(given, Cycled) else given

    def get_color(self):
        return self._ink

    def set_color(self, color):
        self.color = color


def places_of_markers(every):
    """`markevery`, if it is one that can be drawn."""
    if isinstance(every, (float, numpy.floating)) or isinstance(every, tuple) and any(isinstance(x, float) for x in every):
        raise NotImplementedError("matplotlib: markevery= of a share of the line; whole numbers, slices and lists are here")
    return every


@known_as("Line2D", "lines")
class Line2D(Inked):
    _order = 2
    given = every = None
    late = property(lambda self: self.every is not None and self.mark is not None)

    def __init__(self, x, y, color, width, style, mark, size, label, alpha):
        self.x, self.y, self.color, self.width, self.style = x, y, color, width, line_style(style)
        self.mark, self.size, self.label, self.alpha = marker(mark), size, label, alpha

    def __str__(self):
        return "Line2D()" if self.get_label() == "" else f"Line2D({self.get_label()})"

    def get_xdata(self, orig=True):
        return numpy.array(self.x if self.given is None or not orig else self.given[0])

    def get_ydata(self, orig=True):
        return numpy.array(self.y if self.given is None or not orig else self.given[1])

    def set_data(self, x, y):
        x, y, self.given = values(x), values(y), None
        if len(x) != len(y):
            raise ValueError(f"x and y must have same first dimension, but have shapes ({len(x)},) and ({len(y)},)")
        self.x, self.y = x, y

    def get_markerfacecolor(self):
        return self._ink

    get_markeredgecolor = get_mfc = get_mec = get_markerfacecolor

    def _undrawn(self, value):
        from matplotlib._options import undrawn

        undrawn("the color of markers, apart from that of their line,")

    set_markerfacecolor = set_markeredgecolor = set_mfc = set_mec = _undrawn

    def set_xdata(self, x):
        self.x, self.given = values(x), None

    def set_ydata(self, y):
        self.y, self.given = values(y), None

    def get_data(self, orig=True):
        return self.get_xdata(orig), self.get_ydata(orig)

    def set_linewidth(self, width):
        self.width = float(width)

    def set_linestyle(self, style):
        self.style = line_style(style)

    def set_marker(self, mark):
        self.mark = marker(mark)

    def set_alpha(self, alpha):
        self.alpha = alpha

    def set_markersize(self, size):
        self.size = float(size)

    def get_linestyle(self):
        return {"solid": "-", "dashed": "--", "dashdot": "-.", "dotted": ":", "none": "None"}[self.style]

    def get_linewidth(self):
        return float(self.width)

    def get_marker(self):
        return "None" if self.mark is None else self.mark

    def get_markevery(self):
        return self.every

    def set_markevery(self, every):
        self.every = places_of_markers(every)

    def specs(self, ends, axes):
        """The line, and the markers at some of its points."""
        line, every = self.spec(), self.every
        if isinstance(every, (int, numpy.integer)):
            every = slice(None, None, int(every))
        elif isinstance(every, tuple) and len(every) == 2:
            every = slice(every[0], None, every[1])
        some = [numpy.asarray(v)[every].tolist() for v in (self.x, self.y)]
        line["line"]["marker"] = None
        return [line, Line2D(*some, self.color, self.width, "", self.mark, self.size, None, self.alpha).spec()]

    def get_markersize(self):
        return float(self.size)

    def get_alpha(self):
        return self.alpha

    def get_xydata(self):
        return numpy.column_stack((self.x, self.y))

    get_ms, set_ms = get_markersize, set_markersize

    def spec(self):
        return {"line": {"x": self.x, "y": self.y, "stroke": stroke(self.color, self.width, self.style, self.alpha),
                         "marker": self.mark, "size": float(self.size), "label": self._name()}}


@known_as("PathCollection", "collections")
class Points(Artist):
    """`scatter`: markers, each with its own color and size."""

    def set_offsets(self, offsets):
        places = numpy.asarray(offsets, dtype=float).reshape(-1, 2)
        self.x, self.y = places[:, 0].tolist(), places[:, 1].tolist()

    def set_sizes(self, sizes, dpi=72.0):
        self.sizes = values(sizes)
        self.exact = numpy.asarray(sizes).reshape(-1)

    exact = None
    # The numbers at the ends of a map whose colors were given, not computed here.
    ends = (None, None)

    def set_clim(self, vmin=None, vmax=None):
        if not isinstance(self.mapping, dict):
            raise NotImplementedError("matplotlib: set_clim of markers that have no color map")
        AxesImage.set_clim(self, vmin, vmax)

    def get_cmap(self):
        return colormap(self.mapping["name"] if isinstance(self.mapping, dict) else None)

    def set_cmap(self, cmap):
        if not isinstance(self.mapping, dict):
            raise NotImplementedError("matplotlib: set_cmap of markers that have no color map")
        self.mapping = {**self.mapping, "name": colormap(cmap).name}

    def set_facecolor(self, color):
        self.colors, self.mapping = [to_hex(color)], None

    set_color = set_facecolors = set_facecolor

    def set_edgecolor(self, color):
        self.edge = None if isinstance(color, str) and color in ("face", "none") else to_hex(color)

    def set_alpha(self, alpha):
        self.alpha = alpha

    def set_array(self, numbers):
        if not isinstance(self.mapping, dict):
            raise NotImplementedError("matplotlib: set_array of markers that have no color map")
        self.mapping = {**self.mapping, "values": values(numbers)}

    def get_offsets(self):
        return numpy.ma.array(numpy.column_stack((self.x, self.y)), mask=numpy.zeros((len(self.x), 2), dtype=bool))

    def get_sizes(self):
        return numpy.array([float(v) for v in self.sizes] if self.exact is None else self.exact)

    def get_array(self):
        return numpy.ma.array(self.mapping["values"]) if isinstance(self.mapping, dict) else None

    def get_clim(self):
        return AxesImage.get_clim(self) if isinstance(self.mapping, dict) else self.ends

    def legend_elements(self, prop="colors", num="auto", fmt=None, func=lambda x: x, **options):
        """A marker and a label for each of the numbers that give the colors, for `legend`."""
        found = sorted(set(self.mapping["values"])) if isinstance(self.mapping, dict) else []
        if prop != "colors" or fmt is not None or num is not None and (num != "auto" or len(found) > 9) or not found:
            raise NotImplementedError("matplotlib: legend_elements of sizes, of more than nine numbers or with num=")
        (low, high), shown = self.get_clim(), [float(func(v)) for v in found]
        paint, digits = colormap(self.mapping["name"]), next(d for d in range(18) if all(abs(round(v, d) - v) < 1e-9 for v in shown))
        inks = [to_hex(paint((v - low) / (high - low) if high > low else 0.0)) for v in found]
        made = [Line2D([0.0], [0.0], ink, 0.0, "", self.mark, 6.0, None, self.alpha) for ink in inks]
        return made, [f"$\\mathdefault{{{v:.{digits}f}}}$".replace("-", "\N{MINUS SIGN}") for v in shown]

    def get_facecolor(self):
        from matplotlib.colors import to_rgba

        return numpy.array([to_rgba(c, self.alpha) for c in self.colors if c != "none"]).reshape(-1, 4)

    def get_edgecolor(self):
        from matplotlib.colors import to_rgba

        return self.get_facecolor() if self.edge is None else numpy.array([to_rgba(self.edge, self.alpha)])

    get_facecolors, get_edgecolors = get_facecolor, get_edgecolor

    def __init__(self, x, y, sizes, colors, mark, label, alpha, edge, mapping=None):
        self.x, self.y, self.sizes, self.colors = x, y, sizes, colors
        self.mark, self.label, self.alpha, self.edge = marker(mark), label, alpha, edge
        self.mapping = mapping

    def spec(self):
        return {"points": {"x": self.x, "y": self.y, "sizes": self.sizes, "colors": self.colors, "map": self.mapping,
                           "marker": self.mark, "alpha": _share(self.alpha), "edge": self.edge, "label": self._name()}}


@known_as("BarContainer", "container")
class Boxes(Artist):
    """Bars: `(x, y, width, height)` in data coordinates, and a color for each."""

    def __init__(self, boxes, colors, label, alpha, edge, upright=True, whole=(False, False, False, False)):
        self.boxes, self.colors, self.label, self.alpha, self.edge = boxes, colors, label, alpha, edge
        # Whether the program gave whole numbers for x, y, the width and the height.
        self.upright, self.whole = upright, whole
        self.hatches = {}

    def part(self, bar, at):
        return (numpy.int64 if self.whole[at] else numpy.float64)(self.boxes[bar][at])

    def __repr__(self):
        return f"<BarContainer object of {len(self.boxes)} artists>"

    def __len__(self):
        return len(self.boxes)

    def __getitem__(self, at):
        return [Bar(self, i) for i in range(len(self.boxes))[at]] if isinstance(at, slice) else Bar(self, range(len(self.boxes))[at])

    def __iter__(self):
        return iter(self[:])

    @property
    def patches(self):
        return self[:]

    @property
    def orientation(self):
        return "vertical" if self.upright else "horizontal"

    @property
    def datavalues(self):
        return numpy.array([self.part(bar, 3 if self.upright else 2) for bar in range(len(self.boxes))])

    def spec(self):
        return {"boxes": {"boxes": self.boxes, "colors": self.colors, "alpha": _share(self.alpha), "edge": self.edge,
                          "upright": self.upright, "label": self._name()}}


@known_as("Rectangle", "patches")
class Bar:
    """One of several bars."""

    def __init__(self, of, at):
        self._of, self._at = of, at

    def __str__(self):
        return f"Rectangle(xy=({self.get_x():g}, {self.get_y():g}), width={self.get_width():g}, height={self.get_height():g}, angle=0)"

    def get_x(self):
        return self._of.part(self._at, 0)

    def get_y(self):
        return self._of.part(self._at, 1)

    def get_xy(self):
        return self.get_x(), self.get_y()

    def get_width(self):
        return self._of.part(self._at, 2)

    def get_bbox(self):
        from matplotlib._more import Place

        return Place(numpy.float64(self.get_x()), numpy.float64(self.get_y()), numpy.float64(self.get_width()), numpy.float64(self.get_height()))

    def get_height(self):
        return self._of.part(self._at, 3)

    def get_alpha(self):
        return self._of.alpha

    def get_edgecolor(self):
        from matplotlib.colors import to_rgba

        return (0.0, 0.0, 0.0, 0.0) if self._of.edge is None else to_rgba(self._of.edge, self._of.alpha)

    get_ec, get_fc = get_edgecolor, lambda self: self.get_facecolor()

    def get_visible(self):
        return self._of.get_visible()

    def set_visible(self, b):
        if bool(b) != self._of.get_visible():
            raise NotImplementedError("matplotlib: set_visible of one bar")

    def get_zorder(self):
        return self._of.get_zorder()

    def set(self, **options):
        return Artist.set(self, **options)

    def _set(self, part, value):
        self._of.whole = tuple(kept and i != part for i, kept in enumerate(self._of.whole))
        box = list(self._of.boxes[self._at])
        box[part] = float(value)
        self._of.boxes[self._at] = tuple(box)

    def set_x(self, x):
        self._set(0, x)

    def set_y(self, y):
        self._set(1, y)

    def set_width(self, w):
        self._set(2, w)

    def set_height(self, h):
        self._set(3, h)

    def set_facecolor(self, color):
        colors = self._of.colors
        self._of.colors = [colors[i % len(colors)] for i in range(len(self._of.boxes))]
        self._of.colors[self._at] = to_hex(color)

    set_color = set_facecolor

    def _undrawn(self, value):
        from matplotlib._more import undrawn

        undrawn("the edge, the hatch or the transparency of one bar")

    set_edgecolor = set_alpha = set_linewidth = _undrawn

    def set_hatch(self, hatch):
        self._undrawn(hatch)
        self._of.hatches[self._at] = hatch

    def get_hatch(self):
        return self._of.hatches.get(self._at)

    def get_center(self):
        x, y, width, height = self._of.boxes[self._at]
        return (x + width / 2, y + height / 2)

    def get_facecolor(self):
        color = self._of.colors[self._at % len(self._of.colors)]
        return (*(int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)), 1.0 if self._of.alpha is None else float(self._of.alpha))


@known_as("FillBetweenPolyCollection", "collections")
class Band(Artist):
    """`fill_between`."""

    def __init__(self, x, low, high, color, label, alpha):
        for name, of in (("y1", high), ("y2", low)):
            if len(of) != len(x):
                raise ValueError(f"'x' has size {len(x)}, but {name!r} has an unequal size of {len(of)}")
        self.x, self.low, self.high, self.color, self.label, self.alpha = x, low, high, color, label, alpha

    def get_facecolor(self):
        from matplotlib.colors import to_rgba

        return numpy.array([to_rgba(self.color, self.alpha)])

    get_edgecolor = get_fc = get_ec = get_facecolors = get_facecolor

    def set_facecolor(self, color):
        self.color = to_hex(color)

    set_color = set_fc = set_facecolor

    def set_alpha(self, alpha):
        self.alpha = alpha

    def set_edgecolor(self, color):
        from matplotlib._options import undrawn

        undrawn("the edge of a filled area")

    set_ec = set_linewidth = set_lw = set_linestyle = set_hatch = set_edgecolor

    def spec(self):
        return {"band": {"x": self.x, "low": self.low, "high": self.high, "color": self.color, "alpha": _share(self.alpha),
                         "label": self._name()}}


@known_as("Line2D", "lines")
class Rule(Inked):
    """`axhline` and `axvline`."""

    _order = 2

    def __init__(self, at, upright, color, width, style, label, alpha):
        self.at, self.upright, self.color, self.width, self.style = at, upright, color, width, line_style(style)
        self.label, self.alpha = label, alpha

    part = (0, 1)
    __str__ = Line2D.__str__

    def get_xdata(self, orig=True):
        return [self.at, self.at] if self.upright else list(self.part)

    def get_ydata(self, orig=True):
        return list(self.part) if self.upright else [self.at, self.at]

    def get_linewidth(self):
        return float(self.width)

    def specs(self, ends, axes):
        """A rule from one fraction of the axes to another."""
        if ends is None:
            return [self.spec()]
        from matplotlib._more import at_share

        low, high, log = (*ends[2:], axes._yscale == "log") if self.upright else (*ends[:2], axes._xscale == "log")
        along, across = [at_share(share, low, high, log) for share in self.part], [self.at] * 2
        return [Line2D(*((across, along) if self.upright else (along, across)), self.color, self.width, self.style, None, 0, self.label,
                       self.alpha).spec()]

    def spec(self):
        return {"rule": {"at": self.at, "upright": self.upright, "label": self._name(),
                         "stroke": stroke(self.color, self.width, self.style, self.alpha)}}


@known_as("Text", "text")
class Words(Worded, Inked):
    """`text`, at a point of the data; `arrow` is the point at which an arrow from it ends."""

    given = None

    def get_visible(self):
        return self._has().get("visible", True)

    def set_visible(self, b):
        self._has()["visible"] = bool(b)

    layer = property(lambda self: self._has().get("zorder"))

    def get_zorder(self):
        return 3 if self.layer is None else self.layer

    def set_zorder(self, level):
        self._has()["zorder"] = level

    def __init__(self, x, y, text, size, color, across, up, arrow=None):
        self.x, self.y, self.text, self.size, self.color, self.across, self.up = x, y, text, size, color, across, up
        self.arrow = arrow

    def get_text(self):
        return str(self.text)

    def get_position(self):
        return (self.x, self.y) if self.given is None else self.given

    def __str__(self):
        return f"Annotation({self.xy[0]}, {self.xy[1]}, {self.get_text()!r})" if "xy" in vars(self) else repr(self)

    def _own(self):
        return {"fontsize": float(self.size), "color": self._ink, "horizontalalignment": self.across, "verticalalignment": self.up}

    def _put(self, name, value):
        if name == "position":
            self.x, self.y = values(value)
            self.given = tuple(value)
        elif name in "xy":
            setattr(self, name, float(value))
            self.given = None
        else:
            value = font(value, 10.0) if name == "fontsize" else value
            setattr(self, {"fontsize": "size", "horizontalalignment": "across", "verticalalignment": "up"}.get(name, name), value)
        return True

    def set_label(self, label):
        self.label = label

    def spec(self):
        shown = self._has().get("visible", True)
        return {"words": {"x": self.x, "y": self.y, "text": str(self.text) if shown else "", "size": float(self.size), "color": self.color,
                          "across": self.across, "up": {"center_baseline": "center"}.get(self.up, self.up), "arrow": self.arrow}}


@known_as("AxesImage", "image")
class AxesImage(Artist):
    """`imshow`: rows of cells, each a number for a map or three color values."""

    _order = 0

    def set_cmap(self, cmap):
        self.cmap = colormap(cmap)
        if self.mapping is not None:
            self.mapping = {**self.mapping, "name": self.cmap.name}

    def set_alpha(self, alpha):
        self.alpha = alpha

    def __init__(self, rows, columns, mapping, rgb, alpha, extent, origin):
        self.rows, self.columns, self.mapping, self.rgb, self.alpha = rows, columns, mapping, rgb, alpha
        self.extent, self.origin = [float(v) for v in extent], origin

    def __str__(self):
        # A mesh has no text of its own in matplotlib.
        return f"AxesImage(shape={(self.rows, self.columns)!r})" if type(self).__name__ == "AxesImage" else repr(self)

    def set_data(self, data):
        data = numpy.asarray(data)
        if data.shape[:2] != (self.rows, self.columns):
            raise NotImplementedError("matplotlib: set_data of another size")
        if (data.ndim == 2) != (self.mapping is not None):
            raise NotImplementedError("matplotlib: set_data of another kind of image")
        self._given = data
        if data.ndim == 2:
            data = data if self._bent is None else self._bent._shares(data)
            self.mapping = {**self.mapping, "values": values(data)}
        else:
            scale = 1 if data.dtype.kind in "iu" else 255
            self.rgb = [v * scale for v in values(data[:, :, :3])]

    set_array = set_data

    def set_clim(self, vmin=None, vmax=None):
        low, high = vmin if isinstance(vmin, (tuple, list)) else (vmin, vmax)
        ends = self.mapping["ends"]
        self.mapping = {**self.mapping, "ends": [ends[0] if low is None else float(low), ends[1] if high is None else float(high)]}

    _given = _bent = None

    def get_array(self):
        return self._given

    @property
    def norm(self):
        from matplotlib.colors import Normalize

        return self._bent if self._bent is not None else Normalize(*self.get_clim())

    def get_cmap(self):
        return self.cmap

    _smooth = "auto"

    def get_interpolation(self):
        return self._smooth

    def get_extent(self):
        return list(self.extent)

    def get_alpha(self):
        return self.alpha

    def get_clim(self):
        seen = [v for v in self.mapping["values"] if math.isfinite(v)]
        low, high = self.mapping["ends"]
        return (min(seen) if low is None else low, max(seen) if high is None else high)

    def spec(self):
        return {"image": {"rows": self.rows, "columns": self.columns, "map": self.mapping, "rgb": self.rgb,
                          "alpha": _share(self.alpha), "extent": self.extent, "lower": self.origin == "lower"}}


for _class in (Points, Boxes, Band, Rule):
    _class.get_alpha = Line2D.get_alpha
for _name in "get_linestyle set_linestyle set_linewidth set_alpha".split():
    setattr(Rule, _name, getattr(Line2D, _name))
for _class in (Line2D, Rule):
    _class.get_c, _class.set_c = _class.get_color, _class.set_color
    _class.get_ls, _class.set_ls, _class.get_lw, _class.set_lw = (
        _class.get_linestyle, _class.set_linestyle, _class.get_linewidth, _class.set_linewidth)

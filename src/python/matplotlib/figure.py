"""A page of plots, and where it is shown or saved."""

import os
import sys
import warnings

import numpy

import _torch
import matplotlib
from matplotlib import _data, _layers, _options, cm
from matplotlib._artists import Words
from matplotlib._more import undrawn
from matplotlib._titles import TickLabel
from matplotlib.axes import Axes, _font
from matplotlib.colors import to_hex
from matplotlib.gridspec import GridSpec, SubplotSpec
from matplotlib.patches import Rectangle

_data.install(Axes)


# Every figure that was written to a file by `show`, for the number in the file's name.
_written = []
_KINDS = ("avif", "eps", "gif", "jpeg", "jpg", "pdf", "pgf", "png", "ps", "raw", "rgba", "svg", "svgz", "tif", "tiff", "webp")

_layers.apply(Axes)


class Figure:
    def __init__(self, figsize=None, dpi=None, number=None, **others):
        known = ("facecolor", "edgecolor", "linewidth", "frameon", "subplotpars", "tight_layout", "constrained_layout", "layout", "FigureClass")
        for name, value in others.items():
            if name not in known:
                raise AttributeError(f"Figure.set() got an unexpected keyword argument {name!r}")
            if name in ("edgecolor", "linewidth", "subplotpars") and value:
                undrawn(f"figure({name}=)")
        if others.get("layout") not in (None, "tight", "constrained", "compressed", "none"):
            raise ValueError(f"Invalid value for 'layout': {others['layout']!r}")
        self.number, self.dpi = number, float(dpi or matplotlib.rcParams["figure.dpi"])
        self._looks = {}
        self.figsize = [float(v) for v in (figsize or matplotlib.rcParams["figure.figsize"])]
        self._plots, self._bars = [], []
        self._now = None
        self._suptitle = None
        self._tight = others.get("tight_layout") or others.get("constrained_layout") or others.get("layout") in (
            "tight", "constrained", "compressed")
        self._mapped = None
        face = others.get("facecolor")
        self._face = to_hex(matplotlib.rcParams["figure.facecolor"] if face is None else face)
        self.canvas = self

    def __repr__(self):
        wide, tall = (self.dpi * v for v in self.figsize)
        return f"<Figure size {wide:g}x{tall:g} with {len(self._plots)} Axes>"

    def __str__(self):
        wide, tall = (self.dpi * v for v in self.figsize)
        return f"Figure({wide:g}x{tall:g})"

    def get_label(self):
        name = getattr(self, "name", "")
        return "" if name == str(self.number) else name

    # -- plots --

    def add_subplot(self, *args, **others):
        kind, own = _kind_of(others), {name: value for name, value in others.items() if name not in ("projection", "polar")}
        made = self._add_subplot(kind, *args, **{name: own.pop(name) for name in ("sharex", "sharey") if name in own})
        made.set_label(own.pop("label", ""))
        made.set(**own)
        return made

    def _add_subplot(self, kind, *args, sharex=None, sharey=None):
        for name, given in (("x", sharex), ("y", sharey)):
            if given is not None and given._shared[name] is None:
                given._shared[name] = 1 + max((ax._shared[name] or 0 for ax in self._plots), default=0)
        made = self._place_subplot(kind, *args)
        for name, given in (("x", sharex), ("y", sharey)):
            if given is not None:
                made._shared[name] = given._shared[name]
        return made

    def _place_subplot(self, kind, *args):
        if len(args) == 1 and isinstance(args[0], int) and args[0] > 99:
            args = tuple(int(c) for c in str(args[0]))
        if len(args) == 1 and isinstance(args[0], SubplotSpec):
            self._tight = self._tight or args[0].grid.tight
            ax = kind(self, *args[0].cell)
            ax._place_in_grid = args[0]
            self._plots.append(ax)
            return self.sca(ax)
        rows, columns, index = args if len(args) == 3 else (1, 1, 1)
        _positive(rows, columns)
        first, last = (index if isinstance(index, tuple) else (index, index))
        if not 1 <= first <= last <= rows * columns:
            raise ValueError(f"num must be an integer with 1 <= num <= {rows * columns}, not {index}")
        (r0, c0), (r1, c1) = divmod(first - 1, columns), divmod(last - 1, columns)
        ax = kind(self, r0, c0, [1.0] * rows, [1.0] * columns, (r1 - r0 + 1, c1 - c0 + 1))
        ax._place_in_grid = GridSpec(rows, columns, self)[r0:r1 + 1, c0:c1 + 1]
        self._plots.append(ax)
        return self.sca(ax)

    def add_axes(self, rect=None, **others):
        """Axes in a part of the page: the shares at which they begin on the left and at the bottom, their width and their height."""
        if isinstance(rect, Axes):
            self._plots.append(rect)
            return self.sca(rect)
        if rect is None:
            return self.add_subplot(1, 1, 1, **others)
        left, bottom, wide, tall = map(float, rect)
        if self._plots and min(wide, tall) <= 0.06:
            return BarPlace(self)
        kind = _kind_of(others)
        ax = kind(self, 1, 1, _shares(1 - bottom - tall, tall, *_DOWN), _shares(left, wide, *_ALONG))
        self._plots.append(ax)
        return self.sca(ax)

    def supxlabel(self, t, **others):
        undrawn("a label for all plots (supxlabel, supylabel)")

    supylabel = supxlabel

    def text(self, x, y, s, fontdict=None, **options):
        """Words between the plots, which aren't drawn."""
        undrawn("a text of the figure (fig.text, figtext)")
        made = Words(float(x), float(y), s, 10.0, "#000000", "left", "baseline")
        made.figure = self
        return made

    def get_suptitle(self):
        return "" if self._suptitle is None else str(self._suptitle[0])

    def get_dpi(self):
        return self.dpi

    def get_figwidth(self):
        return self.get_size_inches()[0]

    def get_figheight(self):
        return self.get_size_inches()[1]

    def get_size_inches(self):
        return numpy.array(self.figsize)

    def subplots(self, nrows=1, ncols=1, squeeze=True, sharex=False, sharey=False, width_ratios=None, height_ratios=None,
                 gridspec_kw=None, subplot_kw=None, **others):
        _positive(nrows, ncols)
        own = dict(subplot_kw or {})
        kind = _kind_of(own)
        own = {name: value for name, value in own.items() if name not in ("projection", "polar")}
        given = gridspec_kw or {}
        widths = _ratios("width", width_ratios or given.get("width_ratios"), ncols)
        heights = _ratios("height", height_ratios or given.get("height_ratios"), nrows)
        grid = [[kind(self, r, c, heights, widths) for c in range(ncols)] for r in range(nrows)]
        places = GridSpec(nrows, ncols, self, width_ratios or given.get("width_ratios"), height_ratios or given.get("height_ratios"))
        for r, row in enumerate(grid):
            for c, ax in enumerate(row):
                ax._place_in_grid = places[r, c]
                ax.set_label(own.get("label", ""))
                ax.set(**{name: value for name, value in own.items() if name != "label"})
        self._plots += [ax for row in grid for ax in row]
        self._now = self._plots[-1]
        for axis, share in (("x", sharex), ("y", sharey)):
            if share in (False, "none"):
                continue
            if share not in (True, "all", "row", "col"):
                raise ValueError(f"{share!r} is not a valid value for share{axis}. Supported values are 'all', 'row', 'col', "
                                 "'none', False, True")
            first = 1 + max((ax._shared[axis] for ax in self._plots if ax._shared[axis] is not None), default=0)
            for r, row in enumerate(grid):
                for c, ax in enumerate(row):
                    ax._shared[axis] = first + (r if share == "row" else c if share == "col" else 0)
                    # If the axes share limits, only the outer ones have tick labels.
                    if axis == "x" and share != "row":
                        ax._labeled[axis] = r == nrows - 1
                    elif axis == "y" and share != "col":
                        ax._labeled[axis] = c == 0
        return _grid(grid, squeeze)

    def subplot_mosaic(self, mosaic, *, width_ratios=None, height_ratios=None, empty_sentinel=".", **others):
        """Axes by name: each covers the cells in which its name is."""
        rows = [list(row) for row in (mosaic.strip().replace(";", "\n").split("\n") if isinstance(mosaic, str) else mosaic)]
        rows = [[c for c in row if c != " "] for row in rows] if isinstance(mosaic, str) else rows
        grid = GridSpec(len(rows), len(rows[0]), self, width_ratios, height_ratios)
        places = {}
        for r, row in enumerate(rows):
            for c, name in enumerate(row):
                if name != empty_sentinel:
                    places.setdefault(name, []).append((r, c))
        made = {}
        for name, cells in places.items():
            (r0, r1), (c0, c1) = ((min(of), max(of)) for of in zip(*cells))
            if len(cells) != (r1 - r0 + 1) * (c1 - c0 + 1):
                raise ValueError(f"While trying to layout\n{mosaic!r}\nwe found that the label {name!r} specifies a non-rectangular or "
                                 "non-contiguous area.")
            made[name] = self.add_subplot(grid[r0:r1 + 1, c0:c1 + 1])
            made[name].set_label(name)
        return made

    def add_gridspec(self, nrows=1, ncols=1, **options):
        return GridSpec(nrows, ncols, self, **options)

    def get_axes(self):
        return self._plots

    def delaxes(self, ax):
        ax.remove()

    def sca(self, a):
        """Makes these the axes in which pyplot's functions draw."""
        self._now = a
        return a

    def gca(self):
        if self._now in self._plots:
            return self._now
        return self._plots[-1] if self._plots else self.add_subplot(1, 1, 1)

    def legend(self, *args, **others):
        """One legend for all axes. It's drawn in the first of them: here a legend is inside axes."""
        if not args and "handles" not in others:
            pairs = [pair for axes in self._plots for pair in zip(*axes.get_legend_handles_labels())]
            others["handles"], others["labels"] = [handle for handle, _ in pairs], [label for _, label in pairs]
        return self._plots[0].legend(*args, **others)

    def suptitle(self, t, **options):
        _options.words(options, "'Text' object has no property {!r}")
        self._suptitle = (t, 12.0)
        made = SupTitle(self)
        made.look.clear()
        made.set(**options)
        return made

    def colorbar(self, mappable, cax=None, ax=None, label=None, **others):
        if cax is not None and not isinstance(cax, BarPlace):
            raise NotImplementedError("matplotlib: colorbar(cax=) of axes that hold something else")
        if isinstance(mappable, cm.ScalarMappable):
            mappable = mappable._on(ax)
        known = self._plots if ax is None or ax in self._plots or not hasattr(ax, "figure") else ax.figure._plots
        owner = next((of for of in known if any(mappable is a for a in of.artists)), None)
        if owner is None:
            raise ValueError("Unable to determine Axes to steal space for Colorbar. Either provide the *cax* argument to use as the Axes for the "
                             "Colorbar, provide the *ax* argument to steal space from it, or add *mappable* to an Axes.")
        if mappable.mapping is None:
            undrawn("the color scale (colorbar) of something that isn't colored by a map from numbers")
            return _NoBar(owner, mappable, label, others)
        if getattr(mappable, "_bent", None) is not None:
            undrawn(f"the color scale (colorbar) of a {type(mappable._bent).__name__}")
            return _NoBar(owner, mappable, label, others)
        _bar_options(others)
        if owner._bar is not None:
            undrawn("a plot's first color scale, if it has a second one,")
        owner._bar = (mappable, label)
        mappable.colorbar = _Colorbar(owner, others, mappable, label)
        self._bars.append((len(self._plots), mappable.colorbar))
        return mappable.colorbar

    def tight_layout(self, *, pad=1.08, h_pad=None, w_pad=None, rect=None):
        self._tight = True

    def subplots_adjust(self, left=None, bottom=None, right=None, top=None, wspace=None, hspace=None):
        for low, high, names in ((left, right, ("left", "right")), (bottom, top, ("bottom", "top"))):
            if low is not None and high is not None and low >= high:
                raise ValueError(f"{names[0]} cannot be >= {names[1]}")
        self._tight = True

    def set_size_inches(self, w, h=None):
        self.figsize = [float(v) for v in (w if h is None else (w, h))]

    def autofmt_xdate(self, **others):
        for ax in self._plots:
            ax.tick_params(rotation=30)

    def draw(self):
        """Drawn when it is shown or saved."""

    draw_idle = flush_events = draw

    @property
    def axes(self):
        """The plots and the color scales, in the order in which they were made."""
        made = list(self._plots)
        for count, bar in reversed(self._bars):
            made.insert(count, bar.ax)
        return made

    @property
    def patch(self):
        """The background."""
        return Background(self)

    def set_facecolor(self, color):
        self._face = to_hex(color)

    def get_facecolor(self):
        return self.patch.get_facecolor()

    def get_children(self):
        return [self.patch, *self.axes, *([] if self._suptitle is None else [SupTitle(self)])]

    def clf(self):
        self._plots, self._bars = [], []

    clear = clf

    # -- drawing --

    def _spec(self, axes):
        title = None if self._suptitle is None else {"text": str(self._suptitle[0]), "size": self._suptitle[1]}
        return {"size": self.figsize, "face": self._face, "title": title, "tight": self._is_tight(), "words": self.words(),
                "axes": [ax._spec() for ax in axes]}

    def _is_tight(self):
        """Whether plots use all the space that labels leave. A second x axis needs that; a second y axis needs the fixed margin."""
        letters = [ax._twin_letter for ax in self._plots if ax._twin is not None]
        return (bool(self._tight) or "x" in letters) and "y" not in letters

    def svg(self):
        """The whole figure."""
        plots = [ax for ax in self._plots if ax.get_visible()]
        spec = self._spec(plots)
        if any(ax._is_late() for ax in plots):
            # Where the axes end decides what is drawn on them.
            every = _torch._figure_ends(spec)
            for ax, ends in zip(plots, every):
                ax._ends = ends
            spec["axes"] = [ax._spec(ax._ends) if ax._is_late() else of for ax, of in zip(plots, spec["axes"])
                            if ax._host is None]
        return _torch._draw_figure(spec)

    def words(self):
        parts = [str(self._suptitle[0])] if self._suptitle else []
        return ". ".join(parts + [ax.words() for ax in self._plots if ax.get_visible() and ax.words()]) or "An empty figure"

    def savefig(self, fname, format=None, **others):
        """Writes SVG. If another format was requested, writes SVG next to that name, with a warning."""
        for name in others:
            if name not in ("dpi", "facecolor", "edgecolor", "bbox_inches", "pad_inches", "transparent", "metadata", "orientation", "backend",
                            "pil_kwargs", "papertype", "bbox_extra_artists"):
                raise TypeError(f"FigureCanvasSVG.print_svg() got an unexpected keyword argument {name!r}")
        if others.get("transparent"):
            undrawn("savefig(transparent=True)")
        text = self.svg()
        if hasattr(fname, "write"):
            kind = (format or "svg").lower()
            if kind != "svg":
                raise ValueError(f"Format {kind!r} is not supported (supported formats: svg)")
            try:
                fname.write(text.encode())
            except TypeError:
                fname.write(text)
            return
        path = os.fspath(fname)
        stem, _, kind = path.rpartition(".") if "." in path.rsplit("/", 1)[-1] else (path, "", "")
        kind = (format or kind or "svg").lower()
        if kind not in _KINDS:
            raise ValueError(f"Format {kind!r} is not supported (supported formats: {', '.join(_KINDS)})")
        if _torch._show_figure(None, ""):
            # A page has no files, so the figure is shown.
            _torch._show_figure(text, self.words())
            return
        target = path if kind == "svg" and path.endswith(".svg") else stem + ".svg"
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
        if kind != "svg":
            warnings.warn(f"figures are drawn as SVG here: {target} was written in place of {path}", UserWarning, stacklevel=3)

    def show(self, warn=True):
        """Shows the figure in the page, or writes it to a file next to the program and prints its name."""
        text = self.svg()
        if _torch._show_figure(text, self.words()):
            return
        main = sys.modules.get("__main__")
        folder = os.path.dirname(getattr(main, "__file__", "") or "") or "."
        _written.append(self)
        path = os.path.join(folder, f"figure_{len(_written)}.svg")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        sys.stderr.write(f"figure {len(_written)}: {path}\n")


@_options.known_as("Text", "text")
class SupTitle(_options.Worded):
    """The title above all plots."""

    kind = "title"

    def __init__(self, figure):
        self._figure, self.look = figure, figure._looks

    def get_text(self):
        return str(self._figure._suptitle[0])

    def set_text(self, text):
        self._figure._suptitle = (text, self._figure._suptitle[1])

    def get_position(self):
        return self.look.get("x", 0.5), self.look.get("y", 0.98)

    def _own(self):
        return {"fontsize": self._figure._suptitle[1], "color": "black", "horizontalalignment": "center", "verticalalignment": "top"}

    def _put(self, name, value):
        if name == "fontsize":
            self._figure._suptitle = (self._figure._suptitle[0], _font(value, 12.0))
        return name == "fontsize"


@_options.known_as("Rectangle", "patches")
class Background(Rectangle):
    """`fig.patch`: its color is that of the page."""

    def __init__(self, figure):
        super().__init__((0, 0), 1, 1, facecolor=figure._face)
        self.figure = figure

    def set_facecolor(self, color):
        super().set_facecolor(color)
        self.figure._face = to_hex(color)

    set_color = set_fc = set_facecolor


class BarPlace:
    """A narrow place beside axes, for a color scale: `colorbar(image, cax=place)`. The scale is drawn beside the image."""

    def __init__(self, figure):
        self.figure = figure

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        raise NotImplementedError(f"matplotlib: {name} of axes that are placed beside or inside of others; only colorbar(cax=) can "
                                  "use them")


@_options.known_as("Axes", "axes._axes")
class _BarAxes:
    """`colorbar.ax`: its name is that of the scale; nothing else of it is drawn."""

    _turned = 0.0

    def __init__(self, bar):
        self._bar, self.figure = bar, bar._owner.figure

    def set_ylabel(self, label, *args, **others):
        self._bar.set_label(label)

    set_xlabel = set_ylabel

    def get_ylabel(self):
        return self._bar._label() if self._bar.orientation == "vertical" else ""

    def get_xlabel(self):
        return self._bar._label() if self._bar.orientation == "horizontal" else ""

    def get_label(self):
        return "<colorbar>"

    def _ends(self, along):
        return (self._bar.vmin, self._bar.vmax) if along == self._bar.orientation else (numpy.float64(0.0), numpy.float64(1.0))

    def get_ylim(self):
        return self._ends("vertical")

    def get_xlim(self):
        return self._ends("horizontal")

    def _texts(self, along, letter):
        return self._bar._texts(letter) if along == self._bar.orientation else []

    def get_yticklabels(self):
        return self._texts("vertical", "y")

    def get_xticklabels(self):
        return self._texts("horizontal", "x")

    def get_yticks(self):
        return self._bar.get_ticks() if self._bar.orientation == "vertical" else numpy.array([])

    def get_xticks(self):
        return self._bar.get_ticks() if self._bar.orientation == "horizontal" else numpy.array([])

    def set_yticklabels(self, labels, **others):
        self._bar.set_ticklabels(labels)

    def set_yticks(self, ticks, labels=None, **others):
        self._bar.set_ticks(ticks, labels)

    set_xticklabels, set_xticks = set_yticklabels, set_yticks

    def remove(self):
        self._bar.remove()

    def __getattr__(self, name):
        if name.startswith("set_") or name in ("tick_params", "text", "invert_yaxis", "hlines", "axhline", "plot", "minorticks_on"):
            return lambda *args, **options: undrawn(f"{name} of a color scale's axes")
        raise AttributeError(f"matplotlib: {name} of a color scale's axes isn't here")


def _bar_options(given):
    """Checks the options of a color scale, and says of some that they aren't drawn."""
    for name, value in given.items():
        if name not in ("orientation", "location", "shrink", "fraction", "pad", "aspect", "anchor", "panchor", "use_gridspec", "ticks",
                        "format", "extend", "extendfrac", "extendrect", "spacing", "drawedges", "alpha", "boundaries", "values"):
            raise TypeError(f"Colorbar.__init__() got an unexpected keyword argument {name!r}")
        plain = {"orientation": "vertical", "location": "right", "extend": "neither", "drawedges": False, "spacing": "uniform"}
        layout = ("shrink", "fraction", "pad", "aspect", "anchor", "panchor", "use_gridspec", "alpha", "extendfrac", "extendrect")
        if value is not None and name not in layout and plain.get(name) != value:
            undrawn(f"colorbar({name}=)")


@_options.known_as("Colorbar", "colorbar")
class _Colorbar:
    def __init__(self, owner, options, mappable, label):
        self._owner, self.mappable, self._labels, self._said = owner, mappable, None, label
        self.orientation = options.get("orientation") or {"top": "horizontal", "bottom": "horizontal"}.get(options.get("location"), "vertical")
        self.extend, given = options.get("extend") or "neither", options.get("ticks")
        self._ticks = given if hasattr(given, "tick_values") or given is None else numpy.asarray(given)
        self.ax = _BarAxes(self)

    def _label(self):
        return "" if self._said is None else str(self._said)

    def get_ticks(self, minor=False):
        from matplotlib.ticker import AutoLocator

        if minor:
            raise NotImplementedError("matplotlib: the minor ticks of a color scale")
        if self._ticks is None and hasattr(self.mappable, "levels"):
            return numpy.asarray(self.mappable.levels)
        if self._ticks is None or hasattr(self._ticks, "tick_values"):
            return numpy.asarray((self._ticks or AutoLocator()).tick_values(self.vmin, self.vmax))
        return self._ticks

    def _texts(self, letter):
        places = self.get_ticks()
        names = self._labels
        if names is None:
            digits = next((d for d in range(10) if all(abs(round(float(v), d) - float(v)) < 1e-9 for v in places)), 10)
            names = [f"{float(v):.{digits}f}".replace("-", "\u2212") for v in places]
        return [TickLabel(self.ax, letter, v, name) for v, name in zip(places.tolist(), names)]

    vmin = property(lambda self: numpy.float64(self.mappable.get_clim()[0]))
    vmax = property(lambda self: numpy.float64(self.mappable.get_clim()[1]))
    cmap = property(lambda self: self.mappable.get_cmap())

    def set_ticklabels(self, labels, **others):
        undrawn("set_ticklabels of a color scale")
        self._labels = [str(label) for label in labels]

    def minorticks_on(self):
        undrawn("minor ticks of a color scale")

    minorticks_off = update_ticks = lambda self: None

    def remove(self):
        figure = self._owner.figure
        figure._bars = [pair for pair in figure._bars if pair[1] is not self]
        if self._owner._bar is not None and self._owner._bar[0] is self.mappable:
            self._owner._bar = None

    def set_ticks(self, ticks, labels=None, **others):
        undrawn("set_ticks of a color scale")
        self._ticks = ticks if hasattr(ticks, "tick_values") else numpy.asarray(ticks)
        self._labels = self._labels if labels is None else [str(label) for label in labels]

    def set_label(self, label, **others):
        self._said = label
        if self._owner._bar is not None and self._owner._bar[0] is self.mappable:
            self._owner._bar = (self.mappable, label)


class _NoBar(_Colorbar):
    """A color scale that isn't drawn."""

    def __init__(self, owner, mappable, label, options):
        super().__init__(owner, options, mappable, label)
        owner.figure._bars.append((len(owner.figure._plots), self))


def _grid(grid, squeeze):
    """Axes in the form that `subplots` returns: an array."""
    rows, columns = len(grid), len(grid[0])
    if squeeze and rows == columns == 1:
        return grid[0][0]
    made = numpy.empty((rows, columns), dtype=object)
    for r, row in enumerate(grid):
        for c, ax in enumerate(row):
            made[r, c] = ax
    return made.reshape(-1) if squeeze and 1 in (rows, columns) else made


def _positive(rows, columns):
    for name, count in (("rows", rows), ("columns", columns)):
        if not isinstance(count, int) or count < 1:
            raise ValueError(f"Number of {name} must be a positive integer, not {count!r}")


def _ratios(name, given, count):
    """Relative sizes: one for each row or column."""
    ratios = [1.0] * count if given is None else [float(v) for v in given]
    if len(ratios) != count:
        raise ValueError(f"Expected the given number of {name} ratios to match the number of "
                         f"{'columns' if name == 'width' else 'rows'} of the grid")
    return ratios


# Where a grid of plots begins and ends, as shares of the page, and the gap between two plots as a share of one.
_ALONG, _DOWN, _GAP = (0.125, 0.9), (0.12, 0.89), 0.2


def _shares(start, length, first, last):
    """The sizes of three cells of which the middle one is at a place of the page."""
    one = (last - first) / (3 + 2 * _GAP)
    before, own = ((start - first) / one - _GAP) / 3, length / one / 3
    return [before, own, 1 - before - own]


def place_of(axes):
    """The part of the page that axes take, as `add_axes` is given it, unless a figure is laid out by its labels."""
    row, column, heights, widths, (tall, wide) = axes.cell

    def along(sizes, at, count, first, last):
        one = (last - first) / (len(sizes) + _GAP * (len(sizes) - 1))
        length = lambda part: sum(part) / sum(sizes) * len(sizes) * one
        return first + length(sizes[:at]) + at * _GAP * one, length(sizes[at:at + count]) + (count - 1) * _GAP * one

    (left, width), (top, height) = along(widths, column, wide, *_ALONG), along(heights, row, tall, *_DOWN)
    return left, 1 - top - height, width, height


def _kind_of(options):
    """The class of the axes: most programs have only flat ones, and never load the others."""
    if not options.keys() & {"projection", "polar"}:
        return Axes
    from matplotlib._space import kind_of

    return kind_of(options)

"""More methods of axes: histograms, pies, shapes, spans, meshes, and a second axis."""

import math
import warnings

import numpy

import matplotlib
from matplotlib._artists import Artist, AxesImage, Band, Bar, Boxes, Line2D, Words, mapping, pixels, unmasked, values
from matplotlib._fields import ContourSet
from matplotlib._grouped import FancyArrow, arrows_of
from matplotlib._layers import is_layered
from matplotlib._options import font, known_as
from matplotlib._parts import Parts, minor_places
from matplotlib._titles import TickLabel
from matplotlib.colors import to_hex, to_rgb
from matplotlib.patches import Patch, Rectangle, Wedge
from matplotlib.ticker import AutoLocator

_told = set()


def undrawn(what):
    """Says once that a decoration isn't drawn."""
    if what not in _told:
        _told.add(what)
        warnings.warn(f"matplotlib: {what} isn't drawn here", UserWarning, stacklevel=4)


def unused(what):
    """Says once that a setting changes nothing."""
    if what not in _told:
        _told.add(what)
        warnings.warn(f"matplotlib: {what} doesn't change anything here", UserWarning, stacklevel=4)


def at_share(share, low, high, log):
    """The place at a share of the way from one end of an axis to the other."""
    return low * (high / low) ** share if log else low + share * (high - low)


def share_at(place, low, high, log):
    """The inverse of `at_share`: how far along an axis a place is, from 0 to 1."""
    if log:
        return math.log(place / low) / math.log(high / low) if place > 0 else math.nan
    return (place - low) / (high - low)


@known_as("Rectangle", "patches")
class Span(Artist):
    """`axvspan` and `axhspan`: a rectangle from `low` to `high` on one axis, and between two fractions of the other axis."""

    # Artists that are `late` are drawn once the ends of the axes are known, because their places depend on them.
    late = True

    def __init__(self, low, high, first, last, upright, patch):
        self.low, self.high, self.first, self.last, self.upright, self.patch = low, high, first, last, upright, patch
        self.label = patch.label
        self.get_facecolor, self.get_edgecolor = patch.get_facecolor, patch.get_edgecolor

    def __str__(self):
        x, y, w, h = (self.low, self.first, self.high - self.low, self.last - self.first) if self.upright else \
            (self.first, self.low, self.last - self.first, self.high - self.low)
        return f"Rectangle(xy=({x:g}, {y:g}), width={w:g}, height={h:g}, angle=0)"

    def specs(self, ends, axes):
        none = [math.nan] * 2
        if ends is None:
            # Nothing is drawn, but the axis reaches this far.
            at = ([self.low, self.high], none, none) if self.upright else (none, [self.low] * 2, [self.high] * 2)
            return [Band(*at, self.patch.face, None, None).spec()]
        x0, x1, y0, y1 = ends
        axis = (y0, y1, axes._yscale == "log") if self.upright else (x0, x1, axes._xscale == "log")
        a, b = at_share(self.first, *axis), at_share(self.last, *axis)
        box = (self.low, a, self.high - self.low, b - a) if self.upright else (a, self.low, b - a, self.high - self.low)
        patch = self.patch
        # An edge has no transparency of its own.
        edge = None if patch.edge == "none" or patch.alpha not in (None, 1) and patch.edge == patch.face else patch.edge
        return [Boxes([box], [patch.face if patch.fill else "none"], self.label, patch.alpha, edge).spec()]


Patch.counted = Rectangle.counted = Bar


@known_as("AxLine", "lines")
class Straight(Line2D):
    """A line that goes on to the ends of the axes (`axline`)."""

    late = True

    def specs(self, ends, axes):
        made = self.spec()
        if ends is not None:
            x, y, slope = self.through
            x0, x1, y0, y1 = ends
            made["line"].update({"x": [x, x], "y": [y0, y1]} if slope is None else
                                {"x": [x0, x1], "y": [y + slope * (x0 - x), y + slope * (x1 - x)]})
        return [made]


@known_as("Annotation", "text")
class Noted(Words):
    """`annotate`: text about a point, which an arrow may lead to."""


@known_as("Annotation", "text")
class Beside(Noted):
    """Text at some points of length from a place of the data: `annotate(textcoords="offset points")`."""

    late = True
    offset = (0.0, 0.0)

    def specs(self, ends, axes):
        made = self.spec()
        if ends is None:
            return [made]
        x0, x1, y0, y1 = ends
        place, page = axes.get_position(), axes.figure.figsize
        for name, (low, high, log), points in (("x", (x0, x1, axes._xscale == "log"), page[0] * 72 * place.width),
                                               ("y", (y0, y1, axes._yscale == "log"), page[1] * 72 * place.height)):
            far = self.offset["xy".index(name)] / points
            made["words"][name] = at_share(share_at(made["words"][name], low, high, log) + far, low, high, log)
        return [made]


@known_as("Text", "text")
class Placed(Words):
    """Text whose place is given in fractions of the axes: `transform=ax.transAxes`."""

    late = True

    def specs(self, ends, axes):
        if ends is None:
            return []
        made = self.spec()
        x0, x1, y0, y1 = ends
        made["words"]["x"] = at_share(self.x, x0, x1, axes._xscale == "log")
        made["words"]["y"] = at_share(self.y, y0, y1, axes._yscale == "log")
        return [made]


@known_as("Annotation", "text")
class NotedInside(Noted, Placed):
    """The same, at a fraction of the axes."""


class Shown(list):
    """What is drawn on axes, of one kind."""

    def __init__(self, kind, artists):
        super().__init__(artists)
        self._kind = kind

    def __repr__(self):
        return f"<Axes.ArtistList of {len(self)} {self._kind}>"


Shown.__name__, Shown.__module__ = "ArtistList", "matplotlib.axes._base"


@known_as("QuadMesh", "collections")
class Mesh(AxesImage):
    """`pcolormesh`: cells between given edges."""


class More(Parts):
    """The methods of `Axes` that aren't in `axes.py`."""

    # -- ends of axes --

    def get_xbound(self):
        """The ends of the axis, the lower one first."""
        return tuple(sorted(self.get_xlim()))

    def get_ybound(self):
        return tuple(sorted(self.get_ylim()))

    def invert_yaxis(self):
        self._inverted = not self._inverted

    # -- distributions --

    def hist(self, x, bins=None, range=None, density=False, weights=None, cumulative=False, bottom=None, histtype="bar",
             align="mid", orientation="vertical", rwidth=None, log=False, color=None, label=None, stacked=False, *, alpha=None,
             edgecolor=None, **others):
        from matplotlib.axes import _refuse

        if histtype not in ("bar", "barstacked", "step", "stepfilled"):
            raise ValueError(f"{histtype!r} is not a valid value for histtype. Supported values are 'bar', 'barstacked', 'step', "
                             "'stepfilled'")
        _refuse("hist", others, {"zorder", "linewidth", "ec", "facecolor", "fc", "lw"})
        for name, given in (("bottom", bottom is not None and numpy.any(bottom)), ("cumulative=-1", cumulative == -1 and cumulative is not True)):
            if given:
                raise NotImplementedError(f"matplotlib: hist({name})")
        from matplotlib import _options

        _options.one_of("align", align, ("left", "mid", "right"))
        _options.one_of("orientation", orientation, ("horizontal", "vertical"))
        edgecolor = edgecolor if edgecolor is not None else others.get("ec")
        color = color if color is not None else others.get("facecolor", others.get("fc"))
        across = "x" if orientation == "vertical" else "y"
        if isinstance(x, (list, tuple)) and len(x) and hasattr(x[0], "__len__") and not isinstance(x[0], str):
            data = [self._numbers(part, across) for part in x]
        else:
            data = [self._numbers(part, across) for part in self._columns(x)]
        shares = ([None] * len(data) if weights is None else [values(w) for w in weights] if len(data) > 1
                  else [values(weights)])
        together = [v for part in data for v in part]
        stacked = stacked or histtype == "barstacked"
        if range is None and any(math.isnan(v) for v in together):
            range = [min(v for v in together if v == v), max(v for v in together if v == v)]
        edges = numpy.histogram_bin_edges(together, 10 if bins is None else bins, range,
                                          None if weights is None else [w for part in shares for w in part])
        counts = [numpy.histogram(part, edges, weights=w)[0] for part, w in zip(data, shares)]
        if stacked:
            counts = list(numpy.cumsum(numpy.array(counts).astype(float), 0))
        if density:
            wide = numpy.diff(edges)
            counts = [c / wide / float((counts[-1] if stacked else c).sum()) for c in counts]
        if cumulative:
            counts = [numpy.cumsum(c * numpy.diff(edges)) if density else numpy.cumsum(c) for c in counts]
        upright = orientation == "vertical"
        if log:
            (self.set_yscale if upright else self.set_xscale)("log")
        names = list(label) if isinstance(label, (list, tuple)) else [label] + [None] * (len(data) - 1)
        names += [None] * (len(data) - len(names))
        several = isinstance(color, (list, tuple)) and (len(data) > 1 or isinstance(color[0], str))
        colors = list(color) if several else [color] * len(data)
        if len(colors) != len(data):
            raise ValueError(f"The 'color' keyword argument must have one color per dataset, but {len(data)} datasets and "
                             f"{len(colors)} colors were provided")
        colors = [self._next_color() if ink is None else ink for ink in colors]
        e, made, many = [float(v) for v in edges], [], len(data)
        share = float(min(max(rwidth, 0), 1)) if rwidth is not None else 0.8 if many > 1 and not stacked else 1.0
        floor = [0.0] * (len(e) - 1)
        for i, c in enumerate(counts):
            tops = [float(v) for v in c]
            if histtype.startswith("step"):
                made.append(self._outline(e, floor if stacked else [0.0] * len(tops), tops, histtype, upright, colors[i], names[i],
                                          alpha, others.get("linewidth", others.get("lw"))))
            else:
                boxes = []
                for k, (a, b, top) in enumerate(zip(e, e[1:], tops)):
                    wide = share * (b - a) / (1 if stacked else many)
                    middle = a + {"mid": 0.5, "left": 0.0, "right": 1.0}[align] * (b - a)
                    if not stacked:
                        middle += (i - (many - 1) / 2) * wide
                    start = floor[k] if stacked else 0.0
                    boxes.append((middle - wide / 2, start, wide, top - start) if upright
                                 else (start, middle - wide / 2, top - start, wide))
                made.append(self._add_boxes(boxes, colors[i], names[i], alpha, edgecolor, upright))
            floor = tops
        return (numpy.asarray(counts[0]).astype(float), edges, made[0]) if many == 1 else (numpy.array([list(map(float, c)) for c in counts]), edges, made)

    def _outline(self, edges, floor, tops, histtype, upright, color, label, alpha, width):
        ink = to_hex(color) if color is not None else self._next_color()
        along = [v for e in zip(edges[:-1], edges[1:]) for v in e]
        high, low = ([v for t in of for v in (t, t)] for of in (tops, floor))
        if histtype == "stepfilled":
            if not upright:
                raise NotImplementedError("matplotlib: hist(histtype='stepfilled', orientation='horizontal')")
            made = Band(along, low, high, ink, label, alpha)
            self.artists.append(made)
            return [made]
        xs, ys = [along[0], *along, along[-1]], [low[0], *high, low[-1]]
        made = Line2D(*((xs, ys) if upright else (ys, xs)), ink, width or 1.0, "-", None, 0, label, alpha)
        self.artists.append(made)
        # The axis starts at zero, as with bars.
        self.artists.append(Boxes([(xs[0], 0.0, 0.0, 0.0)] if upright else [(0.0, xs[0], 0.0, 0.0)], ["none"], None, None, None,
                                  upright))
        return [made]

    def pie(self, x, *, explode=None, labels=None, colors=None, autopct=None, pctdistance=0.6, shadow=False, labeldistance=1.1,
            startangle=0, radius=1, counterclock=True, wedgeprops=None, textprops=None, center=(0, 0), frame=False,
            rotatelabels=False, normalize=True, hatch=None):
        for name, given in (("shadow", shadow), ("rotatelabels", rotatelabels), ("hatch", hatch)):
            if given:
                raise NotImplementedError(f"matplotlib: pie({name}=)")
        given, x = x, values(x)
        if any(v < 0 for v in x):
            raise ValueError("Wedge sizes 'x' must be non negative values")
        total = sum(x)
        if total == 0:
            raise ValueError("All wedge sizes are zero")
        if not normalize and total > 1:
            raise ValueError("Cannot plot an unnormalized pie with sum(x) > 1")
        shares = [v / total for v in x] if normalize else x
        names = [""] * len(x) if labels is None else list(labels)
        away = [0.0] * len(x) if explode is None else values(explode)
        if len(names) != len(x):
            raise ValueError(f"'labels' must be of length 'x', not {len(names)}")
        if len(away) != len(x):
            raise ValueError(f"'explode' must be of length 'x', not {len(away)}")
        inks = [None] * len(x) if colors is None else [colors[i % len(colors)] for i in range(len(x))]
        wedges, texts, later = [], [], []
        start = startangle / 360
        for share, name, out, ink in zip(shares, names, away, inks):
            end = start + share if counterclock else start - share
            middle = math.pi * (start + end)
            cx, cy = (c + out * of(middle) for c, of in zip(center, (math.cos, math.sin)))
            options = {"facecolor": self._next_color("_fills") if ink is None else ink, "label": str(name), **(wedgeprops or {})}
            wedge = Wedge((cx, cy), radius, 360 * min(start, end), 360 * max(start, end), **options)
            wedges.append(self.add_patch(wedge))
            style = {"ha": "left" if math.cos(middle) > 0 else "right", "va": "center", **(textprops or {})}
            if labeldistance is not None:
                texts.append(self.text(cx + labeldistance * radius * math.cos(middle), cy + labeldistance * radius * math.sin(middle),
                                       str(name), **style))
            if autopct is not None:
                said = autopct(100.0 * share) if callable(autopct) else autopct % (100.0 * share)
                at = (cx + pctdistance * radius * math.cos(middle), cy + pctdistance * radius * math.sin(middle))
                later.append((*at, said, {"ha": "center", "va": "center", **(textprops or {})}))
            start = end
        # The shares come after all names.
        shown = [self.text(*what, **style) for *what, style in later]
        self._equal = 1.0
        if not frame:
            self._shown = False
            self.set_xlim(-1.25 + center[0], 1.25 + center[0])
            self.set_ylim(-1.25 + center[1], 1.25 + center[1])
        from matplotlib.container import PieContainer

        return PieContainer(wedges, texts, shown if autopct is not None else None, given, shares)

    # -- shapes --

    def add_patch(self, p):
        self.artists.append(p)
        return p

    def add_artist(self, a):
        if not isinstance(a, Artist):
            raise NotImplementedError(f"matplotlib: add_artist({type(a).__name__})")
        self.artists.append(a)
        return a

    add_line = add_artist

    def fill(self, x, y, color=None, **options):
        from matplotlib.patches import Polygon

        made = Polygon(list(zip(values(x), values(y))), **{"facecolor": color if color is not None else self._next_color("_fills"), **options})
        made.counts = True
        self.artists.append(made)
        return [made]

    def axvspan(self, xmin, xmax, ymin=0, ymax=1, **options):
        return self._span(xmin, xmax, ymin, ymax, True, options)

    def axhspan(self, ymin, ymax, xmin=0, xmax=1, **options):
        return self._span(ymin, ymax, xmin, xmax, False, options)

    def _span(self, low, high, first, last, upright, options):
        made = Span(float(low), float(high), float(first), float(last), upright, Patch(**options))
        self.artists.append(made)
        return made

    def bar_label(self, container, labels=None, *, fmt="%g", label_type="edge", padding=0, **options):
        if label_type not in ("edge", "center"):
            raise ValueError(f"{label_type!r} is not a valid value for label_type. Supported values are 'edge', 'center'")
        out = []
        for i, (x, y, w, h) in enumerate(container.boxes):
            size = h if container.upright else w
            words = labels[i] if labels is not None else fmt.format(size) if isinstance(fmt, str) and "{" in fmt else \
                fmt % size if isinstance(fmt, str) else fmt(size)
            part = 0.5 if label_type == "center" else 1.0
            at = (x + w / 2, y + h * part) if container.upright else (x + w * part, y + h / 2)
            below = size < 0
            if label_type == "center":
                place = {"ha": "center", "va": "center"}
            elif container.upright:
                place = {"ha": "center", "va": "top" if below else "bottom"}
            else:
                place = {"ha": "right" if below else "left", "va": "center"}
            out.append(self._text(*at, str(words), None, {**place, **options}, "'Annotation' object has no property {!r}"))
            out[-1].xy = out[-1].xyann = at
            # Where matplotlib's label says it is: points away from its bar.
            away = int((size > 0) - (size < 0)) * padding
            out[-1].given = (0, away) if container.upright else (away, 0)
        return out

    def stackplot(self, x, *args, labels=(), colors=None, alpha=None, baseline="zero", **others):
        if baseline != "zero":
            raise NotImplementedError("matplotlib: stackplot(baseline=)")
        rows = [values(row) for of in args for row in (of if numpy.asarray(of).ndim == 2 else [of])]
        floor, made = [0.0] * len(rows[0]), []
        colors = colors or [self._next_color() for _ in rows]
        for i, row in enumerate(rows):
            top = [a + b for a, b in zip(floor, row)]
            made.append(self.fill_between(x, floor, top, color=colors[i % len(colors)], alpha=alpha,
                                          label=labels[i] if i < len(labels) else None, **others))
            floor = top
        # Stacks stand on the axis.
        self._held["y"].append(0.0)
        return made

    def hist2d(self, x, y, bins=10, range=None, density=False, weights=None, cmin=None, cmax=None, **options):
        if cmin is not None or cmax is not None:
            raise NotImplementedError("matplotlib: hist2d(cmin=, cmax=)")
        counts, xedges, yedges = numpy.histogram2d(values(x), values(y), bins=bins, range=range, density=density, weights=weights)
        return counts, xedges, yedges, self.pcolormesh(xedges, yedges, counts.T, **options)

    # -- meshes --

    def pcolormesh(self, *args, cmap=None, vmin=None, vmax=None, alpha=None, shading=None, norm=None, edgecolors="none", **others):
        from matplotlib.axes import _refuse

        _refuse("pcolormesh", others, {"zorder", "rasterized", "antialiased", "linewidth"})
        for name, given in (("norm", norm is not None), ("edgecolors", edgecolors not in ("none", None)), ("shading='gouraud'", shading == "gouraud")):
            if given:
                raise NotImplementedError(f"matplotlib: pcolormesh({name})")
        if len(args) not in (1, 3):
            raise TypeError(f"pcolormesh() takes 1 or 3 positional arguments but {len(args)} {'was' if len(args) == 1 else 'were'} given")
        cells = numpy.asarray(unmasked(args[-1]))
        if cells.ndim != 2:
            raise NotImplementedError("matplotlib: pcolormesh of colors")
        extent = []
        for axis, count in ((1, cells.shape[1]), (0, cells.shape[0])):
            at = list(map(float, range(count + 1))) if len(args) == 1 else self._edges(args[1 - axis], axis, count, shading)
            extent += [at[0], at[-1]]
        numbers, rgb = mapping(cmap, vmin, vmax, values(cells)), []
        if isinstance(numbers, list):
            numbers, rgb = None, pixels(numbers)
        made = Mesh(*cells.shape, numbers, rgb, alpha, extent, "lower")
        made._given = numpy.ma.array(cells)
        self.artists.append(made)
        self.figure._mapped = (self, made)
        return made

    pcolor = pcolormesh

    def _edges(self, given, axis, count, shading):
        """The edges of the columns or rows of a mesh, which must be equally wide."""
        at = numpy.asarray(given).astype(float)
        if at.ndim == 2:
            line = at[0] if axis == 1 else at[:, 0]
            if not numpy.array_equal(at, numpy.broadcast_to(line if axis == 1 else line[:, None], at.shape)):
                raise NotImplementedError("matplotlib: pcolormesh on a grid that isn't made of straight columns and rows")
            at = line
        at = at.tolist()
        middles = len(at) == count and shading != "flat" and count > 1
        if not middles and len(at) != count + 1:
            raise TypeError(f"Dimensions of C are incompatible with X and/or Y: {len(at)} places for {count} cells")
        step = (at[-1] - at[0]) / (len(at) - 1)
        if any(abs(v - at[0] - k * step) > 1e-6 * abs(step) for k, v in enumerate(at)):
            raise NotImplementedError("matplotlib: pcolormesh with steps of different sizes")
        return [at[0] - step / 2 + k * step for k in range(count + 1)] if middles else at

    # -- axes --

    @property
    def spines(self):
        if self._spines is None:
            from matplotlib.spines import Spines

            self._spines = Spines()
        return self._spines

    @property
    def axes(self):
        return self

    def get_xaxis(self):
        return self.xaxis

    def get_yaxis(self):
        return self.yaxis

    def invert_xaxis(self):
        self._mirrored = not self._mirrored

    def set_prop_cycle(self, *args, **keys):
        """The colors of what is drawn from now on."""
        from matplotlib._late import cycler

        self._cycle, self._fills, made = 0, 0, None if args == (None,) else cycler(*args, **keys)
        self._colors = None if made is None else [to_hex(color) for color in made.by_key()["color"]]

    def ecdf(self, x, weights=None, *, complementary=False, orientation="vertical", compress=False, **options):
        """For each number, the fraction of all numbers that aren't larger, drawn as steps."""
        if weights is not None or orientation != "vertical" or compress:
            raise NotImplementedError("matplotlib: ecdf(weights=, orientation=, compress=)")
        at = sorted(values(x))
        if any(math.isnan(v) for v in at):
            raise ValueError("ecdf() does not support NaNs")
        shares = [k / len(at) for k in range(len(at) + 1)]
        line, = self.step([at[0], *at], [1 - v for v in shares] if complementary else shares,
                          where="pre" if complementary else "post", **options)
        return line

    def broken_barh(self, xranges, yrange, **options):
        """Horizontal bars, given as pairs of a start and a width."""
        low, height = yrange
        options.setdefault("facecolor", options.pop("facecolors", options.pop("color", None)) or self._next_color("_fills"))
        made = [self.add_patch(Rectangle((start, low), width, height, **options)) for start, width in xranges]
        for each in made:
            each.counts = True
        return made

    def eventplot(self, positions, orientation="horizontal", lineoffsets=1, linelengths=1, linewidths=None, colors=None, **others):
        """Short lines at places: a row of them for each list."""
        many = len(positions) and hasattr(positions[0], "__len__")
        rows = [values(row) for row in positions] if many else [values(positions)]
        draw, made = self.vlines if orientation == "horizontal" else self.hlines, []
        for i, row in enumerate(rows):
            one = lambda given: given[i] if hasattr(given, "__len__") and not isinstance(given, str) else given
            middle = one(lineoffsets) if hasattr(lineoffsets, "__len__") else lineoffsets + i if many else lineoffsets
            half = one(linelengths) / 2
            made.append(draw(row, middle - half, middle + half, colors=one(colors) if colors is not None else "C0",
                             linewidths=one(linewidths), **others))
        return made

    def relim(self, visible_only=False):
        """The ends always follow the data."""

    def autoscale_view(self, tight=None, scalex=True, scaley=True):
        self._shaped = True

    def autoscale(self, enable=True, axis="both", tight=None):
        """The ends always follow the data; with `tight` without a margin."""
        self._shaped = True
        for letter in "xy" if tight and enable else "":
            if axis in (letter, "both"):
                self._margins[letter] = 0.0

    def set_axisbelow(self, b):
        if b is False:
            undrawn("a grid above the data")

    def axline(self, xy1, xy2=None, *, slope=None, **options):
        """A straight line through a point, from one end of the axes to the other."""
        if (xy2 is None) == (slope is None):
            raise TypeError("Exactly one of 'xy2' and 'slope' must be given")
        made, = self.plot([], [], **options)
        self.artists.remove(made)
        (x, y), upright = map(float, xy1), False
        if xy2 is not None:
            upright = float(xy2[0]) == x
            slope = 0.0 if upright else (float(xy2[1]) - y) / (float(xy2[0]) - x)
        line = Straight([x, x] if xy2 is None else [x, float(xy2[0])], [y, y] if xy2 is None else [y, float(xy2[1])],
                        made.color, made.width, made.style, None, 0, made.label, made.alpha)
        line.through = (x, y, None if upright else float(slope))
        self.artists.append(line)
        return line

    def arrow(self, x, y, dx, dy, color="k", ec=None, fc=None, width=None, head_width=None, head_length=None,
              length_includes_head=None, **others):
        from matplotlib.axes import _refuse

        _refuse("arrow", others, {"zorder", "alpha", "lw", "linewidth", "shape"})
        made = FancyArrow(float(x), float(y), "", 10.0, to_hex(fc or ec or color), "left", "baseline", [float(x) + float(dx), float(y) + float(dy)])
        return self.add_patch(made)

    def quiver(self, *args, scale=None, color="k", **others):
        """Arrows (u, v), divided by `scale`. Without it, the longest arrow is as long as the distance between two arrows."""
        from matplotlib.axes import _refuse

        _refuse("quiver", others, {"zorder", "alpha", "width", "angles", "scale_units", "headwidth", "headlength", "pivot", "units"})
        if len(args) not in (2, 4):
            raise NotImplementedError("matplotlib: quiver with colors from numbers")
        u, v = (values(of) for of in args[-2:])
        shape = numpy.asarray(args[-2]).shape
        if len(args) == 2:
            wide = shape[-1] if shape else 1
            x, y = [float(i % wide) for i in range(len(u))], [float(i // wide) for i in range(len(u))]
        else:
            x, y = (numpy.asarray(of, dtype=float) for of in args[:2])
            if len(shape) == 2 and x.ndim == y.ndim == 1:
                x, y = numpy.meshgrid(x, y)
            x, y = values(x), values(y)
        longest = max((math.hypot(a, b) for a, b in zip(u, v)), default=0) or 1.0
        apart = max(max(x) - min(x), max(y) - min(y)) / max(1.0, math.sqrt(len(x)) - 1) if x else 1.0
        per = float(scale) if scale is not None else longest / (apart or 1.0)
        made = arrows_of(x, y, u, v, per, to_hex(color), args)
        self.artists.append(made)
        return made

    def margins(self, *margins, x=None, y=None, tight=True):
        """The space between the data and the ends of the axes, as a fraction of the range of the data."""
        if margins and (x is not None or y is not None):
            raise TypeError("Cannot pass both positional and keyword arguments for x and/or y.")
        if any(v is not None and v <= -0.5 for v in (*margins, x, y)):
            raise ValueError("margin must be greater than -0.5")
        if margins:
            x, y = margins if len(margins) == 2 else margins * 2
        if x is None and y is None:
            return tuple(0.05 if m is None else m for m in (self._margins["x"], self._margins["y"]))
        for letter, share in (("x", x), ("y", y)):
            if share is not None:
                self._margins[letter] = float(share)

    def _with_margin(self, letter, ends, drawn):
        """The ends of an axis whose margin was given, or that has places beyond which there's none."""
        share, held = self._margins[letter], self._held[letter]
        # Ticks outside of what was drawn before they were set extend the axes.
        own = self._xticks if letter == "x" else self._yticks
        ticks = list(own[0]) if own is not None and self._ticked.get(letter) == len(self.artists) else []
        loose = share is None and not held
        share = 0.05 if share is None and (held or ticks) else share
        if share is None or getattr(self, f"_{letter}scale") == "log":
            return ends
        seen, stuck = list(held), set(held)
        for (kind, of), in (one.items() for made in drawn for one in made):
            if kind == "boxes":
                at = 0 if letter == "x" else 1
                if of.get("upright", True) == (letter == "y"):
                    stuck |= {box[at] for box in of["boxes"]}
                seen += [v for box in of["boxes"] for v in (box[at], box[at] + box[at + 2])]
            elif kind in ("line", "points", "band"):
                for name in ("low", "high") if kind == "band" and letter == "y" else (letter,):
                    seen += [v for v in of[name] if math.isfinite(v)]
            elif kind != "words" and loose:
                return ends
        if not seen or loose and min(seen) == max(seen):
            return ends
        low, high = min(seen), max(seen)
        room = share * (high - low)
        found = low if low in stuck else low - room, high if high in stuck else high + room
        found = min((found[0], *ticks)), max((found[1], *ticks))
        return tuple(own if end is None else end for end, own in zip(ends, found))

    def fill_betweenx(self, y, x1, x2=0, where=None, **options):
        """The area between two curves, each with an x for every y."""
        from matplotlib.patches import Polygon

        ys, a, b = values(y), values(x1), values(x2)
        if where is not None:
            raise NotImplementedError("matplotlib: fill_betweenx(where=)")
        a, b = (of * len(ys) if len(of) == 1 else of for of in (a, b))
        options.setdefault("color", self._next_color("_fills") if "facecolor" not in options else None)
        made = Polygon(list(zip(a, ys)) + list(zip(b, ys))[::-1], **options)
        made.counts = True
        self.artists.append(made)
        return made

    def get_lines(self):
        return self.lines

    @property
    def images(self):
        return Shown("images", [a for a in self.artists if isinstance(a, AxesImage) and not isinstance(a, (Mesh, ContourSet))])

    def get_images(self):
        return self.images

    @property
    def patches(self):
        parts = [part for a in self.artists for part in (a[:] if isinstance(a, Boxes) else [a])]
        return Shown("patches", [part for part in parts if isinstance(part, (Bar, FancyArrow, Patch))])

    def has_data(self):
        return any(not isinstance(a, Words) for a in self.artists)

    def get_xscale(self):
        return self._xscale

    def get_yscale(self):
        return self._yscale

    def xaxis_inverted(self):
        return bool(numpy.diff(self.get_xlim())[0] < 0)

    def yaxis_inverted(self):
        return bool(numpy.diff(self.get_ylim())[0] < 0)

    @property
    def containers(self):
        return [a for a in self.artists if isinstance(a, Boxes)]

    def get_aspect(self):
        return "auto" if self._equal is None else self._equal

    def get_facecolor(self):
        return (*to_rgb(self._face), 1.0)

    @property
    def axison(self):
        return self._shown

    def set_axis_on(self):
        self._shown = True

    def get_xticks(self, *, minor=False):
        return self._places("x", minor)

    def get_yticks(self, *, minor=False):
        return self._places("y", minor)

    def _places(self, letter, minor=False):
        if minor:
            return minor_places(self, letter)
        own = self._xticks if letter == "x" else self._yticks
        axis = self.xaxis if letter == "x" else self.yaxis
        if own is not None and axis.locator is None:
            exact = self._exact_ticks.get(letter)
            # As the program gave them: whole numbers stay whole.
            return exact if exact is not None and exact.tolist() == own[0] else numpy.array(own[0])
        if self._categories[letter]:
            return numpy.arange(float(len(self._categories[letter])))
        ends = sorted(self._limits()[0 if letter == "x" else 1])
        if (self._xscale if letter == "x" else self._yscale) == "log":
            from matplotlib._scales import decades

            return decades(letter, *ends)
        if self._bends[letter] is not None and axis.locator is None:
            return numpy.array(self._bends[letter].ticks(*ends))
        return numpy.array(axis.get_major_locator().tick_values(*ends))

    def get_xticklabels(self, minor=False, which=None):
        return self._tick_texts("x") if not minor and which != "minor" else [TickLabel(self, "x", v, "") for v in self._places("x", True)]

    def get_yticklabels(self, minor=False, which=None):
        return self._tick_texts("y") if not minor and which != "minor" else [TickLabel(self, "y", v, "") for v in self._places("y", True)]

    def _tick_texts(self, letter):
        own = self._xticks if letter == "x" else self._yticks
        names = own[1] if own is not None else self._categories[letter] or None
        places, axis = self._places(letter), self.xaxis if letter == "x" else self.yaxis
        if names is None and axis.formatter is not None:
            names = axis.texts([float(v) for v in places])
        if names is None and self._bends[letter] is not None and own is None:
            names = [self._bends[letter].text(float(v), True) for v in places]
        if names is None:
            digits = next((d for d in range(10) if all(abs(round(v, d) - v) < 1e-9 for v in places)), 10)
            names = [f"{v:.{digits}f}".replace("-", "\u2212") for v in places]
        whole = self._exact_ticks.get(letter) is places and places.dtype.kind in "iu"
        return [TickLabel(self, letter, int(v) if whole else float(v), name) for v, name in zip(places, names)]

    def get_position(self, original=False):
        from matplotlib.figure import place_of

        return Place(*map(float, place_of(self)))

    def inset_axes(self, bounds, *, transform=None, zorder=5, **others):
        """Axes inside of these. `bounds` has their place and size as fractions of these axes."""
        from matplotlib.figure import place_of

        if transform is not None and transform != self.transAxes:
            raise NotImplementedError("matplotlib: inset_axes(transform=)")
        (left, bottom, wide, tall), now = place_of(self), self.figure._now
        x, y, w, h = bounds
        made = self.figure.add_axes([left + x * wide, bottom + y * tall, w * wide, h * tall], **others)
        self.figure._now = now
        return made

    def indicate_inset_zoom(self, inset_ax, *, edgecolor="0.5", alpha=0.5, **others):
        """Draws a frame around the part of the plot that an inset shows."""
        (x0, x1), (y0, y1) = inset_ax.get_xlim(), inset_ax.get_ylim()
        undrawn("the lines from a part of a plot to its inset (indicate_inset_zoom)")
        return self.add_patch(Rectangle((x0, y0), x1 - x0, y1 - y0, fill=False, edgecolor=edgecolor, alpha=alpha))

    def twiny(self):
        """A second x axis, above the plot."""
        return self._twin_axes("x")

    def twinx(self):
        """A second y axis, on the right of the plot."""
        return self._twin_axes("y")

    def _twin_axes(self, own):
        from matplotlib.axes import Axes

        if self._twin is not None or self._host is not None:
            raise NotImplementedError("matplotlib: a third axis (twinx or twiny of axes that have a second one)")
        made = Axes(self.figure, *self.cell[:2], *self.cell[2:4], self.cell[4])
        made._host, self._twin, self._twin_letter = self, made, own
        # They share the other axis: its ends, scale, labels and ticks.
        other = "y" if own == "x" else "x"
        if self._shared[other] is None:
            self._shared[other] = 1 + max((ax._shared[other] or 0 for ax in self.figure._plots), default=0)
        made._shared[other] = self._shared[other]
        made._categories[other] = self._categories[other]
        for name in (f"set_{other}ticks", f"set_{other}ticklabels", f"invert_{other}axis"):
            setattr(made, name, getattr(self, name))
        setattr(made, f"_{other}scale", getattr(self, f"_{other}scale"))
        self.figure._plots.append(made)
        return self.figure.sca(made)

    _visible = True

    def get_visible(self):
        return self._visible

    def set_visible(self, b):
        self._visible = bool(b)

    def remove(self):
        if self in self.figure._plots:
            self.figure._plots.remove(self)
        if self._host is not None:
            self._host._twin = None

    # -- drawing --

    def _is_late(self):
        return (self._title_left or self._title_right or any(self._bends.values()) or any(getattr(a, "late", False) or isinstance(a, Patch) for a in self.artists) or self._twin is not None
                or self.xaxis.locator is not None or self.xaxis.formatter is not None
                or self.yaxis.locator is not None or self.yaxis.formatter is not None or is_layered(self.artists))

    def _drawn(self, ends):
        """A list of specs for each artist. Without `ends`, only those that decide where the axes end."""
        # A shape extends the axes only if they have something else besides images.
        free = self._shaped or any(not isinstance(a, (AxesImage, Words)) and (not isinstance(a, Patch) or hasattr(a, "counts")) for a in self.artists)
        out = []
        for artist in self.artists:
            if isinstance(artist, Patch):
                out.append(artist.specs() if free or ends is not None else [])
            elif getattr(artist, "late", False):
                out.append(artist.specs(ends, self))
            else:
                out.append([artist.spec()])
        named = self._handles
        if ends is not None and self._twin is not None:
            twin = self._twin
            beside = twin._drawn(twin._ends)
            # Both axes have a legend of their own. Each lists its own artists, unless the program passed `handles`.
            named = [a for ax in (self, twin) if ax._legend for a in
                     (ax._handles if ax._handles is not None else ax.get_legend_handles_labels()[0])]
        known, names = [(self.artists, out)], self._names
        if ends is not None and self._twin is not None:
            known.append((self._twin.artists, beside))
            names = {**names, **self._twin._names}
        from matplotlib import _late

        _late.name(known, named, names)
        for artist in named or ():
            if not any(artist is a for artists, _ in known for a in artists):
                out.append([_late.sample(artist, names.get(id(artist)))])
        for side, text in (("left", self._title_left), ("right", self._title_right)):
            if ends is not None and text:
                size = self._looks.get(f"_title_{side}", {}).get("fontsize", matplotlib.rcParams["axes.titlesize"])
                out.append(Placed(0.0 if side == "left" else 1.0, 1.015, text, font(size, 12.0), "#000000", side, "bottom").specs(ends, self))
        if ends is not None and self._twin is not None:
            out.append(self._twin_specs(ends, [spec for made in beside for spec in made]))
        return out

    def _twin_specs(self, ends, drawn):
        """Everything on the second axis, moved to where the first axis has these places, and its tick labels outside the frame."""
        other, letter = self._twin, self._twin_letter
        upright = letter == "y"
        x1, y1 = ends[1], ends[3]
        first, last = ends[2:] if upright else ends[:2]
        low, high = other._ends[2:] if upright else other._ends[:2]
        log = getattr(self, f"_{letter}scale") == "log"
        own_log = getattr(other, f"_{letter}scale") == "log"

        def moved(v):
            return at_share(share_at(v, low, high, own_log), first, last, log)

        for artist in drawn:
            (kind, of), = artist.items()
            if kind in ("line", "points", "band"):
                for name in ("low", "high") if upright and kind == "band" else (letter,):
                    of[name] = [moved(v) for v in of[name]]
            elif kind == "words":
                of[letter] = moved(of[letter])
            elif kind == "rule" and of["upright"] != upright:
                of["at"] = moved(of["at"])
            elif kind == "boxes":
                of["boxes"] = [(x, moved(y), w, moved(y + h) - moved(y)) if upright else (moved(x), y, moved(x + w) - moved(x), h)
                               for x, y, w, h in of["boxes"]]
            elif kind == "image":
                raise NotImplementedError("matplotlib: an image on a second axis")
        own = (other.yaxis if upright else other.xaxis).marks((low, high))
        if own is not None:
            places, names = own
        elif own_log:
            powers = range(math.floor(math.log10(min(low, high))), math.ceil(math.log10(max(low, high))) + 1)
            places, names = [10.0 ** k for k in powers], [f"1e{k}" for k in powers]
        else:
            places, names = list(AutoLocator().tick_values(low, high)), None
        bottom, top = sorted((low, high))
        seen = [(v, names[i] if names is not None else None) for i, v in enumerate(places) if bottom <= v <= top]
        digits = next((d for d in range(10) if all(abs(round(v, d) - v) < 1e-9 * max(abs(v), 1) for v, _ in seen)), 10)

        def word(x, y, text, across, up):
            drawn.append({"words": {"x": x, "y": y, "text": text, "size": float(matplotlib.rcParams["font.size"]),
                                    "color": other._ink, "across": across, "up": up, "arrow": None}})

        for v, name in seen:
            text = f"{v:.{digits}f}".replace("-", "\u2212") if name is None else name
            word(x1 if upright else moved(v), moved(v) if upright else y1, f"\u00a0{text}" if upright else text,
                 "left" if upright else "center", "center" if upright else "bottom")
        if upright and other._ylabel:
            word(x1, y1, str(other._ylabel), "right", "bottom")
        return drawn


for _one in vars(More).values():
    if hasattr(_one, "__code__"):
        _one.__qualname__ = f"Axes.{_one.__name__}"


@known_as("Bbox", "transforms")
class Place:
    """A rectangle of the figure, in fractions of its width and height."""

    def __init__(self, x0, y0, width, height):
        self.x0, self.y0, self.width, self.height, self.x1, self.y1 = x0, y0, width, height, x0 + width, y0 + height
        self.bounds = (x0, y0, width, height)

    def __repr__(self):
        return f"Bbox([[{self.x0}, {self.y0}], [{self.x1}, {self.y1}]])"

    def __str__(self):
        return f"Bbox(x0={self.x0}, y0={self.y0}, x1={self.x1}, y1={self.y1})"

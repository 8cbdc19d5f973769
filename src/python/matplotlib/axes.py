"""One plot: its data, its axes, its labels."""

import warnings

import numpy

import _torch
import matplotlib
from matplotlib import _fields, _layers, _options, _scales
from matplotlib._grouped import Group, LineCollection
from matplotlib._options import font as _font, refuse as _refuse
from matplotlib._more import Beside, Mesh, More, Noted, NotedInside, Placed, Shown, undrawn
from matplotlib._parts import ticks_of
from matplotlib._titles import Title
from matplotlib._artists import (
    MARKERS, AxesImage, Band, Boxes, Line2D, Points, Rule, Words, are_dates, are_whole, cycled, ends_of, line_style, mapping,
    pixels, places_of_markers, stroke, unknown, unmasked, values,
)
from matplotlib.axis import XAxis, YAxis
from matplotlib.container import ErrorbarContainer, StemContainer
from matplotlib.colors import CYCLE, colormap, is_color_like, to_hex, to_rgb

_SMOOTH = ["none", "auto", "antialiased", "nearest", "bilinear", "bicubic", "spline16", "spline36", "hanning", "hamming", "hermite", "kaiser",
           "quadric", "catrom", "gaussian", "bessel", "mitchell", "sinc", "lanczos"]
_PLACES = ["best", "upper right", "upper left", "lower left", "lower right", "right", "center left", "center right",
           "lower center", "upper center", "center"]


def _format(fmt):
    """Color, marker and line style in a format string such as `"r--o"`; None for what it doesn't contain."""
    color = mark = style = None
    i = 0
    if fmt[:1] == "C" and fmt[1:2].isdigit():
        color, i = fmt[:2], 2
    while i < len(fmt):
        two = fmt[i:i + 2]
        if two in ("--", "-."):
            style, i = two, i + 2
        elif fmt[i] in "-:":
            style, i = fmt[i], i + 1
        elif fmt[i] in MARKERS:
            mark, i = fmt[i], i + 1
        elif fmt[i] in "bgrcmykw":
            color, i = fmt[i], i + 1
        else:
            raise ValueError(f"{fmt!r} is not a valid format string (unrecognized character {fmt[i]!r})")
    return color, mark, style


def _stairs(xs, ys, where):
    """The corners of steps through points."""
    pairs = list(zip(xs, ys))
    out = pairs[:1]
    for (x0, y0), (x1, y1) in zip(pairs, pairs[1:]):
        middle = (x0 + x1) / 2
        out += {"pre": [(x0, y1)], "post": [(x1, y0)], "mid": [(middle, y0), (middle, y1)]}[where] + [(x1, y1)]
    return [p[0] for p in out], [p[1] for p in out]


def _based(options):
    """Takes the options of a logarithmic scale out of those of a line."""
    return {name: options.pop(name) for name in ("base", "subs", "nonpositive") if name in options}


class Artists(list):
    """What is drawn on axes. Each knows on which."""

    def __init__(self, axes):
        super().__init__()
        self._axes = axes

    def append(self, artist):
        artist.axes, artist.figure = self._axes, self._axes.figure
        super().append(artist)

    def __iadd__(self, artists):
        for artist in artists:
            self.append(artist)
        return self


@_options.known_as("Axes", "axes._axes")
class Axes(More):
    def __init__(self, figure, row=0, column=0, heights=(1.0,), widths=(1.0,), span=(1, 1)):
        self.figure = figure
        # Row, column, the relative heights and widths of all rows and columns, and how many this plot covers.
        self.cell = (row, column, list(heights), list(widths), span)
        # Axes with the same number share their limits. Only some of them have tick labels.
        self._shared = {"x": None, "y": None}
        self._labeled = {"x": True, "y": True}
        # The axes with the second x or y axis over these, and the axes that these are over.
        self._twin = self._host = self._ends = None
        self.cla()

    def cla(self):
        """Nothing drawn, nothing named."""
        self.artists, self.texts = Artists(self), Shown("texts", [])
        self.xaxis, self.yaxis = XAxis(self, "x"), YAxis(self, "y")
        self._spines = self._handles = None
        self._names, self._shaped, self._ticked = {}, False, {}
        self._ink = "#000000"
        self._mirrored = False
        self._cycle = self._fills = 0
        self._title = self._xlabel = self._ylabel = ""
        self._title_left = self._title_right = ""
        self._looks = {}
        self._title_size = matplotlib.rcParams["axes.titlesize"]
        self._xlim = self._ylim = (None, None)
        self._margins = {"x": None, "y": None}
        self._held = {"x": [], "y": []}
        self._xscale = self._yscale = "linear"
        self._bends = {"x": None, "y": None}
        self._xticks, self._yticks, self._exact_ticks = None, None, {}
        self._grid = None
        if matplotlib.rcParams["axes.grid"]:
            self.grid()
        self._legend = None
        self._shown = True
        self._equal = None
        self._inverted = False
        self._bar = self._colors = None
        self._categories = {"x": [], "y": []}
        self._turned = 0
        self._face = "#ffffff"

    clear = cla

    # -- data --

    def _next_color(self, of="_cycle"):
        count, colors = getattr(self, of), self._colors or CYCLE
        setattr(self, of, count + 1)
        return colors[count % len(colors)]

    def _numbers(self, data, axis="x"):
        """Converts to floats. Strings become positions along the axis."""
        if isinstance(data, str):
            data = [data]
        if not isinstance(data, (list, tuple)) and getattr(data, "ndim", 0) == 1 and not hasattr(data, "is_cuda") and len(data):
            # A column of strings is as good as a list of them.
            first = next(iter(data))
            data = [str(word) for word in data] if isinstance(first, str) else data
        if isinstance(data, (list, tuple)) and data and isinstance(data[0], str):
            known = self._categories[axis]
            for word in data:
                if word not in known:
                    known.append(word)
            return [float(known.index(word)) for word in data]
        if are_dates(data):
            (self.xaxis if axis == "x" else self.yaxis).of_dates()
            data = [data] if not hasattr(data, "__iter__") else data
        return values(data)

    def _place(self, at, axis):
        """One place along an axis."""
        return self._numbers([at], axis)[0] if are_dates(at) else float(at)

    def _columns(self, y):
        """The columns of two-dimensional data, or the data itself."""
        if isinstance(y, (list, tuple)) and not (y and isinstance(y[0], (list, tuple))):
            return [y]
        y = numpy.asarray(y)
        return [y[:, i] for i in range(y.shape[1])] if y.ndim == 2 else [y]

    def plot(self, *args, color=None, c=None, linewidth=None, lw=None, linestyle=None, ls=None, marker=None, markersize=None,
             ms=None, label=None, alpha=None, drawstyle=None, ds=None, **others):
        style = drawstyle or ds or "default"
        _options.one_of("drawstyle", style, ("default", "steps-mid", "steps-pre", "steps-post", "steps"))
        _refuse("plot", others, {"zorder", "markerfacecolor", "markeredgecolor", "solid_capstyle", "scalex",
                                 "scaley", "mfc", "mec", "antialiased", "aa", "mew", "markeredgewidth", "animated", "gid", "picker",
                                 "rasterized", "url", "solid_joinstyle", "dash_capstyle", "dash_joinstyle", "markevery"})
        for short, long, pair in (("c", "color", (c, color)), ("lw", "linewidth", (lw, linewidth)), ("ls", "linestyle", (ls, linestyle)),
                                  ("ms", "markersize", (ms, markersize))):
            if None not in pair:
                raise TypeError(f"Got both {long!r} and {short!r}, which are aliases of one another")
        made = []
        rest = list(args)
        while rest:
            x = rest.pop(0)
            y = rest.pop(0) if rest and not isinstance(rest[0], str) else None
            fmt = rest.pop(0) if rest and isinstance(rest[0], str) else ""
            columns = self._columns(x if y is None else y)
            for i, column in enumerate(columns):
                ys = self._numbers(column, "y")
                xs = [float(k) for k in range(len(ys))] if y is None else self._numbers(x)
                if len(xs) != len(ys):
                    raise ValueError(f"x and y must have same first dimension, but have shapes ({len(xs)},) and ({len(ys)},)")
                corners = None if style == "default" else (x if y is not None else xs, column)
                if style != "default":
                    xs, ys = _stairs(xs, ys, style.partition("-")[2] or "pre")
                told, mark, dashes = _format(fmt)
                ink = color if color is not None else c if c is not None else told
                if told is not None and told is not ink:
                    warnings.warn(f"color is redundantly defined by the 'color' keyword argument and the fmt string \"{fmt}\" (-> "
                                  f"color={(*to_rgb(told), 1)}). The keyword argument will take precedence.", UserWarning, stacklevel=2)
                line = linestyle if linestyle is not None else ls
                if line is None:
                    line = dashes if dashes is not None else "" if mark is not None else "-"
                name = label[i] if isinstance(label, (list, tuple)) else label
                made.append(Line2D(
                    xs, ys, ink if ink is not None else cycled(self),
                    linewidth or lw or matplotlib.rcParams["lines.linewidth"], line, marker if marker is not None else mark,
                    markersize or ms or matplotlib.rcParams["lines.markersize"], name, alpha))
                made[-1].given, made[-1].every = corners, places_of_markers(others.get("markevery"))
        self.artists += made
        return made

    def semilogy(self, *args, **options):
        self.set_yscale("log", **_based(options))
        return self.plot(*args, **options)

    def semilogx(self, *args, **options):
        self.set_xscale("log", **_based(options))
        return self.plot(*args, **options)

    def loglog(self, *args, **options):
        own = _based(options)
        self.set_xscale("log", **own)
        self.set_yscale("log", **own)
        return self.plot(*args, **options)

    def step(self, x, y, where="pre", **options):
        _options.one_of("where", where, ("pre", "post", "mid"))
        return self.plot(x, y, **{"drawstyle": f"steps-{where}", **options})

    def errorbar(self, x, y, yerr=None, xerr=None, fmt="", color=None, label=None, ecolor=None, elinewidth=None, capsize=None,
                 capthick=None, **others):
        if capsize:
            undrawn("the end of an error bar (capsize)")
        hidden = fmt.lower() == "none"
        line, = self.plot(x, y, "" if hidden else fmt, color=color, label=None if hidden else label, **others)
        if hidden:
            # Where its points are, there are only error bars.
            line.style, line.mark = "none", None
        ink, bars = line.color if ecolor is None else to_hex(ecolor), []
        for errors, upright in ((xerr, False), (yerr, True)):
            if errors is None:
                continue
            pair = numpy.asarray(errors)
            below, above = (values(pair[0]), values(pair[1])) if pair.ndim == 2 else (values(errors),) * 2
            below, above = (of * len(line.x) if len(of) == 1 else of for of in (below, above))
            _fit(line.x, below)
            if any(v < 0 for v in (*below, *above)):
                raise ValueError(f"'{'y' if upright else 'x'}err' must not contain negative values")
            for a, b, d, e in zip(line.x, line.y, below, above):
                ends = ([a, a], [b - d, b + e]) if upright else ([a - d, a + e], [b, b])
                bars.append(Line2D(*ends, ink, elinewidth or 1.5, "-", None, 0, None, None))
                self.artists.append(bars[-1])
        return ErrorbarContainer((None if hidden else line, (), tuple(bars)))

    def scatter(self, x, y, s=None, c=None, marker="o", cmap=None, vmin=None, vmax=None, alpha=None, label=None, color=None,
                edgecolors=None, edgecolor=None, **others):
        _refuse("scatter", others, {"zorder", "linewidths", "linewidth", "lw", "norm", "facecolors", "facecolor", "rasterized", "picker", "gid"})
        if c is not None and color is not None:
            raise ValueError("Supply a 'c' argument or a 'color' kwarg but not both; they differ but their functionalities overlap.")
        for name in ("facecolors", "facecolor"):
            if others.get(name) is not None:
                if isinstance(others[name], str) and others[name] == "none":
                    edgecolors = color if edgecolors is None and edgecolor is None else edgecolors
                if c is None:
                    color = others[name]
        xs, ys = self._numbers(x), self._numbers(y, "y")
        if len(xs) != len(ys):
            raise ValueError("x and y must be the same size")
        if s is not None and numpy.size(s) not in (1, len(xs)):
            raise ValueError(f"s (size {numpy.size(s)}) cannot be broadcast to match x and y (size {len(xs)})")
        sizes = values(s) if s is not None else [matplotlib.rcParams["lines.markersize"] ** 2]
        numbers = None
        c = color if color is not None else c
        if c is None:
            colors = [self._next_color("_fills")]
        elif isinstance(c, str) or isinstance(c, tuple) and len(c) in (3, 4) and all(isinstance(v, float) for v in c):
            try:
                colors = [to_hex(c)]
            except ValueError:
                raise ValueError(f"'c' argument must be a color, a sequence of colors, or a sequence of numbers, not {c!r}") from None
        elif isinstance(c, (list, tuple)) and c and (isinstance(c[0], str) or hasattr(c[0], "__len__")):
            colors = [to_hex(one) for one in c]
        else:
            vmin, vmax = ends_of(others.pop("norm", None), vmin, vmax)
            numbers, colors = mapping(cmap, vmin, vmax, values(c)), []
            count = len(numbers if isinstance(numbers, list) else numbers["values"])
            if count != len(xs):
                raise ValueError(f"'c' argument has {count} elements, which is inconsistent with 'x' and 'y' with size {len(xs)}.")
        ends = (None, None)
        if isinstance(numbers, list):
            seen = [v for v in values(c) if v == v]
            ends = tuple(numpy.float64(of(seen)) if end is None else float(end) for end, of in ((vmin, min), (vmax, max))) if seen else ends
            colors, numbers = numbers, None
        edge = edgecolors if edgecolors is not None else edgecolor
        if edge is not None and not (isinstance(edge, str) and edge in ("face", "none")):
            inks = {to_hex(one) for one in ([edge] if is_color_like(edge) else edge)}
            if len(inks) > 1:
                raise NotImplementedError("matplotlib: scatter(edgecolors=) with several colors")
            edge = inks.pop() if inks else None
        else:
            edge = None
        made = Points(xs, ys, sizes, colors, marker or "o", label, alpha, edge, numbers)
        made.ends = ends
        self.artists.append(made)
        self.figure._mapped = (self, made) if numbers is not None else self.figure._mapped
        return made

    def bar(self, x, height, width=0.8, bottom=None, align="center", color=None, label=None, alpha=None, edgecolor=None,
            tick_label=None, yerr=None, log=False, **others):
        _refuse("bar", others, {"zorder", "linewidth", "capsize", "hatch", "ecolor", "error_kw"})
        self._undrawn_parts(others)
        _options.one_of("align", align, ("center", "edge"))
        xs, hs = self._numbers(x), values(height)
        hs = hs * len(xs) if len(hs) == 1 else hs
        _fit(xs, hs, "'x'", "'height'")
        ws = values(width)
        base = values(bottom) if bottom is not None else [0.0]
        boxes = []
        for i, (a, h) in enumerate(zip(xs, hs)):
            w = ws[i % len(ws)]
            boxes.append((a - w / 2 if align == "center" else a, base[i % len(base)], w, h))
        if tick_label is not None:
            self.set_xticks(xs, tick_label)
        whole = are_whole(0.5, 0 if bottom is None else bottom, width, height)
        made = self._add_boxes(boxes, color, label, alpha, edgecolor, True, whole)
        if log:
            self.set_yscale("log")
        if yerr is not None:
            off = numpy.asarray(yerr).astype(float)
            low, high = off if off.ndim == 2 else (off, off)
            tops = numpy.array([b[1] + b[3] for b in boxes])
            self.vlines([b[0] + b[2] / 2 for b in boxes], tops - low, tops + high, colors=others.get("ecolor") or "black")
        return made

    @staticmethod
    def _undrawn_parts(others):
        from matplotlib._more import undrawn

        for name, what in (("hatch", "hatch"), ("capsize", "the end of an error bar (capsize)")):
            if others.get(name):
                undrawn(what)

    def barh(self, y, width, height=0.8, left=None, align="center", color=None, label=None, alpha=None, edgecolor=None, xerr=None,
             **others):
        _refuse("barh", others, {"zorder", "linewidth", "capsize", "ecolor"})
        self._undrawn_parts(others)
        _options.one_of("align", align, ("center", "edge"))
        ys, ws = self._numbers(y, "y"), values(width)
        ws = ws * len(ys) if len(ws) == 1 else ws
        _fit(ys, ws, "'y'", "'width'")
        base = values(left) if left is not None else [0.0]
        boxes = [(base[i % len(base)], b - height / 2 if align == "center" else b, w, height)
                 for i, (b, w) in enumerate(zip(ys, ws))]
        made = self._add_boxes(boxes, color, label, alpha, edgecolor, False, are_whole(0 if left is None else left, 0.5, width, height))
        if xerr is not None:
            low, high = numpy.broadcast_to(numpy.asarray(xerr).astype(float), (2, len(boxes)))
            ends = numpy.array([b[0] + b[2] for b in boxes])
            self.hlines([b[1] + b[3] / 2 for b in boxes], ends - low, ends + high, colors=others.get("ecolor") or "black")
        return made

    def _add_boxes(self, boxes, color, label, alpha, edge, upright, whole=(False,) * 4):
        colors = ([self._next_color("_fills")] if color is None else [to_hex(color)] if isinstance(color, str) else
                  [to_hex(one) for one in color] if isinstance(color, list) or numpy.ndim(color) == 2 else [to_hex(color)])
        made = Boxes(boxes, colors, label, alpha, to_hex(edge) if edge else None, upright, whole)
        self.artists.append(made)
        return made

    def fill_between(self, x, y1, y2=0, where=None, color=None, alpha=None, label=None, **others):
        _refuse("fill_between", others, {"zorder", "linewidth", "facecolor", "interpolate", "lw", "edgecolor"})
        color = others.get("facecolor") if color is None else color
        xs, a, b = self._numbers(x), values(y1), values(y2)
        b = b * len(xs) if len(b) == 1 else b
        a = a * len(xs) if len(a) == 1 else a
        if where is not None:
            told = [bool(v) for v in values(where)]
            _fit(xs, told)
            a, b = ([v if seen else numpy.nan for v, seen in zip(of, told)] for of in (a, b))
        made = Band(xs, b, a, to_hex(color) if color is not None else self._next_color("_fills"), label, alpha)
        self.artists.append(made)
        return made

    def axhline(self, y=0, xmin=0, xmax=1, **options):
        return self._rule(y, False, xmin, xmax, **options)

    def axvline(self, x=0, ymin=0, ymax=1, **options):
        return self._rule(x, True, ymin, ymax, **options)

    def _rule(self, at, upright, first, last, color=None, linewidth=None, lw=None, linestyle=None, ls=None, label=None, alpha=None, c=None,
              **others):
        _refuse("axhline", others, {"zorder", "clip_on", "antialiased", "dash_capstyle", "solid_capstyle", "gid", "scalex", "scaley"})
        ink = "C0" if color is None and c is None else c if color is None else color
        made = Rule(self._place(at, "x" if upright else "y"), upright, ink, linewidth or lw or 1.5, linestyle or ls or "-",
                    label, alpha)
        made.part = (float(first), float(last))
        made.late = made.part != (0.0, 1.0)
        self.artists.append(made)
        return made

    def text(self, x, y, s, fontdict=None, *, transform=None, clip_on=None, **options):
        return self._text(x, y, s, transform, {**(fontdict or {}), **options}, "'Text' object has no property {!r}")

    def _text(self, x, y, s, transform, options, form, kind=None):
        options = _options.words(options, form)
        if transform not in (None, self.transAxes, self.transData):
            raise NotImplementedError("matplotlib: text(transform=) other than ax.transAxes")
        size = _options.font(options.pop("fontsize", None), matplotlib.rcParams["font.size"])
        up = options.pop("verticalalignment", "baseline")
        made = (kind or (Placed if transform is not None and transform == self.transAxes else Words))(
            self._place(x, "x"), self._place(y, "y"), s, size, options.pop("color", "black"),
            options.pop("horizontalalignment", "left"), up)
        made.given = (x, y)
        made.set(**options)
        self.artists.append(made)
        self.texts.append(made)
        return made

    transAxes, transData = "the axes", "the data"

    def annotate(self, text, xy, xytext=None, xycoords="data", textcoords=None, arrowprops=None, annotation_clip=None, **options):
        textcoords = xycoords if textcoords is None else textcoords
        for name, given in (("xycoords", xycoords), ("textcoords", textcoords)):
            if given not in ("data", "axes fraction", "offset points", "offset pixels") or name == "xycoords" and given[:6] == "offset":
                known = [f"{of} {unit}" for of in ("figure", "axes", "subfigure", "offset") for unit in ("points", "pixels", "fraction")]
                if isinstance(given, str) and given not in (*known, "polar", "offset fontsize"):
                    raise ValueError(f"{given!r} is not a valid coordinate")
                raise NotImplementedError(f"matplotlib: annotate({name}={given!r})")
        if arrowprops is not None:
            _options.arrow(arrowprops)
        at = xy if xytext is None else xytext
        offset, inside = textcoords[:6] == "offset" and xytext is not None, textcoords == "axes fraction"
        made = self._text(*(xy if offset else at), text, self.transAxes if inside else None, options,
                          "'Annotation' object has no property {!r}", Beside if offset else NotedInside if inside else Noted)
        if offset:
            if xycoords != "data":
                raise NotImplementedError("matplotlib: annotate with offsets from a fraction of the axes")
            made.offset = [float(v) * (1 if textcoords == "offset points" else 0.72) for v in at]
        made.xy, made.xyann, made.anncoords, made.given = tuple(xy), tuple(at), textcoords, tuple(at)
        if arrowprops is not None and xytext is not None:
            if xycoords != "data":
                raise NotImplementedError("matplotlib: an arrow to a fraction of the axes")
            made.arrow = [self._place(v, axis) for v, axis in zip(xy, "xy")]
        return made

    def imshow(self, X, cmap=None, aspect=None, interpolation=None, alpha=None, vmin=None, vmax=None, origin=None, extent=None,
               norm=None, **others):
        _refuse("imshow", others, {"clim", "zorder", "resample", "filternorm", "filterrad", "interpolation_stage", "rasterized", "url"})
        if interpolation is not None and str(interpolation).lower() not in _SMOOTH:
            raise unknown("interpolation", interpolation, _SMOOTH)
        if interpolation not in (None, "nearest", "none", "antialiased", "auto"):
            undrawn("imshow(interpolation=) other than 'nearest'")
        if origin is not None:
            _options.one_of("origin", origin, ("upper", "lower"))
        if norm is not None and not (vmin is vmax is None):
            raise ValueError("Passing a Normalize instance simultaneously with vmin/vmax is not supported.  Please pass vmin/vmax as "
                             "arguments to the norm object when creating it")
        bent = norm if norm is not None and hasattr(norm, "_shares") else None
        vmin, vmax = (0.0, 1.0) if bent is not None else ends_of(norm, *(others.get("clim") or (vmin, vmax)))
        data = numpy.asarray(unmasked(X))
        if data.ndim == 3 and data.shape[-1] == 1:
            data = data[:, :, 0]
        if data.dtype.kind in "USMm" or data.dtype.kind == "O" and any(isinstance(v, str) for v in data.reshape(-1).tolist()):
            raise TypeError(f"Image data of dtype {data.dtype} cannot be converted to float")
        given = data
        if bent is not None and data.ndim == 2:
            data = bent._shares(data)
        if data.ndim not in (2, 3) or data.ndim == 3 and data.shape[-1] not in (3, 4):
            raise TypeError(f"Invalid shape {data.shape} for image data")
        numbers, rgb = None, []
        height, width = data.shape[:2]
        if data.ndim == 2:
            numbers = mapping(cmap, vmin, vmax, values(data))
            if isinstance(numbers, list):
                numbers, rgb = None, pixels(numbers)
        else:
            scale = 1 if data.dtype.kind in "iu" else 255
            rgb = [v * scale for v in values(data[:, :, :3])]
        origin = origin or matplotlib.rcParams["image.origin"]
        if extent is None:
            extent = (-0.5, width - 0.5, height - 0.5, -0.5) if origin == "upper" else (-0.5, width - 0.5, -0.5, height - 0.5)
            self._inverted = origin == "upper"
        made = AxesImage(height, width, numbers, rgb, alpha, extent, origin)
        made.cmap, made._given, made._bent, made._smooth = colormap(cmap), given, bent, interpolation or "auto"
        if aspect != "auto":
            self._equal = 1.0 if aspect in (None, "equal") else float(aspect)
        self.artists.append(made)
        self.figure._mapped = (self, made)
        return made

    def matshow(self, Z, **options):
        return self.imshow(Z, **options)

    def contour(self, *args, levels=None, colors=None, cmap=None, alpha=None, vmin=None, vmax=None, linewidths=None,
                linestyles=None, **others):
        _refuse("contour", others, {"zorder", "antialiased"})
        return _fields.contour(self, args, levels, colors, cmap, alpha, vmin, vmax, linewidths, linestyles)

    def contourf(self, *args, levels=None, colors=None, cmap=None, alpha=None, vmin=None, vmax=None, extend="neither", **others):
        _refuse("contourf", others, {"zorder", "antialiased"})
        return _fields.contourf(self, args, levels, colors, cmap, alpha, vmin, vmax, extend)

    def hlines(self, y, xmin, xmax, colors=None, linestyles="solid", label="", linewidth=None, linewidths=None, color=None,
               alpha=None, **others):
        linestyles, linewidth = others.pop("linestyle", others.pop("ls", linestyles)), others.pop("lw", linewidth)
        _refuse("hlines", others, {"zorder"})
        pen = (colors if color is None else color, linestyles, label, linewidths or linewidth, alpha)
        return self._strokes(y, xmin, xmax, False, *pen)

    def vlines(self, x, ymin, ymax, colors=None, linestyles="solid", label="", linewidth=None, linewidths=None, color=None,
               alpha=None, **others):
        linestyles, linewidth = others.pop("linestyle", others.pop("ls", linestyles)), others.pop("lw", linewidth)
        _refuse("vlines", others, {"zorder"})
        pen = (colors if color is None else color, linestyles, label, linewidths or linewidth, alpha)
        return self._strokes(x, ymin, ymax, True, *pen)

    def _strokes(self, at, low, high, upright, colors, style, label, width, alpha):
        """Lines beside each other: each at a place on one axis, and from one end to the other along the other axis."""
        places = self._numbers(at, "x" if upright else "y")
        ends = []
        for given in (low, high):
            given = self._numbers(given, "y" if upright else "x")
            if len(given) not in (1, len(places)):
                raise ValueError(f"shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 with "
                                 f"shape ({len(places)},) and arg 1 with shape ({len(given)},).")
            ends.append(given * len(places) if len(given) == 1 else given)
        lines = [[(place, a), (place, b)] if upright else [(a, place), (b, place)] for place, a, b in zip(places, *ends)]
        made = LineCollection(lines, colors=colors, linewidths=width, linestyles=style, label=label or None, alpha=alpha)
        self.artists.append(made)
        return made

    def stem(self, *args, linefmt="C0-", markerfmt="C0o", basefmt="C3-", bottom=0, label=None, **others):
        _refuse("stem", others, set())
        if len(args) not in (1, 2):
            raise TypeError(f"stem expected between 1 or 2 positional arguments, got {args}")
        ys = values(args[-1])
        xs = self._numbers(args[0]) if len(args) == 2 else [float(i) for i in range(len(ys))]
        color, _, style = _format(linefmt)
        stems = self._strokes(xs, bottom, ys, True, color, style or "-", None, None, None)
        heads, = self.plot(xs, ys, markerfmt, label=label)
        base, = self.plot([min(xs), max(xs)], [bottom, bottom], basefmt) if xs else self.plot([], [], basefmt)
        return StemContainer((heads, stems, base))

    def boxplot(self, x, vert=True, tick_labels=None, positions=None, widths=None, showfliers=True, showmeans=False,
                whis=1.5, orientation=None, patch_artist=False, **others):
        if "labels" in others:
            raise TypeError("Axes.boxplot() got an unexpected keyword argument 'labels'")
        _refuse("boxplot", others, {"zorder", "manage_ticks"})
        if orientation not in (None, "vertical", "horizontal"):
            raise ValueError(f"{orientation!r} is not a valid value for orientation; supported values are 'vertical', 'horizontal'")
        vert = vert and orientation != "horizontal"
        many = isinstance(x, (list, tuple)) and x and hasattr(x[0], "__len__")
        data = [values(part) for part in x] if many else [values(part) for part in self._columns(x)]
        at = [float(i + 1) for i in range(len(data))] if positions is None else values(positions)
        if len(at) != len(data):
            raise ValueError("List of boxplot statistics and `positions` values must have same the length")
        parts = {name: [] for name in ("whiskers", "caps", "boxes", "medians", "fliers", "means")}

        def line(kind, across, along, color="#000000", mark=None):
            made = Line2D(*((across, along) if vert else (along, across)), color, 1.0, "" if mark else "-", mark, 6.0, None, None)
            parts[kind].append(made)
            self.artists.append(made)

        wide = min(max(0.15 * (max(at) - min(at)), 0.15), 0.5) if at else 0.5
        for i, (place, numbers) in enumerate(zip(at, data)):
            half = (wide if widths is None else values(widths)[i % len(values(widths))]) / 2
            low, middle, high = (float(v) for v in numpy.percentile(numbers, [25, 50, 75]))
            reach = whis * (high - low)
            least = min([v for v in numbers if low - reach <= v <= low], default=low)
            most = max([v for v in numbers if high <= v <= high + reach], default=high)
            left, right = place - half, place + half
            if patch_artist:
                from matplotlib.patches import Polygon

                corners = [(left, low), (right, low), (right, high), (left, high)]
                box = Polygon(corners if vert else [(b, a) for a, b in corners], facecolor="C0", edgecolor="black")
                box.counts = True
                parts["boxes"].append(box)
                self.artists.append(box)
            else:
                line("boxes", [left, right, right, left, left], [low, low, high, high, low])
            for start, end in ((low, least), (high, most)):
                line("whiskers", [place, place], [start, end])
                line("caps", [place - half / 2, place + half / 2], [end, end])
            line("medians", [left, right], [middle, middle], CYCLE[1])
            if showmeans:
                line("means", [place], [float(numpy.mean(numbers))], CYCLE[2], "^")
            if showfliers:
                out = [v for v in numbers if not least <= v <= most]
                line("fliers", [place] * len(out), out, "#000000", "o")
        names = tick_labels
        names = [f"{v:g}" for v in at] if names is None else list(names)
        if self._held["x" if vert else "y"]:
            # Boxes that are added later keep the ticks of the ones before.
            old = self._xticks if vert else self._yticks
            places, names = [*old[0], *at], [*old[1], *names]
        else:
            places = at
        # The axis ends half a step beyond the boxes, without a margin.
        self._held["x" if vert else "y"] += [p + half for p in at for half in (-0.5, 0.5)]
        (self.set_xticks if vert else self.set_yticks)(places, names)
        return parts

    # -- names and limits --

    def set_title(self, label, fontdict=None, loc=None, pad=None, *, y=None, **options):
        loc = "center" if loc is None else loc.lower()
        _options.one_of("loc", loc, ("left", "center", "right"))
        made = Title(self, "_title" if loc == "center" else f"_title_{loc}")
        options = {**(fontdict or {}), **options, **({} if y is None else {"y": y})}
        _options.words(options)
        if loc == "center":
            self._title_size = matplotlib.rcParams["axes.titlesize"]
        made.fresh(label, options)
        if pad is not None:
            undrawn("set_title(pad=)")
        return made

    def set_xlabel(self, xlabel, fontdict=None, labelpad=None, *, loc=None, **options):
        return self._label("x", xlabel, labelpad, loc, ("left", "center", "right"), {**(fontdict or {}), **options})

    def set_ylabel(self, ylabel, fontdict=None, labelpad=None, *, loc=None, **options):
        return self._label("y", ylabel, labelpad, loc, ("bottom", "center", "top"), {**(fontdict or {}), **options})

    def _label(self, letter, text, pad, loc, places, options):
        made = Title(self, f"_{letter}label")
        if loc is not None:
            _options.one_of("loc", loc, places)
        _options.words(options, "'Text' object has no property {!r}")
        made.fresh(text, options)
        if loc not in (None, "center"):
            undrawn(f"set_{letter}label(loc=)")
            made.moved = (0, 0.5, 1)[places.index(loc)]
            made.look.update({"horizontalalignment": loc if letter == "x" else "right" if loc == "top" else "left", letter: made.moved})
        if pad is not None:
            (self.xaxis if letter == "x" else self.yaxis).labelpad = pad
            undrawn(f"set_{letter}label(labelpad=)")
        return made

    @property
    def title(self):
        return Title(self, "_title")

    def get_title(self, loc="center"):
        loc = loc.lower()
        if loc not in ("left", "center", "right"):
            raise ValueError(f"'{loc}' is not a valid location")
        return str(self._title if loc == "center" else getattr(self, f"_title_{loc}"))

    def get_xlabel(self):
        return str(self._xlabel)

    def get_ylabel(self):
        return str(self._ylabel)

    def __repr__(self):
        titles = {loc: self.get_title(loc) for loc in ("left", "center", "right") if self.get_title(loc)}
        parts = [f"title={titles}"] if titles else []
        parts += [f"{letter}label={text!r}" for letter, text in (("x", self.get_xlabel()), ("y", self.get_ylabel())) if text]
        return f"<{type(self).__name__}: {', '.join(parts)}>"

    def __str__(self):
        place = self.get_position()
        return f"{type(self).__name__}({place.x0:g},{place.y0:g};{place.width:g}x{place.height:g})"

    def set(self, **properties):
        for name in properties:
            if not hasattr(self, f"set_{name}"):
                raise AttributeError(f"{type(self).__name__}.set() got an unexpected keyword argument {name!r}")
        return [getattr(self, f"set_{name}")(value) for name, value in properties.items()]

    def set_xlim(self, left=None, right=None, *, emit=True, auto=False, xmin=None, xmax=None):
        return self._set_ends("x", ("left", left), ("right", right), xmin, xmax)

    def set_ylim(self, bottom=None, top=None, *, emit=True, auto=False, ymin=None, ymax=None):
        return self._set_ends("y", ("bottom", bottom), ("top", top), ymin, ymax)

    def _set_ends(self, letter, first, second, least, most):
        for (name, given), other, end in ((first, least, "min"), (second, most, "max")):
            if given is not None and other is not None:
                raise TypeError(f"Cannot pass both {name!r} and '{letter}{end}'")
        low, high = _pair(first[1], second[1], least, most)
        before = getattr(self, f"_{letter}lim")
        # An end that isn't given stays as it is.
        setattr(self, f"_{letter}lim", _options.identical(self, letter, before[0] if low is None else low, before[1] if high is None else high))
        return tuple(own if own is not None else end if self.artists else float(end)
                     for own, end in zip(getattr(self, f"_{letter}lim"), self._limits()["xy".index(letter)]))

    def get_xlim(self):
        return self._limits()[0]

    def get_ylim(self):
        return self._limits()[1]

    def set_xscale(self, value, **options):
        for ax in self._sharers("x"):
            ax._xscale, ax._bends["x"] = _scales.scale(value, options)

    def set_yscale(self, value, **options):
        for ax in self._sharers("y"):
            ax._yscale, ax._bends["y"] = _scales.scale(value, options)

    def _sharers(self, axis):
        """The axes that share limits along x or y, including these."""
        number = self._shared[axis]
        others = [] if number is None else [ax for ax in self.figure._plots if ax._shared[axis] == number]
        return others if self in others else [self]

    def set_xticks(self, ticks, labels=None, *, minor=False, **options):
        return self._set_ticks("x", ticks, labels, minor, options)

    def set_yticks(self, ticks, labels=None, *, minor=False, **options):
        return self._set_ticks("y", ticks, labels, minor, options)

    def _set_ticks(self, letter, ticks, labels, minor, options):
        if labels is None and options:
            raise ValueError(f"Incorrect use of keyword argument {next(iter(options))!r}. Keyword arguments other than 'minor' modify the "
                             "text labels and can only be used if 'labels' are passed as well.")
        _options.words(options)
        if minor:
            return self._set_minor_ticks(letter, ticks, labels)
        self._ticked[letter] = len(self.artists)
        axis = self.xaxis if letter == "x" else self.yaxis
        setattr(self, f"_{letter}ticks", _ticks(self._numbers(ticks, letter) if are_dates(ticks) else ticks, labels))
        axis.locator = None
        self._exact_ticks[letter] = numpy.asarray(ticks)
        if labels is not None:
            axis.formatter = None
            self._tick_look(letter, options)
        return ticks_of(self, letter)

    def _tick_look(self, letter, options):
        """The appearance of tick labels: those of the x axis can be turned."""
        for name, value in _options.words(options).items():
            if name == "rotation" and letter == "x":
                self._turned = _options.angle(value)
            elif name not in ("horizontalalignment", "rotation_mode", "verticalalignment", "zorder") and value not in (None, 0):
                undrawn(f"the {name} of tick labels")

    def set_xticklabels(self, labels, *, minor=False, fontdict=None, **options):
        self._set_ticklabels("x", labels, minor, {**(fontdict or {}), **options})
        return [] if minor else self.get_xticklabels()

    def set_yticklabels(self, labels, *, minor=False, fontdict=None, **options):
        self._set_ticklabels("y", labels, minor, {**(fontdict or {}), **options})
        return [] if minor else self.get_yticklabels()

    def _set_ticklabels(self, letter, labels, minor, options):
        _options.words(options)
        if minor:
            return undrawn("a minor tick")
        axis, own = self.xaxis if letter == "x" else self.yaxis, getattr(self, f"_{letter}ticks")
        setattr(self, f"_{letter}ticks", _ticks(own[0] if own else range(len(labels)), [getattr(t, "get_text", lambda t=t: t)() for t in labels]))
        axis.locator = axis.formatter = None
        self._tick_look(letter, options)

    def tick_params(self, axis="both", **options):
        _options.tick_params(self, axis, options)

    def grid(self, visible=None, which="major", axis="both", **options):
        for name in options:
            if name not in _options.LINE:
                raise _options.unticked(f"grid_{name}")
        _options.one_of("axis", axis, ("x", "y", "both"))
        _options.one_of("which", which, ("major", "minor", "both"))
        if which == "minor":
            return undrawn("a grid of minor ticks")
        options = _options.once(options, {"c": "color", "lw": "linewidth", "ls": "linestyle"})
        for name in options.keys() & {"dashes", "marker", "drawstyle"}:
            undrawn(f"grid({name}=)")
        before = self._grid or {"x": False, "y": False}
        # Without anything said, `grid()` turns it off where it is on.
        on = {of: not before[of] if visible is None and not options else visible is None or bool(visible) for of in "xy"}
        shown = {of: on[of] if axis in ("both", of) else before[of] for of in "xy"}
        line = stroke(_options.color(options.get("color", "#b0b0b0")), options.get("linewidth", 0.8), line_style(options.get("linestyle", "-")),
                      options.get("alpha"))
        self._grid = {**shown, "line": line if options or "line" not in before else before["line"]} if shown["x"] or shown["y"] else None

    def legend(self, *args, loc="best", fontsize=None, title=None, handles=None, labels=None, **others):
        _options.legend(others)
        if fontsize is None and isinstance(others.get("prop"), dict):
            fontsize = others["prop"].get("size")
        if len(args) == 2:
            handles, labels = args
        elif len(args) == 1:
            labels = args[0]
        if handles is not None and labels is not None and len(handles) != len(labels):
            warnings.warn(f"Mismatched number of handles and labels: len(handles) = {len(handles)} len(labels) = {len(labels)}", UserWarning,
                          stacklevel=2)
        if handles is None and labels is None and not self.get_legend_handles_labels()[0]:
            warnings.warn("No artists with labels found to put in legend.  Note that artists whose label start with an underscore are ignored "
                          "when legend() is called with no argument.", UserWarning, stacklevel=2)
        if handles is not None:
            handles = [h[0] if isinstance(h, (list, tuple)) else h for h in handles]
        elif labels is not None:
            handles = [a for a in self.artists if not isinstance(a, (Words, AxesImage))]
        if labels is not None:
            handles = handles[:len(labels)]
        if handles is None:
            # What is drawn later isn't in it.
            handles = self.get_legend_handles_labels()[0]
        # The names of this legend; the labels of the artists stay.
        self._handles, self._names = handles, {} if labels is None else {id(a): str(name) for a, name in zip(handles, labels)}
        if isinstance(loc, tuple):
            undrawn("legend(loc=(x, y))")
            loc = "best"
        place = _PLACES[loc] if isinstance(loc, int) and 0 <= loc < len(_PLACES) else loc
        if isinstance(place, int):
            raise ValueError(f"loc must be string, coordinate tuple, or an integer 0-10, not {loc!r}")
        if place not in _PLACES:
            raise unknown("loc", loc, _PLACES)
        self._legend = {"place": place, "size": _font(fontsize, matplotlib.rcParams["font.size"]),
                        "title": None if title is None else str(title)}
        self._legend_look = others
        return self.get_legend()

    def get_legend(self):
        from matplotlib._late import Legend

        return None if self._legend is None else Legend.of(self)

    def axis(self, arg=None, /, *, emit=True, **ends):
        for name in ends:
            if name not in ("xmin", "xmax", "ymin", "ymax"):
                raise TypeError(f"axis() got an unexpected keyword argument {name!r}")
        if ends:
            self.set_xlim(xmin=ends.get("xmin"), xmax=ends.get("xmax"))
            self.set_ylim(ymin=ends.get("ymin"), ymax=ends.get("ymax"))
        arg = arg.lower() if isinstance(arg, str) else arg
        if isinstance(arg, (list, tuple)):
            self.set_xlim(arg[0], arg[1])
            self.set_ylim(arg[2], arg[3])
        elif arg in ("off", False):
            self._shown = False
        elif arg in ("on", True):
            self._shown = True
        elif arg in ("equal", "scaled", "image", "square"):
            self._equal, self._shaped = 1.0, True
        elif arg in ("tight", "auto"):
            self._shaped = True
        elif arg is not None:
            raise ValueError(f"Unrecognized string {arg!r} to axis; try 'on' or 'off'")
        (x0, x1), (y0, y1) = self._limits()
        return x0, x1, y0, y1

    def set_aspect(self, aspect, adjustable=None, anchor=None, share=False):
        self._equal = 1.0 if aspect == "equal" else None if aspect == "auto" else float(aspect)

    def set_facecolor(self, color):
        try:
            self._face = to_hex(color)
        except ValueError:
            raise ValueError(f"Invalid RGBA argument: {color!r}") from None

    @property
    def lines(self):
        return Shown("lines", [a for a in self.artists if isinstance(a, (Line2D, Rule))])

    @property
    def collections(self):
        return Shown("collections", [a for a in self.artists if isinstance(a, (Points, Band, Mesh, Group, _fields.ContourSet)) and not a.hidden])

    def get_legend_handles_labels(self):
        named = [a for a in self.artists if _named(a)]
        return named, [a.label for a in named]

    def violinplot(self, dataset, positions=None, **options):
        from matplotlib import _late

        return _late.violinplot(self, dataset, positions, **options)

    def spy(self, Z, **options):
        from matplotlib import _late

        return _late.spy(self, Z, **options)

    def label_outer(self):
        from matplotlib import _late

        _late.label_outer(self)

    def clabel(self, CS, levels=None, **options):
        undrawn("clabel")
        return []

    def locator_params(self, axis="both", tight=None, **options):
        _options.one_of("axis", axis, ("x", "y", "both"))
        for name in options:
            if name not in ("nbins", "steps", "integer", "symmetric", "prune", "min_n_ticks", "numticks", "subs", "base"):
                raise TypeError(f"set_params() got an unexpected keyword argument {name!r}")
        undrawn("locator_params")

    def ticklabel_format(self, *, axis="both", style=None, scilimits=None, useOffset=None, useLocale=None, useMathText=None):
        style = style.lower() if isinstance(style, str) else style
        _options.one_of("axis", axis, ("x", "y", "both"))
        _options.one_of("style", style, ("sci", "scientific", "plain", "", None))
        if style in ("sci", "scientific") or scilimits is not None:
            undrawn("ticklabel_format(style='sci')")

    def set_frame_on(self, b):
        if not b:
            undrawn("a plot without a frame")

    def set_box_aspect(self, aspect=None):
        if aspect is not None:
            undrawn("set_box_aspect")

    def __getattr__(self, name):
        if name[:1] != "_":
            from matplotlib import _late

            if name in _late.LACKING:
                raise _late.lacking("matplotlib: Axes", name)
        raise AttributeError(f"'Axes' object has no attribute {name!r}")

    def _limits(self):
        """The limits of the axes: those that were set, or else those of the data plus a margin."""
        known = self.figure._plots if self in self.figure._plots else [self]
        x0, x1, y0, y1 = _scales.back(self, _torch._figure_ends(self.figure._spec(known))[known.index(self)])
        if any(self._bends.values()):
            # What the program set isn't rounded on the way.
            x0, x1, y0, y1 = (end if own is None else own for own, end in zip((*self._xlim, *self._ylim), (x0, x1, y0, y1)))
        return (numpy.float64(x0), numpy.float64(x1)), (numpy.float64(y0), numpy.float64(y1))

    def _spec(self, ends=None):
        """Everything to draw. The first time it isn't known yet where the axes end."""
        row, column, heights, widths, (tall, wide) = self.cell
        data = ends if ends is None else _scales.back(self, ends)
        drawn, places = _layers.stacked(self, _scales.bent(self, self._drawn(data)), data)
        bar = None
        if self._bar is not None:
            mappable, label = self._bar
            before = sum(map(len, drawn[:places[self.artists.index(mappable)]]))
            bar = {"artist": before, "label": None if label is None else str(label)}
        (xlim, ylim), (xticks, yticks) = (self._xlim, self._ylim), (self._xticks, self._yticks)
        if ends is None:
            xlim, ylim = (self._with_margin(name, _scales.moved(self, name, lim), drawn) for name, lim in (("x", xlim), ("y", ylim)))
        else:
            xlim, ylim = (ends[0], ends[1]), (ends[2], ends[3])
            xticks, yticks = _scales.ticks(self, "x", data[:2]), _scales.ticks(self, "y", data[2:])
        title, size = str(self._title or self._twin and self._twin._title or ""), self._title_size
        if not title and (self._title_left or self._title_right):
            # Room for the titles at the sides.
            title = "\u00a0"
        if self._twin is not None:
            # The ticks and the name of the second axis are between the title and the frame.
            size = size if title else matplotlib.rcParams["font.size"]
            lines = (title, self._twin._xlabel, "\u00a0") if self._twin_letter == "x" else (title, "\u00a0" if self._twin._ylabel else "")
            title = "\n".join(str(part) for part in lines if part)
        return {
            "cell": {"row": row, "column": column, "tall": tall, "wide": wide, "heights": heights, "widths": widths},
            "title": {"text": title, "size": float(size)},
            "x": self._axis("x", self._xlabel, xlim, self._xscale, self._mirrored, xticks, self._turned),
            "y": self._axis("y", self._ylabel, ylim, self._yscale, self._inverted, yticks, 0),
            "grid": self._grid, "legend": self._legend or self._twin and self._twin._legend, "shown": self._shown, "aspect": self._equal, "bar": bar,
            "face": self._face, "font": float(matplotlib.rcParams["font.size"]),
            "artists": [one for made in drawn for one in made],
        }

    def _axis(self, axis, name, ends, scale, inverted, ticks, turned):
        at, names = (None, None) if ticks is None else ticks
        return {"name": str(name), "ends": list(ends), "log": scale == "log", "inverted": inverted, "marks": at, "labels": names,
                "words": [str(word) for word in self._categories[axis]], "turned": float(turned),
                "shared": self._shared[axis], "labeled": self._labeled[axis]}

    def words(self):
        """A sentence that describes the plot, for people who can't see it."""
        parts = [str(of) for of in (self._title_left, self._title, self._title_right) if of]
        if self._xlabel or self._ylabel:
            parts.append(" against ".join(str(v) for v in (self._ylabel, self._xlabel) if v))
        named = [str(a.label) for a in self.artists if _named(a)]
        if named:
            parts.append("shown: " + ", ".join(named))
        kinds = {}
        for a in self.artists:
            kind = {Line2D: "line", Points: "scatter", Boxes: "bars", AxesImage: "image"}.get(type(a))
            if kind:
                kinds[kind] = kinds.get(kind, 0) + 1
        parts.append(", ".join(f"{count} {kind}{'s' if count > 1 and kind == 'line' else ''}" for kind, count in kinds.items()))
        return "; ".join(p for p in parts if p)


def _named(artist):
    return artist.label is not None and not str(artist.label).startswith("_") and not isinstance(artist, (Words, AxesImage))


def _fit(places, sizes, first="arg 0", second="arg 1"):
    """Refuses bars with too many or too few sizes."""
    if len(places) != len(sizes):
        raise ValueError(f"shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between {first} with shape "
                         f"({len(places)},) and {second} with shape ({len(sizes)},).")


def _ticks(places, labels):
    places = values(places)
    if labels is not None and len(places) != len(labels):
        raise ValueError(f"The number of FixedLocator locations ({len(places)}), usually from a call to set_ticks, does not match "
                         f"the number of labels ({len(labels)}).")
    return places, None if labels is None else [str(label) for label in labels]


def _pair(low, high, least, most):
    if high is None and hasattr(low, "__len__"):
        low, high = low
    low, high = least if low is None else low, most if high is None else high
    return tuple(None if v is None else values([v])[0] if are_dates(v) else float(v) for v in (low, high))

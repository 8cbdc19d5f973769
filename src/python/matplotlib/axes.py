"""One plot: its data, its axes, its labels."""

import numpy

import _torch
import matplotlib
from matplotlib import _fields
from matplotlib._more import Axis, More, Placed, Title, undrawn
from matplotlib._artists import (
    MARKERS, AxesImage, Band, Boxes, Line2D, Points, Rule, Words, are_dates, ends_of, line_style, mapping, pixels, stroke, unknown,
    unmasked, values,
)
from matplotlib.colors import CYCLE, colormap, to_hex

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


class StemContainer(tuple):
    """What `stem` returns: the heads, the stems and the base line."""

    markerline = property(lambda self: self[0])
    stemlines = property(lambda self: self[1])
    baseline = property(lambda self: self[2])


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


class Axes(More):
    def __init__(self, figure, row=0, column=0, heights=(1.0,), widths=(1.0,), span=(1, 1)):
        self.figure = figure
        # Row, column, the relative heights and widths of all rows and columns, and how many this plot covers.
        self.cell = (row, column, list(heights), list(widths), span)
        # Axes with the same number share their limits. Only some of them have tick labels.
        self._shared = {"x": None, "y": None}
        self._labelled = {"x": True, "y": True}
        # The axes with the second x or y axis over these, and the axes that these are over.
        self._twin = self._host = self._ends = None
        self.cla()

    def cla(self):
        """Nothing drawn, nothing named."""
        self.artists, self.texts = Artists(self), []
        self.xaxis, self.yaxis = Axis(self, "x"), Axis(self, "y")
        self._spines = self._handles = None
        self._ink = "#000000"
        self._mirrored = False
        self._cycle = 0
        self._title = self._xlabel = self._ylabel = ""
        self._title_size = matplotlib.rcParams["axes.titlesize"]
        self._xlim = self._ylim = (None, None)
        self._margins = {"x": None, "y": None}
        self._held = {"x": [], "y": []}
        self._xscale = self._yscale = "linear"
        self._xticks = self._yticks = None
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

    def _next_color(self):
        self._cycle += 1
        colors = self._colors or CYCLE
        return colors[(self._cycle - 1) % len(colors)]

    def _numbers(self, data, axis="x"):
        """Converts to floats. Strings become positions along the axis."""
        if isinstance(data, str):
            data = [data]
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
             ms=None, label=None, alpha=None, **others):
        _refuse("plot", others, {"zorder", "markerfacecolor", "markeredgecolor", "drawstyle", "solid_capstyle", "scalex",
                                 "scaley", "mfc", "mec", "antialiased", "mew", "markeredgewidth", "animated"})
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
                told, mark, style = _format(fmt)
                ink = color if color is not None else c if c is not None else told
                line = linestyle if linestyle is not None else ls
                if line is None:
                    line = style if style is not None else "" if mark is not None else "-"
                name = label[i] if isinstance(label, (list, tuple)) else label
                made.append(Line2D(
                    xs, ys, to_hex(ink) if ink is not None else self._next_color(),
                    linewidth or lw or matplotlib.rcParams["lines.linewidth"], line, marker if marker is not None else mark,
                    markersize or ms or matplotlib.rcParams["lines.markersize"], name, alpha))
        self.artists += made
        return made

    def semilogy(self, *args, **options):
        self.set_yscale("log")
        return self.plot(*args, **options)

    def semilogx(self, *args, **options):
        self.set_xscale("log")
        return self.plot(*args, **options)

    def loglog(self, *args, **options):
        self.set_xscale("log")
        return self.semilogy(*args, **options)

    def step(self, x, y, where="pre", **options):
        xs, ys = self._numbers(x), self._numbers(y, "y")
        pairs = list(zip(xs, ys))
        out = pairs[:1]
        for (x0, y0), (x1, y1) in zip(pairs, pairs[1:]):
            middle = (x0 + x1) / 2
            out += {"pre": [(x0, y1)], "post": [(x1, y0)], "mid": [(middle, y0), (middle, y1)]}[where] + [(x1, y1)]
        return self.plot([p[0] for p in out], [p[1] for p in out], **options)

    def errorbar(self, x, y, yerr=None, xerr=None, fmt="", color=None, label=None, ecolor=None, **others):
        others = {k: v for k, v in others.items() if k not in ("capsize", "elinewidth", "capthick")}
        if fmt.lower() == "none":
            raise NotImplementedError("matplotlib: errorbar(fmt='none')")
        line, = self.plot(x, y, fmt, color=color, label=label, **others)
        ink = line.color if ecolor is None else to_hex(ecolor)
        for errors, upright in ((yerr, True), (xerr, False)):
            if errors is None:
                continue
            pair = numpy.asarray(errors)
            below, above = (values(pair[0]), values(pair[1])) if pair.ndim == 2 else (values(errors),) * 2
            below, above = (of * len(line.x) if len(of) == 1 else of for of in (below, above))
            _fit(line.x, below)
            for a, b, d, e in zip(line.x, line.y, below, above):
                ends = ([a, a], [b - d, b + e]) if upright else ([a - d, a + e], [b, b])
                self.artists.append(Line2D(*ends, ink, 1.5, "-", None, 0, None, None))
        return line

    def scatter(self, x, y, s=None, c=None, marker="o", cmap=None, vmin=None, vmax=None, alpha=None, label=None, color=None,
                edgecolors=None, edgecolor=None, **others):
        _refuse("scatter", others, {"zorder", "linewidths", "linewidth", "norm"})
        xs, ys = self._numbers(x), self._numbers(y, "y")
        if len(xs) != len(ys):
            raise ValueError("x and y must be the same size")
        sizes = values(s) if s is not None else [matplotlib.rcParams["lines.markersize"] ** 2]
        numbers = None
        c = color if color is not None else c
        if c is None:
            colors = [self._next_color()]
        elif isinstance(c, str) or isinstance(c, tuple) and len(c) in (3, 4) and all(isinstance(v, float) for v in c):
            colors = [to_hex(c)]
        elif isinstance(c, (list, tuple)) and c and (isinstance(c[0], str) or hasattr(c[0], "__len__")):
            colors = [to_hex(one) for one in c]
        else:
            vmin, vmax = ends_of(others.pop("norm", None), vmin, vmax)
            numbers, colors = mapping(cmap, vmin, vmax, values(c)), []
            count = len(numbers if isinstance(numbers, list) else numbers["values"])
            if count != len(xs):
                raise ValueError(f"'c' argument has {count} elements, which is inconsistent with 'x' and 'y' with size {len(xs)}.")
        if isinstance(numbers, list):
            colors, numbers = numbers, None
        edge = edgecolors if edgecolors is not None else edgecolor
        edge = to_hex(edge) if isinstance(edge, str) and edge not in ("face", "none") else None
        made = Points(xs, ys, sizes, colors, marker or "o", label, alpha, edge, numbers)
        self.artists.append(made)
        self.figure._mapped = (self, made) if numbers is not None else self.figure._mapped
        return made

    def bar(self, x, height, width=0.8, bottom=None, align="center", color=None, label=None, alpha=None, edgecolor=None,
            tick_label=None, yerr=None, log=False, **others):
        _refuse("bar", others, {"zorder", "linewidth", "capsize", "hatch", "ecolor", "error_kw"})
        self._undrawn_parts(others)
        xs, hs = self._numbers(x), values(height)
        hs = hs * len(xs) if len(hs) == 1 else hs
        _fit(xs, hs)
        ws = values(width)
        base = values(bottom) if bottom is not None else [0.0]
        boxes = []
        for i, (a, h) in enumerate(zip(xs, hs)):
            w = ws[i % len(ws)]
            boxes.append((a - w / 2 if align == "center" else a, base[i % len(base)], w, h))
        if tick_label is not None:
            self.set_xticks(xs, tick_label)
        made = self._add_boxes(boxes, color, label, alpha, edgecolor, True)
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

    def barh(self, y, width, height=0.8, left=None, align="center", color=None, label=None, alpha=None, edgecolor=None, **others):
        _refuse("barh", others, {"zorder", "linewidth"})
        ys, ws = self._numbers(y, "y"), values(width)
        ws = ws * len(ys) if len(ws) == 1 else ws
        _fit(ys, ws)
        base = values(left) if left is not None else [0.0]
        boxes = [(base[i % len(base)], b - height / 2 if align == "center" else b, w, height)
                 for i, (b, w) in enumerate(zip(ys, ws))]
        return self._add_boxes(boxes, color, label, alpha, edgecolor, False)

    def _add_boxes(self, boxes, color, label, alpha, edge, upright):
        colors = ([self._next_color()] if color is None else [to_hex(color)] if isinstance(color, str) else
                  [to_hex(one) for one in color] if isinstance(color, list) else [to_hex(color)])
        made = Boxes(boxes, colors, label, alpha, to_hex(edge) if edge else None, upright)
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
        made = Band(xs, b, a, to_hex(color) if color is not None else self._next_color(), label, alpha)
        self.artists.append(made)
        return made

    def axhline(self, y=0, color="C0", linewidth=None, lw=None, linestyle=None, ls=None, label=None, alpha=None, c=None, **others):
        return self._rule(y, False, c or color, linewidth or lw or 1.5, linestyle or ls or "-", label, alpha)

    def axvline(self, x=0, color="C0", linewidth=None, lw=None, linestyle=None, ls=None, label=None, alpha=None, c=None, **others):
        return self._rule(x, True, c or color, linewidth or lw or 1.5, linestyle or ls or "-", label, alpha)

    def _rule(self, at, upright, color, width, style, label, alpha):
        made = Rule(self._place(at, "x" if upright else "y"), upright, to_hex(color), width, style, label, alpha)
        self.artists.append(made)
        return made

    def text(self, x, y, s, fontsize=None, size=None, color="k", ha="left", va="baseline", horizontalalignment=None,
             verticalalignment=None, transform=None, bbox=None, rotation=None, c=None, **others):
        if bbox is not None:
            undrawn("text(bbox=)")
        if rotation not in (None, 0, "horizontal"):
            undrawn("text(rotation=)")
        if transform not in (None, self.transAxes, self.transData):
            raise NotImplementedError("matplotlib: text(transform=) other than ax.transAxes")
        made = (Placed if transform is not None and transform == self.transAxes else Words)(
            self._place(x, "x"), self._place(y, "y"), s, fontsize or size or matplotlib.rcParams["font.size"], to_hex(color if c is None else c),
            horizontalalignment or ha, {"center_baseline": "center"}.get(verticalalignment or va, verticalalignment or va))
        self.artists.append(made)
        self.texts.append(made)
        return made

    transAxes, transData = "the axes", "the data"

    def annotate(self, text, xy, xytext=None, **others):
        made = self.text(*(xytext if xytext is not None else xy), text, fontsize=others.get("fontsize"),
                         color=others.get("color", "k"), ha=others.get("ha", "left"), va=others.get("va", "baseline"))
        if others.get("arrowprops") is not None and xytext is not None:
            made.arrow = [self._place(v, axis) for v, axis in zip(xy, "xy")]
        return made

    def imshow(self, X, cmap=None, aspect=None, interpolation=None, alpha=None, vmin=None, vmax=None, origin=None, extent=None,
               norm=None, **others):
        bent = norm if norm is not None and hasattr(norm, "_shares") else None
        vmin, vmax = (0.0, 1.0) if bent is not None else ends_of(norm, *(others.get("clim") or (vmin, vmax)))
        data = numpy.asarray(unmasked(X))
        if data.ndim == 3 and data.shape[-1] == 1:
            data = data[:, :, 0]
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
        made.cmap, made._given, made._bent = colormap(cmap), given, bent
        if aspect != "auto":
            self._equal = 1.0
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
        inks = [to_hex("C0" if colors is None else colors)] if colors is None or isinstance(colors, str) else [
            to_hex(one) for one in colors]
        made = []
        for i, (place, a, b) in enumerate(zip(places, *ends)):
            along, across = [a, b], [place, place]
            made.append(Line2D(*((across, along) if upright else (along, across)), inks[i % len(inks)],
                               width or matplotlib.rcParams["lines.linewidth"], style, None, 0, label if label and not i else None,
                               alpha))
        self.artists += made
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

    def boxplot(self, x, vert=True, labels=None, tick_labels=None, positions=None, widths=None, showfliers=True, showmeans=False,
                whis=1.5, orientation=None, patch_artist=False, **others):
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
        names = labels if tick_labels is None else tick_labels
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

    def set_title(self, label, fontsize=None, **others):
        self._title = label
        self._title_size = _font(fontsize, matplotlib.rcParams["axes.titlesize"])
        return self.title

    def set_xlabel(self, xlabel, **others):
        self._xlabel = xlabel
        return Title(self, "_xlabel")

    def set_ylabel(self, ylabel, color=None, **others):
        self._ink = self._ink if color is None else to_hex(color)
        self._ylabel = ylabel
        return Title(self, "_ylabel")

    @property
    def title(self):
        return Title(self, "_title")

    def get_title(self):
        return self._title

    def get_xlabel(self):
        return self._xlabel

    def get_ylabel(self):
        return self._ylabel

    def set(self, **properties):
        for name, value in properties.items():
            getattr(self, f"set_{name}")(value)

    def set_xlim(self, left=None, right=None, **others):
        self._xlim = _pair(left, right, others.get("xmin"), others.get("xmax"))
        return self._xlim

    def set_ylim(self, bottom=None, top=None, **others):
        self._ylim = _pair(bottom, top, others.get("ymin"), others.get("ymax"))
        return self._ylim

    def get_xlim(self):
        return self._limits()[0]

    def get_ylim(self):
        return self._limits()[1]

    def invert_yaxis(self):
        self._inverted = not self._inverted

    def set_xscale(self, value, **others):
        for ax in self._sharers("x"):
            ax._xscale = _scale(value)

    def set_yscale(self, value, **others):
        for ax in self._sharers("y"):
            ax._yscale = _scale(value)

    def _sharers(self, axis):
        """The axes that share limits along x or y, including these."""
        number = self._shared[axis]
        others = [] if number is None else [ax for ax in self.figure.axes if ax._shared[axis] == number]
        return others if self in others else [self]

    def set_xticks(self, ticks, labels=None, rotation=0, **others):
        self._xticks, self.xaxis.locator = _ticks(ticks, labels), None
        if labels is not None:
            self.xaxis.formatter = None
        self._turned = _angle(rotation)

    def set_yticks(self, ticks, labels=None, **others):
        self._yticks, self.yaxis.locator = _ticks(ticks, labels), None
        if labels is not None:
            self.yaxis.formatter = None

    def set_xticklabels(self, labels, rotation=0, **others):
        self._xticks = _ticks(self._xticks[0] if self._xticks else range(len(labels)), labels)
        self.xaxis.locator = self.xaxis.formatter = None
        self._turned = _angle(rotation)

    def set_yticklabels(self, labels, **others):
        self._yticks = _ticks(self._yticks[0] if self._yticks else range(len(labels)), labels)
        self.yaxis.locator = self.yaxis.formatter = None

    def tick_params(self, axis="both", labelrotation=None, rotation=None, labelcolor=None, colors=None, **others):
        self._ink = to_hex(labelcolor or colors or self._ink)
        self._turned = _angle(labelrotation or rotation or self._turned)

    def grid(self, visible=True, which="major", axis="both", alpha=None, linestyle="-", color="#b0b0b0", linewidth=0.8, **others):
        line = stroke(to_hex(color), others.get("lw", linewidth), line_style(others.get("ls", linestyle)), alpha)
        self._grid = None if visible is False else {"x": axis in ("both", "x"), "y": axis in ("both", "y"), "line": line}

    def legend(self, *args, loc="best", fontsize=None, title=None, handles=None, labels=None, **others):
        if others.get("bbox_to_anchor") is not None:
            undrawn("legend(bbox_to_anchor=)")
        if len(args) == 2:
            handles, labels = args
        elif len(args) == 1:
            labels = args[0]
        if handles is not None:
            handles = [h[0] if isinstance(h, (list, tuple)) else h for h in handles]
            for artist, name in zip(handles, labels or ()):
                artist.label = name
        elif labels is not None:
            shown = [a for a in self.artists if not isinstance(a, (Words, AxesImage))]
            for artist, name in zip(shown, [labels] if isinstance(labels, str) else labels):
                artist.label = name
        self._handles = handles
        if isinstance(loc, tuple):
            raise NotImplementedError("matplotlib: legend(loc=(x, y))")
        place = _PLACES[loc] if isinstance(loc, int) and 0 <= loc < len(_PLACES) else loc
        if place not in _PLACES:
            raise unknown("loc", loc, _PLACES)
        self._legend = {"place": place, "size": _font(fontsize, matplotlib.rcParams["font.size"]),
                        "title": None if title is None else str(title)}
        return self.get_legend()

    def get_legend(self):
        from matplotlib._late import Legend

        return None if self._legend is None else Legend(self)

    def axis(self, arg=None, **others):
        arg = arg.lower() if isinstance(arg, str) else arg
        if isinstance(arg, (list, tuple)):
            self.set_xlim(arg[0], arg[1])
            self.set_ylim(arg[2], arg[3])
        elif arg in ("off", False):
            self._shown = False
        elif arg in ("on", True):
            self._shown = True
        elif arg in ("equal", "scaled", "image", "square"):
            self._equal = 1.0
        elif arg not in (None, "tight", "auto"):
            raise ValueError(f"Unrecognized string {arg!r} to axis; try 'on' or 'off'")
        (x0, x1), (y0, y1) = self._limits()
        return x0, x1, y0, y1

    def set_axis_off(self):
        self._shown = False

    def set_aspect(self, aspect, **others):
        self._equal = 1.0 if aspect == "equal" else None if aspect == "auto" else float(aspect)

    def set_facecolor(self, color):
        self._face = to_hex(color)

    @property
    def lines(self):
        return [a for a in self.artists if isinstance(a, Line2D)]

    def get_legend_handles_labels(self):
        named = [a for a in self.artists if _named(a)]
        return named, [a.label for a in named]

    def get_figure(self):
        return self.figure

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
        undrawn("locator_params")

    def ticklabel_format(self, **options):
        undrawn("ticklabel_format")

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
        known = self.figure.axes if self in self.figure.axes else [self]
        x0, x1, y0, y1 = _torch._figure_ends(self.figure._spec(known))[known.index(self)]
        return (numpy.float64(x0), numpy.float64(x1)), (numpy.float64(y0), numpy.float64(y1))

    def _spec(self, ends=None):
        """Everything to draw. The first time it isn't known yet where the axes end."""
        row, column, heights, widths, (tall, wide) = self.cell
        drawn = self._drawn(ends)
        bar = None
        if self._bar is not None:
            mappable, label = self._bar
            before = sum(map(len, drawn[:self.artists.index(mappable)]))
            bar = {"artist": before, "label": None if label is None else str(label)}
        (xlim, ylim), (xticks, yticks) = (self._xlim, self._ylim), (self._xticks, self._yticks)
        if ends is None:
            xlim, ylim = self._with_margin("x", xlim, drawn), self._with_margin("y", ylim, drawn)
        else:
            xlim, ylim = (ends[0], ends[1]), (ends[2], ends[3])
            xticks, yticks = self.xaxis.marks(xlim), self.yaxis.marks(ylim)
        title, size = str(self._title or self._twin and self._twin._title or ""), self._title_size
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
                "shared": self._shared[axis], "labelled": self._labelled[axis]}

    def words(self):
        """A sentence that describes the plot, for people who can't see it."""
        parts = [str(self._title)] if self._title else []
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


def _fit(places, sizes):
    """Refuses bars with too many or too few sizes."""
    if len(places) != len(sizes):
        raise ValueError("shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 with shape "
                         f"({len(places)},) and arg 1 with shape ({len(sizes)},).")


def _ticks(places, labels):
    places = values(places)
    if labels is not None and len(places) != len(labels):
        raise ValueError(f"The number of FixedLocator locations ({len(places)}), usually from a call to set_ticks, does not match "
                         f"the number of labels ({len(labels)}).")
    return places, None if labels is None else [str(label) for label in labels]


def _angle(rotation):
    return {"vertical": 90.0, "horizontal": 0.0}[rotation] if isinstance(rotation, str) else float(rotation)


def _pair(low, high, least, most):
    if high is None and hasattr(low, "__len__"):
        low, high = low
    low = least if low is None else low
    high = most if high is None else high
    return tuple(None if v is None else values([v])[0] if are_dates(v) else float(v) for v in (low, high))


def _scale(value):
    if value not in ("linear", "log"):
        raise NotImplementedError(f"matplotlib: the scale '{value}'")
    return value


def _font(size, default):
    named = {"xx-small": 5.79, "x-small": 6.94, "small": 8.33, "medium": 10.0, "large": 12.0, "x-large": 14.4, "xx-large": 17.28}
    return default if size is None else named[size] if isinstance(size, str) else float(size)


def _refuse(name, others, accepted):
    # None is every option's default, and these are off by default.
    unknown = [k for k, v in others.items() if k not in accepted and v is not None
               and not (v is False and k in ("notch", "log", "shadow", "patch_artist", "animated", "rasterized"))]
    if unknown:
        raise NotImplementedError(f"matplotlib: {name}({', '.join(unknown)}=)")

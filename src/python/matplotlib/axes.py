"""One plot: its data, its axes, its texts."""

import math

import numpy

import matplotlib
from matplotlib import ticker
from matplotlib._artists import (
    AxesImage, Band, Boxes, Line2D, Points, Rule, Words, escape, number, stroke, values,
)
from matplotlib.colors import CYCLE, colormap, to_hex

_MARKERS = ".,ov^<>sd D*x+|_".replace(" ", "")
_TEXT = 'font-family="DejaVu Sans, Verdana, sans-serif"'


def points(size):
    """Pixels of a size in points."""
    return size * 100 / 72


def _format(fmt):
    """Colour, marker and line style of a text such as `"r--o"`; None for what it does not name."""
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
        elif fmt[i] in _MARKERS:
            mark, i = fmt[i], i + 1
        elif fmt[i] in "bgrcmykw":
            color, i = fmt[i], i + 1
        else:
            raise ValueError(f"{fmt!r} is not a valid format string (unrecognized character {fmt[i]!r})")
    return color, mark, style


class Axes:
    def __init__(self, figure, row=0, column=0, rows=1, columns=1, span=(1, 1)):
        self.figure = figure
        self.cell = (row, column, rows, columns, span)
        self.cla()

    def cla(self):
        """Nothing drawn, nothing named."""
        self.artists, self.texts = [], []
        self._cycle = 0
        self._title = self._xlabel = self._ylabel = ""
        self._title_size = matplotlib.rcParams["axes.titlesize"]
        self._xlim = self._ylim = (None, None)
        self._xscale = self._yscale = "linear"
        self._xticks = self._yticks = None
        self._grid = matplotlib.rcParams["axes.grid"] and {} or None
        self._legend = None
        self._shown = True
        self._equal = None
        self._inverted = False
        self._bar = None
        self._categories = {"x": [], "y": []}
        self._turned = 0
        self._face = "#ffffff"
        self.box = None

    clear = cla

    # -- data --

    def _next_color(self):
        self._cycle += 1
        return CYCLE[(self._cycle - 1) % len(CYCLE)]

    def _numbers(self, data, axis="x"):
        """Floats; words become places along the axis."""
        if isinstance(data, str):
            data = [data]
        if isinstance(data, (list, tuple)) and data and isinstance(data[0], str):
            known = self._categories[axis]
            for word in data:
                if word not in known:
                    known.append(word)
            return [float(known.index(word)) for word in data]
        return values(data)

    def _columns(self, y):
        """The columns of two-dimensional data, or the data itself."""
        if isinstance(y, (list, tuple)) and not (y and isinstance(y[0], (list, tuple))):
            return [y]
        y = numpy.asarray(y)
        return [y[:, i] for i in range(y.shape[1])] if y.ndim == 2 else [y]

    def plot(self, *args, color=None, c=None, linewidth=None, lw=None, linestyle=None, ls=None, marker=None, markersize=None,
             ms=None, label=None, alpha=None, **others):
        _refuse("plot", others, {"zorder", "markerfacecolor", "markeredgecolor", "drawstyle", "solid_capstyle", "scalex",
                                 "scaley", "mfc", "mec", "antialiased"})
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
        xs, ys = self._numbers(x), values(y)
        pairs = list(zip(xs, ys))
        out = pairs[:1]
        for (x0, y0), (x1, y1) in zip(pairs, pairs[1:]):
            middle = (x0 + x1) / 2
            out += {"pre": [(x0, y1)], "post": [(x1, y0)], "mid": [(middle, y0), (middle, y1)]}[where] + [(x1, y1)]
        return self.plot([p[0] for p in out], [p[1] for p in out], **options)

    def errorbar(self, x, y, yerr=None, fmt="", color=None, label=None, **others):
        others = {k: v for k, v in others.items() if k not in ("capsize", "ecolor", "elinewidth")}
        line, = self.plot(x, y, fmt, color=color, label=label, **others)
        if yerr is not None:
            away = values(yerr)
            away = away * len(line.x) if len(away) == 1 else away
            for a, b, d in zip(line.x, line.y, away):
                self.artists.append(Line2D([a, a], [b - d, b + d], line.color, 1.5, "-", None, 0, None, None))
        return line

    def scatter(self, x, y, s=None, c=None, marker="o", cmap=None, vmin=None, vmax=None, alpha=None, label=None, color=None,
                edgecolors=None, edgecolor=None, **others):
        _refuse("scatter", others, {"zorder", "linewidths", "linewidth"})
        xs, ys = self._numbers(x), self._numbers(y, "y")
        if len(xs) != len(ys):
            raise ValueError("x and y must be the same size")
        sizes = values(s) if s is not None else [matplotlib.rcParams["lines.markersize"] ** 2]
        mapping = None
        c = color if color is not None else c
        if c is None:
            colors = [self._next_color()]
        elif isinstance(c, str) or isinstance(c, tuple) and len(c) in (3, 4) and all(isinstance(v, float) for v in c):
            colors = [to_hex(c)]
        elif isinstance(c, (list, tuple)) and c and (isinstance(c[0], str) or hasattr(c[0], "__len__")):
            colors = [to_hex(one) for one in c]
        else:
            numbers = values(c)
            mapping = _Mapping(cmap, vmin, vmax, numbers)
            colors = [to_hex(mapping.color(v)) for v in numbers]
        edge = edgecolors if edgecolors is not None else edgecolor
        edge = to_hex(edge) if isinstance(edge, str) and edge not in ("face", "none") else None
        made = Points(xs, ys, sizes, colors, marker or "o", label, alpha, edge, mapping)
        self.artists.append(made)
        self.figure._mapped = (self, made) if mapping else self.figure._mapped
        return made

    def bar(self, x, height, width=0.8, bottom=None, align="center", color=None, label=None, alpha=None, edgecolor=None,
            tick_label=None, yerr=None, **others):
        _refuse("bar", others, {"zorder", "linewidth", "capsize", "hatch", "ecolor"})
        xs, hs = self._numbers(x), values(height)
        hs = hs * len(xs) if len(hs) == 1 else hs
        ws = values(width)
        base = values(bottom) if bottom is not None else [0.0]
        boxes = []
        for i, (a, h) in enumerate(zip(xs, hs)):
            w = ws[i % len(ws)]
            boxes.append((a - w / 2 if align == "center" else a, base[i % len(base)], w, h))
        if tick_label is not None:
            self.set_xticks(xs, tick_label)
        return self._add_boxes(boxes, color, label, alpha, edgecolor, True)

    def barh(self, y, width, height=0.8, left=None, align="center", color=None, label=None, alpha=None, edgecolor=None, **others):
        _refuse("barh", others, {"zorder", "linewidth"})
        ys, ws = self._numbers(y, "y"), values(width)
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

    def hist(self, x, bins=10, range=None, density=False, weights=None, label=None, color=None, alpha=None, edgecolor=None,
             histtype="bar", **others):
        _refuse("hist", others, {"zorder", "linewidth", "rwidth", "align", "ec"})
        edgecolor = edgecolor if edgecolor is not None else others.get("ec")
        if isinstance(x, (list, tuple)) and x and hasattr(x[0], "__len__"):
            raise NotImplementedError("matplotlib: hist of several data sets at once")
        counts, edges = numpy.histogram(values(x), bins, range, density, weights)
        c, e = counts.tolist(), edges.tolist()
        made = self._add_boxes([(a, 0.0, b - a, float(n)) for n, a, b in zip(c, e, e[1:])], color, label, alpha, edgecolor, True)
        return counts, edges, made

    def fill_between(self, x, y1, y2=0, color=None, alpha=None, label=None, **others):
        _refuse("fill_between", others, {"zorder", "linewidth", "facecolor", "interpolate", "step"})
        xs, a, b = self._numbers(x), values(y1), values(y2)
        b = b * len(xs) if len(b) == 1 else b
        a = a * len(xs) if len(a) == 1 else a
        made = Band(xs, b, a, to_hex(color) if color is not None else self._next_color(), label, alpha)
        self.artists.append(made)
        return made

    def axhline(self, y=0, color="C0", linewidth=None, lw=None, linestyle=None, ls=None, label=None, alpha=None, c=None, **others):
        return self._rule(y, False, c or color, linewidth or lw or 1.5, linestyle or ls or "-", label, alpha)

    def axvline(self, x=0, color="C0", linewidth=None, lw=None, linestyle=None, ls=None, label=None, alpha=None, c=None, **others):
        return self._rule(x, True, c or color, linewidth or lw or 1.5, linestyle or ls or "-", label, alpha)

    def _rule(self, at, upright, color, width, style, label, alpha):
        made = Rule(float(at), upright, to_hex(color), width, style, label, alpha)
        self.artists.append(made)
        return made

    def text(self, x, y, s, fontsize=None, size=None, color="k", ha="left", va="baseline", horizontalalignment=None,
             verticalalignment=None, **others):
        made = Words(float(x), float(y), s, fontsize or size or matplotlib.rcParams["font.size"], to_hex(color),
                     horizontalalignment or ha, verticalalignment or va)
        self.artists.append(made)
        return made

    def annotate(self, text, xy, xytext=None, **others):
        if others.get("arrowprops") is not None and xytext is not None:
            self.artists.append(Line2D([xytext[0], xy[0]], [xytext[1], xy[1]], "#000000", 1.0, "-", None, 0, None, None))
        return self.text(*(xytext if xytext is not None else xy), text, fontsize=others.get("fontsize"),
                         color=others.get("color", "k"), ha=others.get("ha", "left"), va=others.get("va", "baseline"))

    def imshow(self, X, cmap=None, aspect=None, interpolation=None, alpha=None, vmin=None, vmax=None, origin=None, extent=None,
               norm=None, **others):
        if norm is not None:
            raise NotImplementedError("matplotlib: imshow(norm=)")
        data = numpy.asarray(X)
        if data.ndim == 3 and data.shape[-1] == 1:
            data = data[:, :, 0]
        if data.ndim not in (2, 3) or data.ndim == 3 and data.shape[-1] not in (3, 4):
            raise TypeError(f"Invalid shape {data.shape} for image data")
        mapping = None
        rows = data.tolist()
        if data.ndim == 2:
            mapping = _Mapping(cmap, vmin, vmax, [float(v) for row in rows for v in row])
            pixels = [[mapping.bytes(float(v)) for v in row] for row in rows]
        else:
            scale = 1 if data.dtype.kind in "iu" else 255
            pixels = [[tuple(round(min(max(v * scale, 0), 255)) for v in pixel[:3]) for pixel in row] for row in rows]
        origin = origin or matplotlib.rcParams["image.origin"]
        height, width = len(rows), len(rows[0]) if rows else 0
        if extent is None:
            extent = (-0.5, width - 0.5, height - 0.5, -0.5) if origin == "upper" else (-0.5, width - 0.5, -0.5, height - 0.5)
            self._inverted = origin == "upper"
        made = AxesImage(pixels, extent, origin, mapping)
        if aspect != "auto":
            self._equal = 1.0
        self.artists.append(made)
        self.figure._mapped = (self, made)
        return made

    def matshow(self, Z, **options):
        return self.imshow(Z, **options)

    # -- names and limits --

    def set_title(self, label, fontsize=None, **others):
        self._title = label
        self._title_size = _font(fontsize, matplotlib.rcParams["axes.titlesize"])

    def set_xlabel(self, xlabel, **others):
        self._xlabel = xlabel

    def set_ylabel(self, ylabel, **others):
        self._ylabel = ylabel

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
        self._xscale = _scale(value)

    def set_yscale(self, value, **others):
        self._yscale = _scale(value)

    def set_xticks(self, ticks, labels=None, rotation=0, **others):
        self._xticks = (values(ticks), None if labels is None else [str(v) for v in labels])
        self._turned = rotation

    def set_yticks(self, ticks, labels=None, **others):
        self._yticks = (values(ticks), None if labels is None else [str(v) for v in labels])

    def set_xticklabels(self, labels, rotation=0, **others):
        self._xticks = (self._xticks[0] if self._xticks else [float(i) for i in range(len(labels))], [str(v) for v in labels])
        self._turned = rotation

    def set_yticklabels(self, labels, **others):
        self._yticks = (self._yticks[0] if self._yticks else [float(i) for i in range(len(labels))], [str(v) for v in labels])

    def tick_params(self, axis="both", labelrotation=None, rotation=None, **others):
        self._turned = labelrotation or rotation or self._turned

    def grid(self, visible=True, which="major", axis="both", alpha=None, linestyle="-", color="#b0b0b0", linewidth=0.8, **others):
        self._grid = None if visible is False else {"axis": axis, "alpha": alpha, "style": others.get("ls", linestyle),
                                                    "color": to_hex(color), "width": others.get("lw", linewidth)}

    def legend(self, *args, loc="best", fontsize=None, title=None, **others):
        if len(args) == 1:
            for artist, name in zip(self.artists, args[0]):
                artist.label = name
        elif len(args) == 2:
            for artist, name in zip(*args):
                artist.label = name
        self._legend = {"loc": loc, "size": _font(fontsize, matplotlib.rcParams["font.size"]), "title": title}

    def axis(self, arg=None, **others):
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

    def margins(self, *args, **others):
        raise NotImplementedError("matplotlib: margins")

    def twinx(self):
        raise NotImplementedError("matplotlib: twinx")

    @property
    def spines(self):
        raise NotImplementedError("matplotlib: spines")

    @property
    def lines(self):
        return [a for a in self.artists if isinstance(a, Line2D)]

    def get_legend_handles_labels(self):
        named = [a for a in self.artists if _named(a)]
        return named, [a.label for a in named]

    def get_figure(self):
        return self.figure

    # -- drawing --

    def _limits(self):
        """What the axes span: given, or that of the data and a little more."""
        out = []
        for axis, given, scale in (("x", self._xlim, self._xscale), ("y", self._ylim, self._yscale)):
            k = 0 if axis == "x" else 2
            bounds = [a.limits() for a in self.artists]
            found = [(b[k], b[k + 1], a) for b, a in zip(bounds, self.artists) if b is not None and b[k] is not None]
            if scale == "log":
                found = [(v, w, a) for v, w, a in ((self._positive(a, k), hi, a) for _, hi, a in found) if v and w > 0]
            if found:
                low, high = min(f[0] for f in found), max(f[1] for f in found)
                stuck = {s for _, _, a in found for s in a.sticky if s[0] == axis}
                if low == high:
                    low, high = (low - 0.05 * abs(low or 1), high + 0.05 * abs(high or 1))
                if scale == "log":
                    spread = (high / low) ** 0.05
                    low, high = low / spread, high * spread
                else:
                    margin = 0.05 * (high - low)
                    image = any(isinstance(a, AxesImage) for _, _, a in found)
                    if not image:
                        keep_low = f"{axis}0" in stuck and low >= 0
                        keep_high = f"{axis}0" in stuck and high <= 0
                        low, high = low - (0 if keep_low else margin), high + (0 if keep_high else margin)
            else:
                low, high = (1.0, 10.0) if scale == "log" else (0.0, 1.0)
            low = given[0] if given[0] is not None else low
            high = given[1] if given[1] is not None else high
            if low == high:
                high = low + 1
            out.append((low, high))
        if self._inverted and self._ylim == (None, None):
            out[1] = out[1][::-1]
        return out

    @staticmethod
    def _positive(artist, k):
        """The least value above zero, which is where a log axis begins."""
        data = artist.x if k == 0 else artist.y if hasattr(artist, "y") else None
        if data is None:
            low = artist.limits()[k]
            high = artist.limits()[k + 1]
            return low if low > 0 else high / 10 if high > 0 else None
        positive = [v for v in data if v > 0 and math.isfinite(v)]
        return min(positive) if positive else None

    def px(self, x):
        return self._place(x, self._view[0], self._xscale, self.box[0], self.box[2])

    def py(self, y):
        return self._place(y, self._view[1], self._yscale, self.box[3], self.box[1])

    @staticmethod
    def _place(v, span, scale, start, end):
        low, high = span
        if scale == "log":
            if v <= 0 or low <= 0:
                return math.nan
            v, low, high = math.log10(v), math.log10(low), math.log10(high)
        return start + (v - low) / (high - low) * (end - start)

    def _marks(self, axis):
        """Places and texts of an axis's marks."""
        low, high = sorted(self._view[0] if axis == "x" else self._view[1])
        given = self._xticks if axis == "x" else self._yticks
        scale = self._xscale if axis == "x" else self._yscale
        words = self._categories[axis]
        if given is not None:
            at, names = given
            names = names if names is not None else ticker.labels(at)
            return [(v, n) for v, n in zip(at, names) if low <= v <= high or math.isclose(v, low) or math.isclose(v, high)]
        if words:
            return [(float(i), word) for i, word in enumerate(words) if low <= i <= high]
        if scale == "log" and low > 0:
            at = ticker.decades(low, high)
            return [(v, ("10", ticker.power(v))) for v in at] if len(at) > 1 else list(
                zip(ticker.places(low, high), ticker.labels(ticker.places(low, high))))
        length = self.box[2] - self.box[0] if axis == "x" else self.box[3] - self.box[1]
        most = max(1, min(9, int(length / (45 if axis == "x" else 28))))
        at = [v for v in ticker.places(low, high, most) if low - 1e-9 * abs(low) <= v <= high + 1e-9 * abs(high)]
        return list(zip(at, ticker.labels(at)))

    def margins_px(self):
        """Pixels that the texts around the axes need: left, top, right, bottom."""
        if not self._shown:
            return 6, 8 + (points(self._title_size) + 8 if self._title else 0), 6, 6
        size = points(matplotlib.rcParams["font.size"])
        longest = max((len(n) if isinstance(n, str) else 3 for _, n in self._marks("y")), default=1)
        left = 10 + longest * size * 0.62 + (size * 1.5 if self._ylabel else 0)
        bottom = 12 + size * 1.2 + (size * 1.5 if self._xlabel else 0)
        if self._turned:
            longest = max((len(n) if isinstance(n, str) else 3 for _, n in self._marks("x")), default=1)
            bottom += longest * size * 0.62 * abs(math.sin(math.radians(float(self._turned))))
        top = 10 + (points(self._title_size) * (1.3 * len(str(self._title).splitlines()) + 0.3) if self._title else 0)
        return left, top, 12, bottom

    def draw(self, box, clip):
        """SVG of everything, in a box of pixels: left, top, right, bottom."""
        self._view = self._limits()
        x0, y0, x1, y1 = box
        bar = self._bar
        if bar is not None:
            x1 -= (x1 - x0) * 0.17
        if self._equal:
            (a, b), (c, d) = self._view
            want = abs(d - c) / abs(b - a) * self._equal
            have = (y1 - y0) / (x1 - x0)
            if want < have:
                spare = (y1 - y0) - want * (x1 - x0)
                y0, y1 = y0 + spare / 2, y1 - spare / 2
            else:
                spare = (x1 - x0) - (y1 - y0) / want
                x0, x1 = x0 + spare / 2, x1 - spare / 2
        self.box = (x0, y0, x1, y1)
        size = points(matplotlib.rcParams["font.size"])
        width, height = number(x1 - x0), number(y1 - y0)
        out = [f'<clipPath id="{clip}"><rect x="{number(x0)}" y="{number(y0)}" width="{width}" height="{height}"/></clipPath>']
        if self._shown:
            out.append(f'<rect x="{number(x0)}" y="{number(y0)}" width="{width}" height="{height}" fill="{self._face}"/>')
        across = [(self.px(v), n) for v, n in self._marks("x")] if self._shown else []
        down = [(self.py(v), n) for v, n in self._marks("y")] if self._shown else []
        if self._grid is not None and self._shown:
            g = {"axis": "both", "alpha": None, "style": "-", "color": "#b0b0b0", "width": 0.8, **self._grid}
            ink = stroke(g["color"], g["width"], g["style"], g["alpha"])
            if g["axis"] in ("both", "x"):
                out += [f'<path d="M{number(x)} {number(y0)}L{number(x)} {number(y1)}" {ink}/>' for x, _ in across]
            if g["axis"] in ("both", "y"):
                out += [f'<path d="M{number(x0)} {number(y)}L{number(x1)} {number(y)}" {ink}/>' for y, _ in down]
        out.append(f'<g clip-path="url(#{clip})">')
        for artist in self.artists:
            if not isinstance(artist, Words):
                out += artist.draw(self)
        out.append("</g>")
        for artist in self.artists:
            if isinstance(artist, Words):
                out += artist.draw(self)
        if self._shown:
            out.append(f'<rect x="{number(x0)}" y="{number(y0)}" width="{width}" height="{height}" fill="none" stroke="#000000" '
                       'stroke-width="1.1"/>')
            for x, name in across:
                out.append(f'<path d="M{number(x)} {number(y1)}v5" stroke="#000000" stroke-width="1.1"/>')
                out.append(self._mark_text(x, y1 + 8 + size * 0.8, name, size, "middle", self._turned))
            for y, name in down:
                out.append(f'<path d="M{number(x0)} {number(y)}h-5" stroke="#000000" stroke-width="1.1"/>')
                out.append(self._mark_text(x0 - 9, y + size * 0.36, name, size, "end", 0))
            if self._xlabel:
                drop = size * 2.1 + 10
                if self._turned:
                    longest = max((len(n) for _, n in across if isinstance(n, str)), default=0)
                    drop += longest * size * 0.62 * abs(math.sin(math.radians(float(self._turned))))
                out.append(_text((x0 + x1) / 2, y1 + drop, self._xlabel, size, "middle"))
            if self._ylabel:
                longest = max((len(n) if isinstance(n, str) else 3 for _, n in down), default=1)
                x = x0 - 16 - longest * size * 0.6
                middle = (y0 + y1) / 2
                out.append(f'<text x="{number(x)}" y="{number(middle)}" font-size="{number(size)}" text-anchor="middle" '
                           f'transform="rotate(-90 {number(x)} {number(middle)})">{escape(self._ylabel)}</text>')
        if self._title:
            big = points(self._title_size)
            lines = str(self._title).splitlines()
            for i, line in enumerate(lines):
                out.append(_text((x0 + x1) / 2, y0 - 8 - (len(lines) - 1 - i) * big * 1.2, line, big, "middle"))
        if self._legend is not None:
            out += self._draw_legend(x0, y0, x1, y1)
        if bar is not None:
            out += self._draw_bar(bar, x1 + (box[2] - x1) * 0.25 + 4, y0, y1, size, clip)
        return out

    @staticmethod
    def _mark_text(x, y, name, size, anchor, turned):
        if isinstance(name, tuple):
            inner = f'10<tspan dy="{number(-size * 0.4)}" font-size="{number(size * 0.7)}">{escape(name[1])}</tspan>'.replace(
                ">-", ">\N{MINUS SIGN}")
        else:
            inner = escape(name)
        turn = ""
        if turned:
            anchor = "end" if 0 < float(turned) % 180 < 90 else "middle"
            turn = f' transform="rotate({number(-float(turned))} {number(x)} {number(y - size * 0.4)})"'
        return f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" text-anchor="{anchor}"{turn}>{inner}</text>'

    def _draw_legend(self, x0, y0, x1, y1):
        named = [a for a in self.artists if _named(a)]
        if not named:
            return []
        size = points(self._legend["size"])
        title = self._legend["title"]
        lines = [str(a.label) for a in named] + ([str(title)] if title else [])
        row = size * 1.45
        width = 48 + max(map(len, lines)) * size * 0.58
        height = row * len(lines) + 8
        place = self._legend["loc"]
        if isinstance(place, int):
            place = ["best", "upper right", "upper left", "lower left", "lower right", "right", "center left", "center right",
                     "lower center", "upper center", "center"][place]
        if isinstance(place, tuple):
            place = "upper right"
        if place == "best":
            place = self._emptiest(x0, y0, x1, y1, width, height)
        x = x0 + 7 if "left" in place else (x0 + x1 - width) / 2 if place.endswith("center") else x1 - 7 - width
        y = y0 + 7 if "upper" in place else y1 - 7 - height if "lower" in place else (y0 + y1 - height) / 2
        out = [f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" rx="3" fill="#ffffff" '
               'fill-opacity="0.8" stroke="#cccccc"/>']
        at = y + 4 + row * 0.5
        if title:
            out.append(_text(x + width / 2, at + size * 0.35, title, size, "middle"))
            at += row
        for artist in named:
            out += artist.sample(x + 6, at, 28)
            out.append(_text(x + 42, at + size * 0.35, artist.label, size, "start"))
            at += row
        return out

    def _emptiest(self, x0, y0, x1, y1, width, height):
        """The corner whose box covers the fewest points."""
        places = []
        for artist in self.artists:
            if hasattr(artist, "y") and isinstance(getattr(artist, "y"), list):
                places += [(self.px(a), self.py(b)) for a, b in zip(artist.x, artist.y)]
            elif isinstance(artist, Boxes):
                places += [(self.px(x + w * k / 4), self.py(y + h * j / 4)) for x, y, w, h in artist.boxes
                           for k in range(5) for j in range(5)]
        best, fewest = "upper right", None
        for name in ("upper right", "upper left", "lower left", "lower right"):
            left = x0 if "left" in name else x1 - width - 14
            top = y0 if "upper" in name else y1 - height - 14
            hits = sum(left <= a <= left + width + 14 and top <= b <= top + height + 14 for a, b in places)
            if fewest is None or hits < fewest:
                best, fewest = name, hits
        return best

    def _draw_bar(self, bar, x, y0, y1, size, clip):
        mapping, label = bar
        width = max(8.0, (y1 - y0) / 20)
        steps = 64
        out = []
        for i in range(steps):
            share = (i + 0.5) / steps
            y = y1 - (i + 1) / steps * (y1 - y0)
            out.append(f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number((y1 - y0) / steps + 0.6)}" '
                       f'fill="{to_hex([v / 255 for v in mapping.map.bytes(share)])}"/>')
        out.append(f'<rect x="{number(x)}" y="{number(y0)}" width="{number(width)}" height="{number(y1 - y0)}" fill="none" '
                   'stroke="#000000" stroke-width="1.1"/>')
        at = [v for v in ticker.places(mapping.low, mapping.high, 8) if mapping.low <= v <= mapping.high]
        names = ticker.labels(at)
        for v, name in zip(at, names):
            y = y1 - (v - mapping.low) / (mapping.high - mapping.low or 1) * (y1 - y0)
            out.append(f'<path d="M{number(x + width)} {number(y)}h5" stroke="#000000" stroke-width="1.1"/>')
            out.append(_text(x + width + 8, y + size * 0.36, name, size, "start"))
        if label:
            place = x + width + 14 + max(map(len, names), default=1) * size * 0.62
            middle = (y0 + y1) / 2
            out.append(f'<text x="{number(place)}" y="{number(middle)}" font-size="{number(size)}" text-anchor="middle" '
                       f'transform="rotate(-90 {number(place)} {number(middle)})">{escape(label)}</text>')
        return out

    def words(self):
        """The plot in a sentence, for those who do not see it."""
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


def _text(x, y, text, size, anchor):
    return f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" text-anchor="{anchor}">{escape(text)}</text>'


def _named(artist):
    return artist.label is not None and not str(artist.label).startswith("_") and hasattr(artist, "sample")


def _pair(low, high, least, most):
    if high is None and hasattr(low, "__len__"):
        low, high = low
    low = least if low is None else low
    high = most if high is None else high
    return (None if low is None else float(low), None if high is None else float(high))


def _scale(value):
    if value not in ("linear", "log"):
        raise NotImplementedError(f"matplotlib: the scale '{value}'")
    return value


def _font(size, default):
    named = {"xx-small": 5.79, "x-small": 6.94, "small": 8.33, "medium": 10.0, "large": 12.0, "x-large": 14.4, "xx-large": 17.28}
    return default if size is None else named[size] if isinstance(size, str) else float(size)


def _refuse(name, others, accepted):
    unknown = [k for k in others if k not in accepted]
    if unknown:
        raise NotImplementedError(f"matplotlib: {name}({', '.join(unknown)}=)")


class _Mapping:
    """From data to colours."""

    def __init__(self, cmap, low, high, data):
        finite = [v for v in data if math.isfinite(v)]
        self.map = colormap(cmap if cmap is not None else matplotlib.rcParams["image.cmap"])
        self.low = float(low) if low is not None else min(finite, default=0.0)
        self.high = float(high) if high is not None else max(finite, default=1.0)

    def bytes(self, v):
        return self.map.bytes((v - self.low) / (self.high - self.low) if self.high > self.low else 0.0)

    def color(self, v):
        return tuple(c / 255 for c in self.bytes(v))

"""Several lines or arrows that are one artist: what `hlines`, `vlines`, `arrow` and `quiver` return, and `LineCollection`."""

import numpy

import matplotlib
from matplotlib._artists import Artist, Line2D, Words, line_style, stroke, values
from matplotlib._options import known_as
from matplotlib.colors import is_color_like, to_hex, to_rgba


class Group(Artist):
    """An artist that is drawn as several things."""

    late = True


@known_as("LineCollection", "collections")
class LineCollection(Group):
    """Lines that share their settings, or have one each."""

    _order = 2

    def __init__(self, segments, *, linewidths=None, colors=None, linestyles="solid", label=None, alpha=None, cmap=None, norm=None, zorder=None,
                 linewidth=None, lw=None, color=None, linestyle=None, ls=None, array=None, antialiased=None, **others):
        if others:
            raise NotImplementedError(f"matplotlib: LineCollection({next(iter(others))}=)")
        self.set_segments(segments)
        self.label, self.alpha, self.layer, self._cmap, self._norm, self._numbers = label, alpha, zorder, cmap, norm, None
        width = next((w for w in (linewidths, linewidth, lw) if w is not None), matplotlib.rcParams["lines.linewidth"])
        self.set_linewidth(width)
        self.set_linestyle(next((s for s in (linestyle, ls, linestyles) if s is not None), "solid"))
        ink = color if color is not None else colors
        self.set_color("C0" if ink is None else ink)
        if array is not None:
            self.set_array(array)

    def set_segments(self, segments):
        self.segments = [numpy.asarray(one, dtype=float).reshape(-1, 2) for one in segments]

    set_verts = set_paths = set_segments

    def get_segments(self):
        return [one.copy() for one in self.segments]

    def set_color(self, c):
        several = not is_color_like(c) and not isinstance(c, str)
        self.colors, self.given = [to_hex(one) for one in c] if several else [to_hex(c)], list(c) if several else [c]

    set_colors = set_edgecolor = set_color

    def get_color(self):
        return numpy.array([to_rgba(one, self.alpha) for one in self.given]).reshape(-1, 4)

    get_colors = get_edgecolor = get_edgecolors = get_color

    def set_linewidth(self, lw):
        self.widths, self._lw = values(lw) if numpy.ndim(lw) else [float(lw)], lw if numpy.ndim(lw) else [lw]

    set_linewidths = set_lw = set_linewidth

    def get_linewidth(self):
        return numpy.array(self._lw)

    get_linewidths = get_lw = get_linewidth

    def set_linestyle(self, ls):
        self.styles = [line_style(one) for one in (ls if isinstance(ls, (list, tuple)) else [ls])]

    set_linestyles = set_ls = set_linestyle

    def set_alpha(self, alpha):
        self.alpha = alpha

    def get_alpha(self):
        return self.alpha

    def set_array(self, A):
        self._numbers = None if A is None else numpy.ma.asarray(A)

    def get_array(self):
        return self._numbers

    def set_clim(self, vmin=None, vmax=None):
        from matplotlib.colors import Normalize

        low, high = vmin if vmax is None and isinstance(vmin, (tuple, list)) else (vmin, vmax)
        self._norm = Normalize(low, high)

    def get_clim(self):
        given = (None, None) if self._norm is None else (self._norm.vmin, self._norm.vmax)
        if self._numbers is None or None not in given:
            return given
        return tuple(own if own is not None else float(of()) for own, of in zip(given, (self._numbers.min, self._numbers.max)))

    def set_cmap(self, cmap):
        self._cmap = cmap

    def get_cmap(self):
        from matplotlib.colors import colormap

        return colormap(self._cmap)

    def set_norm(self, norm):
        self._norm = norm

    def _inks(self):
        if self._numbers is None:
            return self.colors
        paint, (low, high) = self.get_cmap(), self.get_clim()
        shares = self._norm(self._numbers) if self._norm is not None and self._norm.scaled() else \
            (self._numbers - low) / (high - low) if high > low else self._numbers * 0.0
        return [to_hex(paint(float(v))) for v in values(shares)]

    def _lines(self):
        inks = self._inks()
        made = []
        for i, segment in enumerate(self.segments):
            pen = stroke(inks[i % len(inks)], self.widths[i % len(self.widths)], self.styles[i % len(self.styles)], self.alpha)
            made.append({"line": {"x": segment[:, 0].tolist(), "y": segment[:, 1].tolist(), "stroke": pen, "marker": None, "size": 0.0,
                                  "label": None if i else self._name()}})
        return made

    def spec(self):
        return self._lines()[0] if self.segments else Line2D([], [], self.colors[0], 1.0, "-", None, 0, self.label, None).spec()

    def specs(self, ends, axes):
        return self._lines()


@known_as("FancyArrow", "patches")
class FancyArrow(Words):
    """`arrow`: a line with a head."""

    counts = True


@known_as("Quiver", "quiver")
class Quiver(Group):
    """`quiver`: arrows that begin at points, or end or turn there."""

    def __init__(self, x, y, u, v, arrows, given):
        *places, self.U, self.V = (numpy.asarray(of) if numpy.size(of) == len(x) else None for of in given)
        self.X, self.Y = (numpy.array(own) if of is None else of.reshape(-1) for own, of in zip((x, y), places or (None, None)))
        self.N, self.scale, self._arrows = len(x), None, arrows
        self._points = Line2D(x, y, "#000000", 0, "", None, 0, None, None)

    def get_offsets(self):
        return numpy.column_stack((self.X, self.Y))

    def spec(self):
        return self._points.spec()

    def specs(self, ends, axes):
        return [self._points.spec(), *(arrow.spec() for arrow in self._arrows)]


def arrows_of(x, y, u, v, per, color, given):
    """Arrows from points, in the units of the axes."""
    made = []
    for a, b, du, dv in zip(x, y, u, v):
        made.append(FancyArrow(a, b, "", 10.0, color, "left", "baseline", [a + du / per, b + dv / per]))
    return Quiver(x, y, u, v, made, given)


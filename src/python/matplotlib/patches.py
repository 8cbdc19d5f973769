"""Shapes: rectangles, circles, wedges and polygons, each drawn as areas and an outline."""

import math

import numpy

from matplotlib._artists import Artist, Band, Bar, Boxes, Line2D, stroke, values, line_style
from matplotlib._options import Counting
from matplotlib.colors import to_hex


def bands(points):
    """A polygon as areas `(x, low, high)` between two curves over x. A polygon that no vertical line enters twice is one area, and any
    other is cut at its corners. `points` is a list of its corners (x, y)."""
    edges = [(p, q) if p[0] < q[0] else (q, p) for p, q in zip(points, points[1:] + points[:1]) if p[0] != q[0]]
    places = sorted({p[0] for p in points})
    whole, parts, alone = ([], [], []), [], True
    for a, b in zip(places, places[1:]):
        cut = []
        for (x0, y0), (x1, y1) in edges:
            if x0 <= a and x1 >= b:
                slope = (y1 - y0) / (x1 - x0)
                cut.append((y0 + (a - x0) * slope, y0 + (b - x0) * slope))
        cut.sort(key=sum)
        alone &= len(cut) == 2
        for low, high in zip(cut[::2], cut[1::2]):
            parts.append(([a, b], list(low), list(high)))
            for of, ends in zip(whole, ([a, b], low, high)):
                of += ends
    return [whole] if alone and whole[0] else parts


class Patch(Artist, metaclass=Counting):
    """The base of all shapes: their colors, line and label. A plain `Patch` has no shape; it's an entry for a legend."""

    def __init__(self, edgecolor=None, facecolor=None, color=None, linewidth=None, linestyle=None, fill=True, alpha=None,
                 label=None, zorder=None, ec=None, fc=None, lw=None, ls=None, hatch=None, clip_on=True, transform=None, **others):
        if others:
            raise AttributeError(f"{type(self).__name__}.set() got an unexpected keyword argument {next(iter(others))!r}")
        for name, given in (("hatch", hatch), ("transform", transform), ("clip_on", None if clip_on else clip_on)):
            if given is not None:
                raise NotImplementedError(f"matplotlib: {type(self).__name__}({name}=)")
        if zorder is not None:
            self.set_zorder(zorder)
        edge, face = ec if edgecolor is None else edgecolor, fc if facecolor is None else facecolor
        if color is not None:
            edge = face = color
        self.fill = fill
        self.face = to_hex("C0" if face is None else face)
        self.edge = to_hex(edge) if edge is not None else "none" if fill else "#000000"
        self.width = 1.0 if linewidth is None and lw is None else float(lw if linewidth is None else linewidth)
        self.style = line_style(linestyle or ls or "-")
        self.alpha, self.label = alpha, label

    def set_color(self, color):
        self.face = self.edge = to_hex(color)

    def set_facecolor(self, color):
        self.face = to_hex(color)

    def set_edgecolor(self, color):
        self.edge = to_hex(color)

    def set_alpha(self, alpha):
        self.alpha = alpha

    def set_linewidth(self, width):
        self.width = float(width)

    def get_linewidth(self):
        return self.width

    def get_fill(self):
        return self.fill

    def get_facecolor(self):
        return _rgba(self.face, self.alpha if self.fill else 0.0)

    def get_edgecolor(self):
        return _rgba(self.edge, self.alpha)

    def outline(self):
        """The corners (x, y) of the shape, in data coordinates; none for a plain `Patch`."""
        return []

    def _areas(self, points):
        """Polygons that together fill the shape, each with the line (x, y) along which it meets the next one, if there is a next."""
        return [(points, [])]

    def specs(self):
        """What the figure draws for this shape."""
        points = self.outline()
        if not points:
            return [Boxes([], [self.face if self.fill else "none"], self.label, self.alpha, None).spec()]
        out = []
        if self.fill and self.face != "none":
            for part, seam in self._areas(points):
                out += [Band(*band, self.face, None, self.alpha).spec() for band in bands(part)]
                # The background shines through where two polygons meet, so a line of their color is drawn there.
                if seam and (self.alpha is None or self.alpha == 1):
                    out.append(Line2D(*seam, self.face, 0.8, "-", None, 0, None, None).spec())
        if self.edge != "none" and self.width > 0:
            around = points + points[:1]
            out.append({"line": {"x": [p[0] for p in around], "y": [p[1] for p in around], "marker": None, "size": 0.0,
                                 "label": None, "stroke": stroke(self.edge, self.width, self.style, self.alpha)}})
        if out and self.label is not None:
            # Bars without any data: they draw nothing, but the legend shows their color and label.
            out.append(Boxes([], [self.face if self.fill else "none"], self.label, self.alpha, None).spec())
        return out


def _rotated(points, center, angle):
    """The points, rotated counterclockwise around (0, 0) by an angle in degrees and moved to `center`."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return [(center[0] + x * c - y * s, center[1] + x * s + y * c) for x, y in points]


def _rgba(color, alpha):
    """A color `#rrggbb` or `none` as matplotlib's tuple of four numbers from 0 to 1."""
    if color == "none":
        return (0.0, 0.0, 0.0, 0.0)
    return (*(int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)), 1.0 if alpha is None else float(alpha))


class Rectangle(Patch):
    """A rectangle in data coordinates with a corner at `xy`, around which it's rotated counterclockwise by `angle` degrees."""

    def __init__(self, xy, width, height, *, angle=0.0, rotation_point="xy", **options):
        if rotation_point != "xy":
            raise NotImplementedError("matplotlib: Rectangle(rotation_point=)")
        super().__init__(**options)
        (self.x, self.y), self.w, self.h, self.angle = values(xy), float(width), float(height), float(angle)

    def __str__(self):
        return f"Rectangle(xy=({self.x:g}, {self.y:g}), width={self.w:g}, height={self.h:g}, angle={self.angle:g})"

    def outline(self):
        corners = (0, 0), (self.w, 0), (self.w, self.h), (0, self.h)
        return _rotated(corners, (self.x, self.y), self.angle)

    def get_x(self):
        return self.x

    def get_y(self):
        return self.y

    def get_xy(self):
        return (self.x, self.y)

    def get_width(self):
        return self.w

    def get_height(self):
        return self.h

    def get_bbox(self):
        from matplotlib._more import Place

        return Place(*(numpy.float64(v) for v in (self.x, self.y, self.w, self.h)))

    def set_xy(self, xy):
        self.x, self.y = values(xy)

    def set_width(self, w):
        self.w = float(w)

    def set_height(self, h):
        self.h = float(h)


def _arc(center, wide, tall, first, last):
    """Points every 3 degrees on an ellipse with the half axes `wide` and `tall`, from angle `first` to `last` in degrees."""
    steps = max(int(abs(last - first) / 3), 1)
    angles = [math.radians(first + (last - first) * k / steps) for k in range(steps + 1)]
    return [(center[0] + wide * math.cos(t), center[1] + tall * math.sin(t)) for t in angles]


class Ellipse(Patch):
    """An ellipse around `xy`, rotated counterclockwise by `angle` degrees. Width and height are the lengths of its axes."""

    def __init__(self, xy, width, height, *, angle=0, **options):
        super().__init__(**options)
        self.center, self.width_, self.height_, self.angle = tuple(values(xy)), float(width), float(height), float(angle)

    def outline(self):
        points = _arc((0.0, 0.0), self.width_ / 2, self.height_ / 2, 0, 360)[:-1]
        return _rotated(points, self.center, self.angle)

    def get_center(self):
        return self.center


class Circle(Ellipse):
    """A circle around `xy`."""

    def __init__(self, xy, radius=5, **options):
        super().__init__(xy, 2 * radius, 2 * radius, **options)
        self.radius = radius

    def __str__(self):
        return f"Circle(xy=({self.center[0]:g}, {self.center[1]:g}), radius={self.radius:g})"

    def get_radius(self):
        return self.radius


class Polygon(Patch):
    """A polygon with the corners `xy`, an array of shape (n, 2)."""

    def __init__(self, xy, *, closed=True, **options):
        super().__init__(**options)
        self.corners = [tuple(values(p)) for p in xy]

    def __str__(self):
        # A closed polygon ends where it starts.
        corners = self.corners + ([] if self.corners[:1] == self.corners[-1:] else self.corners[:1])
        return f"Polygon{len(corners)}(({corners[0][0]:g}, {corners[0][1]:g}) ...)" if corners else "Polygon0()"

    def outline(self):
        return self.corners

    def get_xy(self):
        return self.corners + self.corners[:1]


class RegularPolygon(Polygon):
    """A polygon with equal sides around `xy`. One corner is at the top, or `orientation` radians counterclockwise from it."""

    def __init__(self, xy, numVertices, *, radius=5, orientation=0, **options):
        angles = [orientation + math.pi / 2 + 2 * math.pi * k / numVertices for k in range(numVertices)]
        super().__init__([(xy[0] + radius * math.cos(a), xy[1] + radius * math.sin(a)) for a in angles], **options)
        self.xy, self.numvertices, self.radius, self.orientation = xy, numVertices, radius, orientation


class Wedge(Patch):
    """A part of a circle, or of a ring that is `width` wide, between two angles in degrees."""

    def __init__(self, center, r, theta1, theta2, *, width=None, **options):
        super().__init__(**options)
        self.center, self.r, self.theta1, self.theta2, self.ring = tuple(values(center)), float(r), theta1, theta2, width

    def _part(self, first, last):
        outer = _arc(self.center, self.r, self.r, first, last)
        if self.ring is None or self.ring >= self.r:
            return outer if last - first == 360 else outer + [self.center]
        inside = self.r - self.ring
        return outer + _arc(self.center, inside, inside, last, first)

    def outline(self):
        return self._part(self.theta1, self.theta2)

    def _areas(self, points):
        # Cut along the horizontal line through the center: no vertical line enters one of the parts twice.
        cuts = [180 * k for k in range(math.ceil(self.theta1 / 180), math.floor(self.theta2 / 180) + 1)]
        ends = [self.theta1, *(c for c in cuts if self.theta1 < c < self.theta2), self.theta2]
        out = []
        for first, last in zip(ends, ends[1:]):
            seam = []
            if last != self.theta2:
                side = 1 if last % 360 == 0 else -1
                start = 0.0 if self.ring is None else self.r - self.ring
                seam = ([self.center[0] + side * start, self.center[0] + side * self.r], [self.center[1]] * 2)
            out.append((self._part(first, last), seam))
        return out


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name in ("FancyArrowPatch", "FancyBboxPatch", "Arrow", "Arc", "ConnectionPatch", "PathPatch"):
        raise NotImplementedError(f"matplotlib.patches.{name}")
    raise AttributeError(f"module 'matplotlib.patches' has no attribute {name!r}")

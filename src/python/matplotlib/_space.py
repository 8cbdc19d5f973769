"""Axes of three dimensions and of angles: what is on them is drawn where it would be seen on a plane."""

import math

import numpy

import matplotlib
from matplotlib import _artists, _late
from matplotlib._artists import Artist, Line2D, Points, Words, ends_of, values
from matplotlib.axes import Axes, _refuse
from matplotlib.colors import colormap, to_hex
from matplotlib.patches import bands
from matplotlib.ticker import MaxNLocator

_PLANE = ("bar", "barh", "hist", "hist2d", "imshow", "matshow", "contour", "contourf", "pcolormesh", "fill_between", "errorbar", "stem",
          "boxplot", "pie", "axhline", "axvline", "axhspan", "axvspan", "step", "stackplot", "quiver", "annotate", "hlines",
          "vlines", "add_patch", "semilogx", "semilogy", "loglog", "twinx", "twiny", "plot_trisurf", "bar3d", "voxels", "fill")


def kind_of(options):
    """The class of axes with this projection, which is taken out of the options."""
    name = options.pop("projection", None)
    name = "polar" if options.pop("polar", False) else name
    if name in (None, "rectilinear"):
        return Axes
    if name not in _KINDS:
        raise ValueError(f"Unknown projection {name!r}")
    return _KINDS[name]


def _line(points, color, width=0.8, alpha=None):
    return Line2D([p[0] for p in points], [p[1] for p in points], color, width, "-", None, 0, None, alpha).spec()


def _thin(a, b, color):
    """A line as a narrow area: all areas are drawn before all lines, and the box is behind the surfaces."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    per = 0.008 / (math.hypot(dx, dy) or 1.0)
    dx, dy = -dy * per, dx * per
    around = [(a[0] + dx, a[1] + dy), (b[0] + dx, b[1] + dy), (b[0] - dx, b[1] - dy), (a[0] - dx, a[1] - dy)]
    return [{"band": {"x": x, "low": low, "high": high, "color": color, "alpha": None, "label": None}}
            for x, low, high in bands(around)]


def _word(at, text, across="center", up="center"):
    return Words(*at, text, matplotlib.rcParams["font.size"], "#000000", across, up).spec()


class _Frame(Artist):
    """The first thing on these axes."""


class _Seen(Axes):
    """Axes whose artists are drawn by `_view`, without the frame of a plane."""

    def cla(self):
        super().cla()
        self._shown, self._equal = False, 1.0
        self.artists.append(_Frame())

    clear = cla

    def _is_late(self):
        return False

    def _drawn(self, ends):
        out = [self._view(a) for a in self.artists]
        _late.name([(self.artists, out)], self._handles, self._names)
        return out

    def _axis(self, axis, name, ends, scale, inverted, ticks, turned):
        return super()._axis(axis, "", ends, "linear", False, None, 0)

    def axis(self, arg=None, **others):
        if arg in ("off", False):
            self._framed = False

    def set_axis_off(self):
        self._framed = False

    def set_aspect(self, aspect, **others):
        """Their shape is always the same."""

    def grid(self, visible=True, **others):
        self._lined = visible is not False


def _refused(name):
    def call(self, *args, **options):
        raise NotImplementedError(f"matplotlib: {name} on {self.name} axes")
    return call


class Line3D(Line2D):
    z = ()


class Path3DCollection(Points):
    z = ()


class Poly3DCollection(Artist):
    def __init__(self, quads, colors, edge, width, alpha, label, mapping):
        self.quads, self.colors, self.edge, self.width = quads, colors, edge, width
        self.alpha, self.label, self.mapping = alpha, label, mapping
        self.x, self.y, self.z = ([p[i] for quad in quads for p in quad] for i in range(3))


class Axes3D(_Seen):
    name = "3d"

    def cla(self):
        super().cla()
        self.elev, self.azim, self._zmargin = 30, -60, 0.0
        self._framed = self._lined = True
        self._ends3 = {"x": (None, None), "y": (None, None), "z": (None, None)}
        self._zlabel = ""

    clear = cla

    # -- data --

    def plot(self, xs, ys, *args, zdir="z", **options):
        args = list(args)
        zs = args.pop(0) if args and not isinstance(args[0], str) else options.pop("zs", 0)
        x, y, z = values(xs), values(ys), values(zs)
        made, = super().plot(x, y, *args, **options)
        made.__class__, made.z = Line3D, z * len(x) if len(z) == 1 else z
        return [made]

    def scatter(self, xs, ys, zs=0, zdir="z", s=20, c=None, depthshade=True, **options):
        made = super().scatter(xs, ys, s, c, **options)
        z = values(zs)
        made.__class__, made.z = Path3DCollection, z * len(made.x) if len(z) == 1 else z
        self._zmargin = 0.05
        return made

    def text(self, x, y, z, s, zdir=None, **options):
        made = super().text(x, y, s, **options)
        made.z = [float(z)]
        return made

    def plot_surface(self, X, Y, Z, *, cmap=None, color=None, alpha=None, rstride=None, cstride=None, rcount=50, ccount=50,
                     edgecolor=None, edgecolors=None, linewidth=None, linewidths=None, lw=None, vmin=None, vmax=None, norm=None,
                     label=None, shade=True, **others):
        _refuse("plot_surface", others, {"antialiased", "zorder"})
        rows, columns, at = self._net(X, Y, Z, rstride, cstride, rcount, ccount)
        quads = [(at(i, j), at(i, k), at(h, k), at(h, j)) for i, h in zip(rows, rows[1:]) for j, k in zip(columns, columns[1:])]
        middle = [sum(p[2] for p in quad) / 4 for quad in quads]
        mapping = None
        if cmap is not None:
            low, high = ends_of(norm, vmin, vmax)
            mapping = _artists.mapping(cmap, min(middle) if low is None else low, max(middle) if high is None else high, [])
            if isinstance(mapping, list):
                raise NotImplementedError("matplotlib: plot_surface with a map that was made here")
            (low, high), map_ = mapping["ends"], colormap(cmap)
            colors = [to_hex(map_((v - low) / (high - low) if high > low else 0.0)) for v in middle]
        else:
            base = to_hex(color) if color is not None else self._next_color()
            colors = [self._shaded(base, quad) if shade else base for quad in quads]
        edge = edgecolor if edgecolor is not None else edgecolors
        wide = next((w for w in (linewidth, linewidths, lw) if w is not None), 0.5)
        made = Poly3DCollection(quads, colors, None if edge in (None, "none") or not wide else to_hex(edge), wide, alpha, label,
                                mapping)
        self.artists.append(made)
        self.figure._mapped = (self, made) if mapping else self.figure._mapped
        return made

    def plot_wireframe(self, X, Y, Z, *, rstride=None, cstride=None, rcount=50, ccount=50, **options):
        rows, columns, at = self._net(X, Y, Z, rstride, cstride, rcount, ccount)
        gap = (math.nan,) * 3
        points = [p for i in rows for p in [at(i, j) for j in columns] + [gap]]
        points += [p for j in columns for p in [at(i, j) for i in rows] + [gap]]
        return self.plot(*([p[i] for p in points] for i in range(3)), **options)[0]

    def _net(self, X, Y, Z, rstride, cstride, rcount, ccount):
        Z = numpy.asarray(Z)
        if Z.ndim != 2:
            raise ValueError("Argument Z must be 2-dimensional.")
        X, Y, Z = (numpy.broadcast_to(numpy.asarray(of), Z.shape).astype(float).tolist() for of in (X, Y, Z))
        spans = []
        for size, stride, count in ((len(Z), rstride, rcount), (len(Z[0]), cstride, ccount)):
            step = int(stride) if stride else max(1, math.ceil(size / count))
            spans.append(sorted({*range(0, size, step), size - 1}))
        return *spans, lambda i, j: (X[i][j], Y[i][j], Z[i][j])

    def _shaded(self, base, quad):
        (ax, ay, az), (bx, by, bz) = ([quad[k][i] - quad[0][i] for i in range(3)] for k in (1, 3))
        n = (ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
        light = abs(n[0] * 0.35 - n[1] * 0.2 + n[2] * 0.9) / (math.hypot(*n) or 1.0)
        return "#" + "".join(f"{int(int(base[i:i + 2], 16) * (0.55 + 0.45 * min(light, 1.0))):02x}" for i in (1, 3, 5))

    # -- names and limits --

    def set_zlabel(self, zlabel, **others):
        self._zlabel = zlabel

    def get_zlabel(self):
        return self._zlabel

    def view_init(self, elev=None, azim=None, roll=None, **others):
        self.elev = 30 if elev is None else elev
        self.azim = -60 if azim is None else azim
        if roll:
            raise NotImplementedError("matplotlib: view_init(roll=)")

    def set_box_aspect(self, aspect, *, zoom=1):
        """Their shape is always the same."""

    def _set_ends(self, letter, low, high):
        if high is None and hasattr(low, "__len__"):
            low, high = low
        old = self._ends3[letter]
        self._ends3[letter] = (old[0] if low is None else float(low), old[1] if high is None else float(high))
        return self._range(letter)

    def set_xlim(self, left=None, right=None, **others):
        return self._set_ends("x", left, right)

    def set_ylim(self, bottom=None, top=None, **others):
        return self._set_ends("y", bottom, top)

    def set_zlim(self, bottom=None, top=None, **others):
        return self._set_ends("z", bottom, top)

    set_xlim3d, set_ylim3d, set_zlim3d = set_xlim, set_ylim, set_zlim

    def get_xlim(self):
        return self._range("x")

    def get_ylim(self):
        return self._range("y")

    def get_zlim(self):
        return self._range("z")

    def set_zticks(self, ticks, labels=None, **others):
        self._zticks = (values(ticks), labels)

    _zticks = None

    def _range(self, letter):
        seen = [v for a in self.artists if not isinstance(a, (Words, _Frame)) for v in getattr(a, letter) if math.isfinite(v)]
        low, high = min(seen, default=0.0), max(seen, default=1.0)
        if low == high:
            low, high = low - 0.05 * (abs(low) or 1.0), high + 0.05 * (abs(high) or 1.0)
        room = (self._zmargin if letter == "z" else 0.05) * (high - low)
        low, high = low - room, high + room
        beyond = (high - low) / 48
        return tuple(numpy.float64(own if given is None else given)
                     for given, own in zip(self._ends3[letter], (low - beyond, high + beyond)))

    # -- drawing --

    def _spec(self, ends=None):
        e, a = math.radians(self.elev), math.radians(self.azim)
        right = (-math.sin(a), math.cos(a), 0.0)
        up = (-math.sin(e) * math.cos(a), -math.sin(e) * math.sin(a), math.cos(e))
        self._eye = (math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e))
        ranges = [tuple(map(float, self._range(letter))) for letter in "xyz"]

        def place(p):
            return [(v - low) / ((high - low) or 1.0) * wide - wide / 2 for v, (low, high), wide in zip(p, ranges, (4, 4, 3))]

        def flat(p):
            u = place(p)
            return sum(v * w for v, w in zip(u, right)), sum(v * w for v, w in zip(u, up))

        self._place, self._flat, self._ranges = place, flat, ranges
        self._xlim, self._ylim = (-3.7, 3.7), (-3.3, 3.0)
        return super()._spec(None)

    def _view(self, artist):
        if isinstance(artist, _Frame):
            return self._box() if self._framed else []
        if isinstance(artist, Poly3DCollection):
            return self._faces(artist)
        spec = artist.spec()
        (kind, of), = spec.items()
        if kind == "words":
            of["x"], of["y"] = self._flat((artist.x, artist.y, artist.z[0]))
        else:
            flat = [self._flat(p) for p in zip(artist.x, artist.y, artist.z)]
            of["x"], of["y"] = [p[0] for p in flat], [p[1] for p in flat]
        return [spec]

    def _faces(self, artist):
        name = Points([], [], [1.0], [artist.colors[0] if artist.colors else "#000000"], "s", artist.label, artist.alpha, None,
                      artist.mapping).spec()
        out, eye = [name], self._eye
        far = sorted(range(len(artist.quads)), key=lambda k: sum(v * w for p in artist.quads[k]
                                                                 for v, w in zip(self._place(p), eye)))
        for k in far:
            flat, color = [self._flat(p) for p in artist.quads[k]], artist.colors[k]
            if not all(math.isfinite(v) for p in flat for v in p):
                continue
            for x, low, high in bands(flat):
                out.append({"band": {"x": x, "low": low, "high": high, "color": color, "alpha": artist.alpha, "label": None}})
            if artist.edge or artist.alpha in (None, 1):
                # A fine line hides the seams between faces.
                out.append(_line(flat + flat[:1], artist.edge or color, artist.width if artist.edge else 0.6, artist.alpha))
        return out

    def _box(self):
        """The three sides behind the data, with ticks and names along the edges in front."""
        ranges, eye, out = self._ranges, self._eye, []
        back = [r[0] if v > 0 else r[1] for v, r in zip(eye, ranges)]
        front = [r[1] if v > 0 else r[0] for v, r in zip(eye, ranges)]
        for i in range(3):
            j, k = (n for n in range(3) if n != i)
            corners = [{i: back[i], j: a, k: b} for a, b in zip((*ranges[j], *ranges[j][::-1]), (ranges[k][0],) * 2 + (ranges[k][1],) * 2)]
            around = [self._flat([c[n] for n in range(3)]) for c in corners]
            for a, b in zip(around, around[1:] + around[:1]):
                out += _thin(a, b, "#808080")
        floor = back[2]
        sides = [(a, b) for a in ranges[0] for b in ranges[1]]
        wall = max(sides, key=lambda s: self._flat((*s, floor))[0])
        for i, (letter, name) in enumerate(zip("xyz", (self._xlabel, self._ylabel, self._zlabel))):
            edge = [[None, front[1], floor], [front[0], None, floor], [*wall, None]][i]
            own = getattr(self, f"_{letter}ticks")
            low, high = sorted(ranges[i])
            places = own[0] if own is not None else [v for v in MaxNLocator(7).tick_values(low, high)]
            seen = [(n, v) for n, v in enumerate(places) if low <= v <= high]
            digits = next((d for d in range(10) if all(abs(round(v, d) - v) < 1e-9 * max(abs(v), 1) for _, v in seen)), 10)

            def on(v):
                return self._flat([v if n == i else edge[n] for n in range(3)])

            middle = on(sum(ranges[i]) / 2)
            away = math.hypot(*middle) or 1.0
            out_x, out_y = (1.0, 0.0) if i == 2 else (middle[0] / away, middle[1] / away)
            for n, v in seen:
                x, y = on(v)
                if self._lined:
                    for m in range(3):
                        if m != i:
                            rest = 3 - i - m
                            ends = [[v if q == i else back[m] if q == m else ranges[rest][s] for q in range(3)] for s in (0, 1)]
                            out += _thin(*(self._flat(p) for p in ends), "#d0d0d0")
                text = str(own[1][n]) if own is not None and own[1] else f"{v:.{digits}f}".replace("-", "\u2212")
                out.append(_word((x + 0.35 * out_x, y + 0.35 * out_y), text))
            if name:
                out.append(_word((middle[0] + (0.9 if i == 2 else 0.85) * out_x, middle[1] + 0.85 * out_y), str(name)))
            out += _thin(*(on(v) for v in ranges[i]), "#000000")
        return out


class PolarAxes(_Seen):
    """A place is an angle and a distance from the middle."""

    name = "polar"

    def cla(self):
        super().cla()
        self._framed = self._lined = True
        self._zero, self._turn, self._most, self._angles = 0.0, 1, None, None

    clear = cla

    def set_theta_zero_location(self, loc, offset=0.0):
        self._zero = math.radians({"E": 0, "NE": 45, "N": 90, "NW": 135, "W": 180, "SW": 225, "S": 270, "SE": 315}[loc] + offset)

    def set_theta_offset(self, offset):
        self._zero = float(offset)

    def set_theta_direction(self, direction):
        self._turn = {"clockwise": -1, "counterclockwise": 1, "anticlockwise": 1}.get(direction, direction)

    def set_rmax(self, rmax):
        self._most = float(rmax)

    def get_rmax(self):
        return self._top()

    def set_ylim(self, bottom=None, top=None, **others):
        bottom, top = bottom if top is None and hasattr(bottom, "__len__") else (bottom, top)
        if bottom:
            raise NotImplementedError("matplotlib: polar axes whose middle isn't 0")
        self._most = self._most if top is None else float(top)

    set_rlim = set_ylim

    def set_thetagrids(self, angles, labels=None, **others):
        self._xticks = ([math.radians(v) for v in values(angles)], None if labels is None else list(labels))

    def set_rlabel_position(self, value):
        """The distances are always along 22.5 degrees."""

    def _top(self):
        seen = [v for a in self.artists if hasattr(a, "y") and not isinstance(a, Words) for v in a.y if math.isfinite(v)]
        seen += [p[1] for a in self.artists if hasattr(a, "counts") for p in a.get_xy()]
        return self._most if self._most is not None else max(seen, default=1.0) * 1.05 or 1.0

    def _flat(self, angle, distance):
        angle = self._zero + self._turn * angle
        return distance * math.cos(angle), distance * math.sin(angle)

    def _spec(self, ends=None):
        top = self._top()
        self._xlim = self._ylim = (-1.25 * top, 1.25 * top)
        return super()._spec(None)

    def _view(self, artist):
        if isinstance(artist, _Frame):
            return self._circles() if self._framed else []
        if hasattr(artist, "outline"):
            points = [self._flat(*p) for p in artist.outline()]
            artist.outline, own = lambda: points, artist.outline
            out = artist.specs()
            artist.outline = own
            return out
        spec = artist.spec()
        (kind, of), = spec.items()
        if kind == "words":
            of["x"], of["y"] = self._flat(artist.x, artist.y)
        elif kind in ("line", "points"):
            flat = [self._flat(*p) for p in zip(artist.x, artist.y)]
            of["x"], of["y"] = [p[0] for p in flat], [p[1] for p in flat]
        else:
            raise NotImplementedError(f"matplotlib: {type(artist).__name__} on polar axes")
        return [spec]

    def _circles(self):
        top, out = self._top(), []
        own = self._yticks
        rings = own[0] if own is not None else [v for v in MaxNLocator(5).tick_values(0, top) if 0 < v <= top]
        around = [math.tau * k / 120 for k in range(121)]
        for r in rings if self._lined else []:
            out.append(_line([self._flat(t, r) for t in around], "#c0c0c0"))
        spokes = self._xticks if self._xticks is not None else ([math.tau * k / 8 for k in range(8)], None)
        for n, t in enumerate(spokes[0]):
            if self._lined:
                out.append(_line([(0.0, 0.0), self._flat(t, top)], "#c0c0c0"))
            text = f"{math.degrees(t):g}\u00b0" if spokes[1] is None else str(spokes[1][n])
            out.append(_word(self._flat(t, 1.12 * top), text))
        for n, r in enumerate(rings):
            out.append(_word(self._flat(math.radians(22.5), r), str(own[1][n]) if own is not None and own[1] else f"{r:g}", "left"))
        return out + [_line([self._flat(t, top) for t in around], "#000000")]


for _name in _PLANE:
    setattr(Axes3D, _name, _refused(_name))
    if _name not in ("fill", "annotate"):
        setattr(PolarAxes, _name, _refused(_name))
_KINDS = {"3d": Axes3D, "polar": PolarAxes}

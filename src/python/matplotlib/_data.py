"""`data=`: names of columns in place of numbers, and `hexbin`."""

import functools
import math
import warnings

import numpy

from matplotlib._artists import mapping, pixels, values
from matplotlib._more import Mesh
from matplotlib._options import known_as, refuse
from matplotlib.colors import to_hex

# The arguments of a method that can be names, and the one that the legend's label comes from. None: every argument.
_NAMES = {
    "scatter": ("x y s linewidths edgecolors c facecolor facecolors color", "y"), "bar": (None, None), "barh": (None, None), "stem": (None, None),
    "fill_between": ("x y1 y2 where", None), "fill_betweenx": ("y x1 x2 where", None), "errorbar": ("x y xerr yerr", "y"), "hist": ("x weights", "x"),
    "pie": ("x explode labels colors", None), "violinplot": ("dataset", None), "hlines": ("y xmin xmax colors", "y"),
    "vlines": ("x ymin ymax colors", "x"), "hist2d": ("x y weights", None), "hexbin": ("x y C", "y"), "stackplot": (None, None),
}


def _column(data, given):
    if not isinstance(given, str):
        return given
    try:
        return data[given]
    except Exception:
        # What isn't the name of a column is an argument like any other.
        return given


def _label(numbers, name):
    return getattr(numbers, "name", name if isinstance(name, str) else None)


def _plot(method):
    @functools.wraps(method)
    def plot(self, *args, data=None, **options):
        if data is None:
            return method(self, *args, **options)
        found = [_column(data, one) for one in args]
        if len(args) > 3:
            raise ValueError("Using arbitrary long args with data is not supported due to ambiguity of arguments; use multiple plotting calls instead")
        at = len(args) == 3
        if len(args) == 2:
            from matplotlib.axes import _format

            try:
                _format(args[1])
            except (ValueError, TypeError, AttributeError):
                at = 1
                if isinstance(args[1], str) and found[1] is args[1]:
                    raise ValueError(f"{args[1]!r} is neither a data key nor a valid format string "
                                     f"(unrecognized character {next((c for c in args[1] if c not in '-.:'), args[1][0])!r})") from None
            else:
                at = found[1] is not args[1]
                if at:
                    warnings.warn(f"Second argument {args[1]!r} is ambiguous: could be a format string but is in 'data'; using as data.  If it was intended "
                                  "as data, set the format string to an empty string to suppress this warning.  If it was intended as a format string, "
                                  "explicitly pass the x-values as well.  Alternatively, rename the entry in 'data'.", RuntimeWarning, stacklevel=3)
        if options.get("label") is None and args:
            options["label"] = _label(found[at], args[at])
        return method(self, *found, **options)

    return plot


def _named(method, names, labeled):
    known = method.__code__.co_varnames[1:method.__code__.co_argcount]

    @functools.wraps(method)
    def call(self, *args, data=None, **options):
        if data is None:
            return method(self, *args, **options)
        pick = lambda name, one: _column(data, one) if names is None or name in names.split() else one
        places = [*known, *[None] * len(args)]
        found = [pick(name, one) for name, one in zip(places, args)]
        more = {name: pick(name, one) for name, one in options.items()}
        if labeled and "label" not in options:
            at = known.index(labeled)
            of = (found[at], args[at]) if at < len(args) else (more.get(labeled), options.get(labeled))
            label = _label(*of)
            more.update({} if label is None else {"label": label})
        return method(self, *found, **more)

    return call


def install(cls):
    """Gives the methods that draw `data=`."""
    cls.hexbin = hexbin
    cls.plot = _plot(cls.plot)
    for name, (names, labeled) in _NAMES.items():
        setattr(cls, name, _named(getattr(cls, name), names, labeled))


@known_as("PolyCollection", "collections")
class Hexagons(Mesh):
    """`hexbin`: hexagons of equal size. The image behind them can't be seen; it has the color map, and the axes end where it ends: at the usual margin."""

    late = True

    def get_offsets(self):
        return numpy.ma.array(self._offsets)

    def specs(self, ends, axes):
        from matplotlib.patches import Polygon

        made = [self.spec()]
        if ends is None:
            return made
        low, high = self.get_clim() if self.mapping else (0, 1)
        for i, (x, y) in enumerate(self._offsets.tolist()):
            ink = self._inks[i] if self._inks else \
                to_hex(self.get_cmap()((self.mapping["values"][i] - low) / (high - low) if high > low else 0.0))
            edge = ink if self._edge == "face" else self._edge
            made += Polygon([(x + a, y + b) for a, b in self._corners], facecolor=ink, edgecolor=edge, linewidth=self._width, alpha=self._share).specs()
        return made


def hexbin(self, x, y, C=None, *, gridsize=100, bins=None, xscale="linear", yscale="linear", extent=None, cmap=None, norm=None, vmin=None,
           vmax=None, alpha=None, linewidths=None, edgecolors="face", reduce_C_function=numpy.mean, mincnt=None, marginals=False, **others):
    """Counts points, or sums up `C`, in hexagons."""
    label = others.pop("label", None)
    refuse("hexbin", others, {"zorder", "rasterized", "linewidth", "lw"})
    for name, given in (("norm", norm is not None), ("marginals", marginals), ("xscale", xscale != "linear"), ("yscale", yscale != "linear")):
        if given:
            raise NotImplementedError(f"matplotlib: hexbin({name}=)")
    nx, ny = gridsize if numpy.iterable(gridsize) else (gridsize, int(gridsize / math.sqrt(3)))
    x, y = numpy.asarray(values(x)), numpy.asarray(values(y))
    if extent is not None:
        x0, x1, y0, y1 = map(float, extent)
        for name, a, b in (("x", x0, x1), ("y", y0, y1)):
            if a > b:
                raise ValueError(f"In extent, {name}max must be greater than {name}min")
    else:
        (x0, x1), (y0, y1) = ((float(of.min()), float(of.max())) if len(of) else (0.0, 1.0) for of in (x, y))
        x0, x1, y0, y1 = (*((x0, x1) if x1 > x0 else (x0 - 0.1 * (abs(x0) or 1), x0 + 0.1 * (abs(x0) or 1))),
                          *((y0, y1) if y1 > y0 else (y0 - 0.1 * (abs(y0) or 1), y0 + 0.1 * (abs(y0) or 1))))
    padding = 1e-9 * (x1 - x0)
    x0, x1 = x0 - padding, x1 + padding
    wide, high = (x1 - x0) / nx, (y1 - y0) / ny
    across, up = (x - x0) / wide, (y - y0) / high
    # Hexagons of two grids: at the crossings, and between them.
    first = numpy.round(across).astype(int), numpy.round(up).astype(int)
    second = numpy.floor(across).astype(int), numpy.floor(up).astype(int)
    nearer = (across - first[0]) ** 2 + 3 * (up - first[1]) ** 2 < (across - second[0] - 0.5) ** 2 + 3 * (up - second[1] - 0.5) ** 2
    found = [[] for _ in range((nx + 1) * (ny + 1) + nx * ny)]
    weights = [1.0] * len(x) if C is None else values(C)
    for near, a, b, p, q, value in zip(nearer.tolist(), *(of.tolist() for of in (*first, *second)), weights):
        if near and 0 <= a <= nx and 0 <= b <= ny:
            found[a * (ny + 1) + b].append(value)
        elif not near and 0 <= p < nx and 0 <= q < ny:
            found[(nx + 1) * (ny + 1) + p * ny + q].append(value)
    places = [(a, b) for a in range(nx + 1) for b in range(ny + 1)] + [(a + 0.5, b + 0.5) for a in range(nx) for b in range(ny)]
    least = (0 if C is None else 1) if mincnt is None else mincnt
    kept = [i for i, part in enumerate(found) if len(part) >= least]
    numbers = [float(len(found[i]) if C is None else reduce_C_function(found[i])) for i in kept]
    shown, given = numbers, numpy.array(numbers)
    if isinstance(bins, str):
        if bins != "log":
            raise ValueError(f"{bins!r} is not a valid value for bins. Supported values are 'log'")
        shown = [math.log10(v) if v > 0 else math.nan for v in numbers]
        vmin, vmax = (None if v is None else math.log10(v) for v in (vmin, vmax))
    elif bins is not None:
        edges = numpy.sort(bins) if numpy.iterable(bins) else given.min() + (given.max() - given.min()) * numpy.arange(bins - 1) / (bins - 1)
        given = numpy.searchsorted(edges, given)
        shown = values(given)
    painted = mapping(cmap, vmin, vmax, shown)
    inks, scale = (painted, None) if isinstance(painted, list) else (None, painted)
    if bins == "log" and scale is not None:
        from matplotlib.colors import colormap

        paint, seen = colormap(cmap), [v for v in shown if v == v]
        low, top = (of(seen, default=0.0) if end is None else end for of, end in ((min, vmin), (max, vmax)))
        inks, scale = [to_hex(paint((v - low) / (top - low) if top > low else 0.0)) if v == v else "none" for v in shown], None
    across, up = 0.05 * (x1 - x0), 0.05 * (y1 - y0)
    place = (x0 - across, x1 + across, y0 - up, y1 + up)
    made = Hexagons(1, len(shown), scale, pixels(["#ffffff"] * len(shown)) if scale is None else [], 0.0, place, "lower")
    made._given, made._inks, made._edge, made._share, made.label = numpy.ma.array(given), inks, edgecolors or "face", alpha, label
    made._width = 1.0 if linewidths is None else float(linewidths)
    made._offsets = numpy.array([places[i] for i in kept]).reshape(-1, 2) * [wide, high] + [x0, y0]
    made._corners = [(a * wide, b * high / 3) for a, b in ((0.5, -0.5), (0.5, 0.5), (0, 1), (-0.5, 0.5), (-0.5, -0.5), (0, -1))]
    made.set_cmap(cmap)
    self.artists.append(made)
    self.figure._mapped = (self, made) if scale is not None else self.figure._mapped
    return made

"""Level lines and filled levels of a field: numbers at the crossings of a grid."""

import math

import numpy

from matplotlib._artists import AxesImage, Line2D, mapping, unmasked, values
from matplotlib._options import known_as
from matplotlib.colors import colormap, to_hex

# A filled field is drawn as an image with at least this many cells along each side.
_FINE = 256


def field(args, what):
    """Columns, rows, numbers and levels of `contour(Z)`, `contour(Z, levels)`, `contour(X, Y, Z)`, `contour(X, Y, Z, levels)`."""
    if len(args) not in (1, 2, 3, 4):
        raise TypeError(f"{what}() takes from 1 to 4 positional arguments but {len(args)} were given")
    levels = args[-1] if len(args) in (2, 4) else None
    z = numpy.asarray(unmasked(args[0] if len(args) < 3 else args[2])).astype(float)
    if z.ndim != 2:
        raise TypeError(f"Input z must be 2D, not {z.ndim}D")
    if min(z.shape) < 2:
        raise TypeError(f"Input z must be at least a (2, 2) shaped array, but has shape {z.shape}")
    if len(args) < 3:
        return list(map(float, range(z.shape[1]))), list(map(float, range(z.shape[0]))), z, levels
    x, y = numpy.asarray(args[0]).astype(float), numpy.asarray(args[1]).astype(float)
    if x.ndim != y.ndim:
        raise TypeError(f"Number of dimensions of x ({x.ndim}) and y ({y.ndim}) do not match")
    if x.ndim == 1:
        if len(x) != z.shape[1]:
            raise TypeError(f"Length of x ({len(x)}) must match number of columns in z ({z.shape[1]})")
        if len(y) != z.shape[0]:
            raise TypeError(f"Length of y ({len(y)}) must match number of rows in z ({z.shape[0]})")
        return x.tolist(), y.tolist(), z, levels
    if x.shape != z.shape:
        raise TypeError(f"Shapes of x {x.shape} and z {z.shape} do not match")
    if y.shape != z.shape:
        raise TypeError(f"Shapes of y {y.shape} and z {z.shape} do not match")
    if not numpy.array_equal(x[0], x[-1]):
        # `meshgrid(indexing="ij")` has the columns and rows exchanged.
        if numpy.array_equal(x[:, 0], x[:, -1]) and numpy.array_equal(y[0], y[-1]):
            return x[:, 0].tolist(), y[0].tolist(), z.T, levels
        raise NotImplementedError(f"matplotlib: {what} on a grid that isn't made of straight columns and rows")
    if not numpy.array_equal(x, numpy.broadcast_to(x[0], x.shape)) or \
            not numpy.array_equal(y, numpy.broadcast_to(y[:, :1], y.shape)):
        raise NotImplementedError(f"matplotlib: {what} on a grid that isn't made of straight columns and rows")
    return x[0].tolist(), y[:, 0].tolist(), z, levels


def levels_of(z, levels, filled):
    """The levels: those given, or about seven round numbers."""
    if levels is not None and not isinstance(levels, (int, numpy.integer)):
        out = values(levels)
        if any(b <= a for a, b in zip(out, out[1:])):
            raise ValueError("Contour levels must be increasing")
        if filled and len(out) < 2:
            raise ValueError("Filled contours require at least 2 levels.")
        return out
    finite = z[numpy.isfinite(z)]
    if not finite.size:
        return [0.0, 1.0] if filled else [0.0]
    low, high = float(finite.min()), float(finite.max())
    if low == high:
        return [low - 1e-3 * (abs(low) or 1), high + 1e-3 * (abs(high) or 1)] if filled else [low]
    count = (7 if levels is None else max(int(levels), 1)) + 1
    middle = (low + high) / 2
    offset = 0.0 if abs(middle) < 100 * (high - low) else math.copysign(10.0 ** math.floor(math.log10(abs(middle))), middle)
    low, high = low - offset, high - offset
    power = 10.0 ** math.floor(math.log10((high - low) / count))
    step = next(power * s for s in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 15) if power * s >= (high - low) / count)
    first = low // step * step
    last = math.ceil((high - first) / step - 1e-9)
    return [k * step + first + offset for k in range(last + 1)]


@known_as("QuadContourSet", "contour")
class ContourSet(AxesImage):
    """What `contour` and `contourf` return."""

    def __init__(self, levels, made, *image):
        super().__init__(*image)
        self.levels, self.made = numpy.array(levels), made

    def clabel(self, *args, **others):
        raise NotImplementedError("matplotlib: clabel")

    def legend_elements(self, *args, **others):
        raise NotImplementedError("matplotlib: ContourSet.legend_elements")


def lines(x, y, z, level):
    """The segments of one level line, as a line that is interrupted by NaN."""
    xs, ys = [], []
    numbers = z.tolist()
    for i in range(len(y) - 1):
        below, above = numbers[i], numbers[i + 1]
        for j in range(len(x) - 1):
            corners = ((x[j], y[i], below[j]), (x[j + 1], y[i], below[j + 1]), (x[j + 1], y[i + 1], above[j + 1]),
                       (x[j], y[i + 1], above[j]))
            if not all(math.isfinite(c[2]) for c in corners):
                continue
            cuts = []
            for (x0, y0, a), (x1, y1, b) in zip(corners, corners[1:] + corners[:1]):
                if (a > level) != (b > level):
                    part = (level - a) / (b - a)
                    cuts.append((x0 + (x1 - x0) * part, y0 + (y1 - y0) * part))
            # A saddle: its middle decides which corners belong together.
            if len(cuts) == 4 and (sum(c[2] for c in corners) / 4 > level) != (corners[0][2] > level):
                cuts = [cuts[3], cuts[0], cuts[1], cuts[2]]
            for k in range(0, len(cuts), 2):
                xs += [cuts[k][0], cuts[k + 1][0], math.nan]
                ys += [cuts[k][1], cuts[k + 1][1], math.nan]
    return xs, ys


def _inks(count, colors, cmap, low, high, numbers):
    """A color for each number: those given, in turn, or those of a map."""
    if colors is not None:
        given = [colors] if isinstance(colors, str) else list(colors)
        return [to_hex(given[i % len(given)]) for i in range(count)]
    shades = colormap(cmap)
    low = numbers[0] if low is None else low
    high = numbers[-1] if high is None else high
    return [to_hex(shades((v - low) / (high - low) if high > low else 0.0)) for v in numbers]


def contour(axes, args, levels, colors, cmap, alpha, vmin, vmax, widths, styles):
    x, y, z, given = field(args, "contour")
    at = levels_of(z, given if levels is None else levels, False)
    inks = _inks(len(at), colors, cmap, vmin, vmax, at)
    widths = values(widths) if widths is not None else [1.5]
    made = []
    for i, (level, ink) in enumerate(zip(at, inks)):
        # With one color, levels below zero are dashed.
        style = styles[i % len(styles)] if isinstance(styles, (list, tuple)) else styles
        if style is None:
            style = "--" if level < 0 and colors is not None and len(set(inks)) == 1 else "-"
        made.append(Line2D(*lines(x, y, z, level), ink, widths[i % len(widths)], style, None, 0, None, alpha))
    axes.artists += made
    # It draws nothing itself, but the axes end where the field ends.
    whole = ContourSet(at, made, 1, 1, None, [255.0] * 3, 0.0, (min(x), max(x), min(y), max(y)), "lower")
    axes.artists.append(whole)
    return whole


def _spread(places, count):
    """For `count` places at equal distances: the crossing before each, and how far it is to the next."""
    backwards = places[-1] < places[0]
    told = places[::-1] if backwards else places
    if any(b <= a for a, b in zip(told, told[1:])):
        raise NotImplementedError("matplotlib: a grid whose coordinates don't increase")
    fine = numpy.linspace(told[0], told[-1], 2 * count + 1)[1::2]
    at = numpy.clip(numpy.searchsorted(numpy.array(told), fine, side="right") - 1, 0, len(told) - 2)
    start, end = numpy.array(told)[at], numpy.array(told)[at + 1]
    return at, (fine - start) / (end - start), backwards


def contourf(axes, args, levels, colors, cmap, alpha, vmin, vmax, extend):
    if extend not in ("neither", "both", "min", "max"):
        raise ValueError(f"{extend!r} is not a valid value for extend. Supported values are 'neither', 'both', 'min', 'max'")
    x, y, z, given = field(args, "contourf")
    at = levels_of(z, given if levels is None else levels, True)
    height, width = max(_FINE, len(y)), max(_FINE, len(x))
    rows, down, flipped = _spread(y, height)
    columns, across, turned = _spread(x, width)
    z = z[::-1] if flipped else z
    z = z[:, ::-1] if turned else z
    down, across = down[:, None], across[None, :]
    top = z[rows][:, columns] * (1 - across) + z[rows][:, columns + 1] * across
    low = z[rows + 1][:, columns] * (1 - across) + z[rows + 1][:, columns + 1] * across
    fine = top * (1 - down) + low * down
    band = numpy.searchsorted(numpy.array(at), fine.reshape(-1), side="right") - 1
    middles = [(a + b) / 2 for a, b in zip(at, at[1:])]
    last = len(middles) - 1
    under, over = extend in ("min", "both"), extend in ("max", "both")
    cells = [math.nan if math.isnan(value) or k < 0 and not under or k > last and value != at[-1] and not over
             else min(max(k, 0), last) for value, k in zip(fine.reshape(-1).tolist(), band.tolist())]
    scale, rgb = None, []
    if colors is None and not hasattr(colormap(cmap), "colors"):
        scale = mapping(cmap, at[0] if vmin is None else vmin, at[-1] if vmax is None else vmax,
                        [k if k != k else middles[k] for k in cells])
    else:
        inks = _inks(len(middles), colors, cmap, vmin, vmax, middles)
        shades = [[int(ink[i:i + 2], 16) for i in (1, 3, 5)] for ink in inks]
        back = [int(axes._face[i:i + 2], 16) for i in (1, 3, 5)]
        for k in cells:
            rgb += back if k != k else shades[k]
    made = ContourSet(at, [], height, width, scale, [float(v) for v in rgb], alpha, (min(x), max(x), min(y), max(y)), "lower")
    axes.artists.append(made)
    axes.figure._mapped = (axes, made) if scale is not None else axes.figure._mapped
    return made

"""Colors by name, and maps from numbers to colors."""

import _torch
import matplotlib

CYCLE = ["#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"]
ORDER = tuple(CYCLE)
_LETTERS = {"b": "#0000ff", "g": "#008000", "r": "#ff0000", "c": "#00bfbf", "m": "#bf00bf", "y": "#bfbf00", "k": "#000000",
            "w": "#ffffff"}
_NAMES = {"black": "#000000", "white": "#ffffff", "red": "#ff0000", "green": "#008000", "blue": "#0000ff", "cyan": "#00ffff",
          "magenta": "#ff00ff", "yellow": "#ffff00", "gray": "#808080", "grey": "#808080", "orange": "#ffa500",
          "purple": "#800080", "brown": "#a52a2a", "pink": "#ffc0cb", "navy": "#000080", "teal": "#008080",
          "olive": "#808000", "lime": "#00ff00", "maroon": "#800000", "gold": "#ffd700", "crimson": "#dc143c",
          "salmon": "#fa8072", "coral": "#ff7f50", "tomato": "#ff6347", "skyblue": "#87ceeb", "steelblue": "#4682b4",
          "royalblue": "#4169e1", "darkblue": "#00008b", "lightblue": "#add8e6", "dodgerblue": "#1e90ff",
          "lightgray": "#d3d3d3", "lightgrey": "#d3d3d3", "darkgray": "#a9a9a9", "darkgreen": "#006400",
          "lightgreen": "#90ee90", "seagreen": "#2e8b57", "darkred": "#8b0000", "darkorange": "#ff8c00", "violet": "#ee82ee",
          "indigo": "#4b0082", "orchid": "#da70d6", "turquoise": "#40e0d0", "tan": "#d2b48c", "beige": "#f5f5dc",
          "khaki": "#f0e68c", "chocolate": "#d2691e", "firebrick": "#b22222", "slategray": "#708090"}


def to_hex(c):
    """`#rrggbb` for anything that names a color, or `none`."""
    if isinstance(c, str):
        if c.lower() in ("none", ""):
            return "none"
        if c in _LETTERS:
            return _LETTERS[c]
        if len(c) > 1 and c[0] == "C" and c[1:].isdigit():
            return CYCLE[int(c[1:]) % len(CYCLE)]
        name = c.lower().removeprefix("tab:")
        if c.lower().startswith("tab:"):
            order = ["blue", "orange", "green", "red", "purple", "brown", "pink", "gray", "olive", "cyan"]
            if name in order:
                return ORDER[order.index(name)]
        if name in _NAMES:
            return _NAMES[name]
        if c.startswith("#") and len(c) in (4, 7, 9) and all(x in "0123456789abcdefABCDEF" for x in c[1:]):
            return c[:7] if len(c) > 4 else "#" + "".join(x * 2 for x in c[1:])
        try:
            gray = float(c)
        except ValueError:
            raise ValueError(f"{c!r} is not a valid color value") from None
        return to_hex((gray, gray, gray))
    try:
        parts = [float(v) for v in c][:3]
    except TypeError:
        raise ValueError(f"{c!r} is not a valid color value") from None
    return "#" + "".join(f"{round(255 * min(max(v, 0), 1)):02x}" for v in parts)


def to_rgb(c):
    text = to_hex(c)
    return tuple(int(text[i:i + 2], 16) / 255 for i in (1, 3, 5))


def to_rgba(c, alpha=None):
    """Red, green, blue and opacity, each from 0 to 1."""
    if isinstance(c, tuple) and len(c) == 2 and isinstance(c[0], str):
        c, alpha = c[0], c[1] if alpha is None else alpha
    if isinstance(c, str) and c.lower() == "none":
        return 0.0, 0.0, 0.0, 0.0
    own = 1.0 if isinstance(c, str) else 1
    if isinstance(c, str) and c.startswith("#") and len(c) == 9:
        own = int(c[7:], 16) / 255
    elif not isinstance(c, str) and len(c) == 4:
        own = float(c[3])
    return (*(to_rgb(c) if isinstance(c, str) else tuple(float(v) for v in c)[:3]), own if alpha is None else float(alpha))


def to_rgba_array(c, alpha=None):
    import numpy

    if isinstance(c, str):
        c = [c]
    return numpy.array([to_rgba(one, alpha) for one in c])


def is_color_like(c):
    try:
        to_hex(c)
    except (ValueError, TypeError):
        return False
    return True


class Colormap:
    """From a number in 0–1 to a color."""

    def __init__(self, name):
        if _torch._map_color(name, 0.0) is None:
            raise ValueError(f"{name!r} is not a known value for cmap here; these are: {', '.join(_torch._color_maps())}")
        self.name = name

    def resampled(self, lutsize):
        return ListedColormap([self(k / max(lutsize - 1, 1)) for k in range(lutsize)], self.name)

    def reversed(self, name=None):
        return colormap(self.name[:-2] if self.name.endswith("_r") else self.name + "_r")

    @property
    def N(self):
        return _COUNTS.get(self.name.removesuffix("_r"), 256)

    def __call__(self, share):
        if getattr(share, "ndim", isinstance(share, (list, tuple))):
            import numpy

            given = numpy.asarray(share)
            return numpy.array([self(v) for v in given.reshape(-1).tolist()]).reshape(*given.shape, 4)
        share = share.item() if hasattr(share, "item") else share
        # An integer is the number of a color.
        place = (share + 0.5) / self.N if isinstance(share, int) and not isinstance(share, bool) else float(share)
        return tuple(v / 255 for v in _torch._map_color(self.name, place)) + (1.0,)


class ListedColormap(Colormap):
    """Colors in a row. An image of such a map has no color scale."""

    def __init__(self, colors, name="from_list", N=None):
        self.colors, self.name = [to_rgb(c) if isinstance(c, str) else tuple(float(v) for v in c)[:3] for c in colors][:N], name

    @property
    def N(self):
        return len(self.colors)

    def __call__(self, share):
        if getattr(share, "ndim", isinstance(share, (list, tuple))):
            return super().__call__(share)
        share = share.item() if hasattr(share, "item") else share
        at = share if isinstance(share, int) and not isinstance(share, bool) else int(share * self.N)
        return (*self.colors[min(max(at, 0), self.N - 1)], 1.0)


class LinearSegmentedColormap(ListedColormap):
    def __init__(self, name, segmentdata, N=256, gamma=1.0):
        raise NotImplementedError("matplotlib: LinearSegmentedColormap(segmentdata); from_list makes one of colors")

    @staticmethod
    def from_list(name, colors, N=256, gamma=1.0):
        colors = list(colors)
        if colors and isinstance(colors[0], (tuple, list)) and len(colors[0]) == 2:
            places, colors = [float(v) for v, _ in colors], [to_rgb(c) for _, c in colors]
        else:
            places, colors = [i / (len(colors) - 1) for i in range(len(colors))], [to_rgb(c) for c in colors]
        made = []
        for k in range(N):
            share = k / max(N - 1, 1)
            i = max(i for i in range(len(places)) if places[i] <= share or i == 0)
            j = min(i + 1, len(places) - 1)
            part = (share - places[i]) / (places[j] - places[i]) if j > i else 0.0
            made.append(tuple(a + (b - a) * part for a, b in zip(colors[i], colors[j])))
        return ListedColormap(made, name)


class Normalize:
    """Numbers to shares of the way from `vmin` to `vmax`."""

    def __init__(self, vmin=None, vmax=None, clip=False):
        self.vmin, self.vmax, self.clip = vmin, vmax, clip

    def __call__(self, value, clip=None):
        import numpy

        value = numpy.asarray(value).astype(float)
        low = float(value.min()) if self.vmin is None else self.vmin
        high = float(value.max()) if self.vmax is None else self.vmax
        out = (value - low) / (high - low) if high != low else value * 0.0
        out = numpy.clip(out, 0.0, 1.0) if (self.clip if clip is None else clip) else out
        return out if out.ndim else out[()]


class _Bent(Normalize):
    """A scale that isn't straight: `_way` says how far along it a number is."""

    def _ends(self, value):
        import numpy

        seen = value[numpy.isfinite(value)]
        return (float(seen.min()) if self.vmin is None else self.vmin, float(seen.max()) if self.vmax is None else self.vmax)

    def __call__(self, value, clip=None):
        import numpy

        value = numpy.asarray(value).astype(float)
        self.vmin, self.vmax = self._ends(value)
        if self.clip if clip is None else clip:
            value = numpy.clip(value, self.vmin, self.vmax)
        out = self._way(value)
        return out if out.ndim else out[()]

    autoscale_None = __call__


class LogNorm(_Bent):
    """Equal steps for equal ratios."""

    def _ends(self, value):
        import numpy

        return super()._ends(numpy.where(value > 0, value, numpy.nan))

    def _way(self, value):
        import numpy

        if self.vmin <= 0 or self.vmin > self.vmax:
            raise ValueError("Invalid vmin or vmax")
        low, high = numpy.log(self.vmin), numpy.log(self.vmax)
        return (numpy.log(numpy.where(value > 0, value, numpy.nan)) - low) / (high - low if high > low else 1.0)


class PowerNorm(_Bent):
    """A power of the share."""

    def __init__(self, gamma, vmin=None, vmax=None, clip=False):
        super().__init__(vmin, vmax, clip)
        self.gamma = gamma

    def _way(self, value):
        import numpy

        share = (value - self.vmin) / (self.vmax - self.vmin if self.vmax > self.vmin else 1.0)
        return numpy.where(share > 0, numpy.abs(share) ** self.gamma, share)


class TwoSlopeNorm(_Bent):
    """Half of the colors on either side of a number."""

    def __init__(self, vcenter, vmin=None, vmax=None):
        super().__init__(vmin, vmax)
        self.vcenter = vcenter
        if vmax is not None and vcenter >= vmax or vmin is not None and vcenter <= vmin:
            raise ValueError("vmin, vcenter, and vmax must be in ascending order")

    def _ends(self, value):
        low, high = super()._ends(value)
        middle = self.vcenter
        low = 2 * middle - high if self.vmin is None and low >= middle else low
        high = 2 * middle - low if self.vmax is None and high <= middle else high
        return low, high

    def _way(self, value):
        import numpy

        return numpy.interp(value, [self.vmin, self.vcenter, self.vmax], [0.0, 0.5, 1.0], left=-numpy.inf, right=numpy.inf)


class CenteredNorm(_Bent):
    """The same distance on either side of a number."""

    def __init__(self, vcenter=0, halfrange=None, clip=False):
        super().__init__(None, None, clip)
        self.vcenter, self.halfrange = vcenter, halfrange

    def _ends(self, value):
        import numpy

        if self.halfrange is None:
            self.halfrange = float(numpy.abs(value[numpy.isfinite(value)] - self.vcenter).max())
        return self.vcenter - self.halfrange, self.vcenter + self.halfrange

    def _way(self, value):
        return (value - self.vmin) / (self.vmax - self.vmin if self.vmax > self.vmin else 1.0)


def __getattr__(name):
    if name in ("BoundaryNorm", "SymLogNorm", "AsinhNorm", "FuncNorm", "NoNorm", "LightSource", "BivarColormap", "MultivarColormap"):
        raise NotImplementedError(f"matplotlib.colors.{name} isn't here")
    raise AttributeError(f"module 'matplotlib.colors' has no attribute {name!r}")


# Maps of separate colors, and how many they have.
_COUNTS = {"tab10": 10, "tab20": 20, "tab20b": 20, "tab20c": 20, "Set1": 9, "Set2": 8, "Set3": 12, "Pastel1": 9, "Pastel2": 8,
           "Paired": 12, "Accent": 8, "Dark2": 8}


def colormap(name, lut=None):
    if lut is not None:
        base = colormap(name)
        return ListedColormap([base(k / max(lut - 1, 1)) for k in range(lut)], base.name)
    if name is None:
        name = matplotlib.rcParams["image.cmap"]
    return name if isinstance(name, Colormap) else Colormap(name)

"""Colors by name, and maps from numbers to colors."""

import _torch
import matplotlib

CYCLE = ["#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"]
ORDER = tuple(CYCLE)
_LETTERS = {"b": "#0000ff", "g": "#008000", "r": "#ff0000", "c": "#00bfbf", "m": "#bf00bf", "y": "#bfbf00", "k": "#000000",
            "w": "#ffffff"}
# The names of CSS.
_NAMES = {name: "#" + value for name, value in (pair.split("=") for pair in """
    aliceblue=f0f8ff antiquewhite=faebd7 aqua=00ffff aquamarine=7fffd4 azure=f0ffff beige=f5f5dc bisque=ffe4c4
    black=000000 blanchedalmond=ffebcd blue=0000ff blueviolet=8a2be2 brown=a52a2a burlywood=deb887 cadetblue=5f9ea0
    chartreuse=7fff00 chocolate=d2691e coral=ff7f50 cornflowerblue=6495ed cornsilk=fff8dc crimson=dc143c cyan=00ffff
    darkblue=00008b darkcyan=008b8b darkgoldenrod=b8860b darkgray=a9a9a9 darkgreen=006400 darkgrey=a9a9a9
    darkkhaki=bdb76b darkmagenta=8b008b darkolivegreen=556b2f darkorange=ff8c00 darkorchid=9932cc darkred=8b0000
    darksalmon=e9967a darkseagreen=8fbc8f darkslateblue=483d8b darkslategray=2f4f4f darkslategrey=2f4f4f
    darkturquoise=00ced1 darkviolet=9400d3 deeppink=ff1493 deepskyblue=00bfff dimgray=696969 dimgrey=696969
    dodgerblue=1e90ff firebrick=b22222 floralwhite=fffaf0 forestgreen=228b22 fuchsia=ff00ff gainsboro=dcdcdc
    ghostwhite=f8f8ff gold=ffd700 goldenrod=daa520 gray=808080 green=008000 greenyellow=adff2f grey=808080
    honeydew=f0fff0 hotpink=ff69b4 indianred=cd5c5c indigo=4b0082 ivory=fffff0 khaki=f0e68c lavender=e6e6fa
    lavenderblush=fff0f5 lawngreen=7cfc00 lemonchiffon=fffacd lightblue=add8e6 lightcoral=f08080 lightcyan=e0ffff
    lightgoldenrodyellow=fafad2 lightgray=d3d3d3 lightgreen=90ee90 lightgrey=d3d3d3 lightpink=ffb6c1 lightsalmon=ffa07a
    lightseagreen=20b2aa lightskyblue=87cefa lightslategray=778899 lightslategrey=778899 lightsteelblue=b0c4de
    lightyellow=ffffe0 lime=00ff00 limegreen=32cd32 linen=faf0e6 magenta=ff00ff maroon=800000 mediumaquamarine=66cdaa
    mediumblue=0000cd mediumorchid=ba55d3 mediumpurple=9370db mediumseagreen=3cb371 mediumslateblue=7b68ee
    mediumspringgreen=00fa9a mediumturquoise=48d1cc mediumvioletred=c71585 midnightblue=191970 mintcream=f5fffa
    mistyrose=ffe4e1 moccasin=ffe4b5 navajowhite=ffdead navy=000080 oldlace=fdf5e6 olive=808000 olivedrab=6b8e23
    orange=ffa500 orangered=ff4500 orchid=da70d6 palegoldenrod=eee8aa palegreen=98fb98 paleturquoise=afeeee
    palevioletred=db7093 papayawhip=ffefd5 peachpuff=ffdab9 peru=cd853f pink=ffc0cb plum=dda0dd powderblue=b0e0e6
    purple=800080 rebeccapurple=663399 red=ff0000 rosybrown=bc8f8f royalblue=4169e1 saddlebrown=8b4513 salmon=fa8072
    sandybrown=f4a460 seagreen=2e8b57 seashell=fff5ee sienna=a0522d silver=c0c0c0 skyblue=87ceeb slateblue=6a5acd
    slategray=708090 slategrey=708090 snow=fffafa springgreen=00ff7f steelblue=4682b4 tan=d2b48c teal=008080
    thistle=d8bfd8 tomato=ff6347 turquoise=40e0d0 violet=ee82ee wheat=f5deb3 white=ffffff whitesmoke=f5f5f5
    yellow=ffff00 yellowgreen=9acd32
""".split())}
CSS4_COLORS = {name: value.upper() for name, value in _NAMES.items()}
TABLEAU_COLORS = dict(zip(["tab:blue", "tab:orange", "tab:green", "tab:red", "tab:purple", "tab:brown", "tab:pink", "tab:gray",
                           "tab:olive", "tab:cyan"], CYCLE))
BASE_COLORS = {"b": (0, 0, 1), "g": (0, 0.5, 0), "r": (1, 0, 0), "c": (0, 0.75, 0.75), "m": (0.75, 0, 0.75), "y": (0.75, 0.75, 0),
               "k": (0, 0, 0), "w": (1, 1, 1)}


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


def to_rgba(c, alpha=None):
    """Four numbers in 0–1 for anything that names a color. A pair is a color and its opacity."""
    if isinstance(c, tuple) and len(c) == 2:
        c, alpha = c[0], c[1] if alpha is None else alpha
    if alpha is not None and not 0 <= alpha <= 1:
        raise ValueError("'alpha' must be between 0 and 1, inclusive")
    if isinstance(c, str):
        if c.lower() == "none":
            return (0.0, 0.0, 0.0, 0.0)
        if c in BASE_COLORS:
            found = (*(float(v) for v in BASE_COLORS[c]), 1)
        elif c.startswith("#") and len(c) in (4, 5, 7, 9):
            text = to_hex(c[:4] if len(c) < 7 else c)
            last = 1.0 if len(c) in (4, 7) else int(c[-2:] if len(c) == 9 else c[-1] * 2, 16) / 255
            found = (*(int(text[i:i + 2], 16) / 255 for i in (1, 3, 5)), last)
        else:
            try:
                gray = float(c)
            except ValueError:
                try:
                    text = to_hex(c)
                except ValueError:
                    what = "hex color specifier" if c.startswith("#") else "RGBA argument"
                    raise ValueError(f"Invalid {what}: {c!r}") from None
                found = (*(int(text[i:i + 2], 16) / 255 for i in (1, 3, 5)), 1 if c[0] == "C" and c[1:].isdigit() else 1.0)
            else:
                if not 0 <= gray <= 1:
                    raise ValueError(f"Invalid string grayscale value {c!r}. Value must be within 0-1 range")
                found = (gray, gray, gray, 1.0)
        return found if alpha is None else (*found[:3], alpha)
    try:
        parts = [float(v) for v in c]
    except (TypeError, ValueError):
        raise ValueError(f"Invalid RGBA argument: {c!r}") from None
    if len(parts) not in (3, 4):
        raise ValueError("RGBA sequence should have length 3 or 4")
    if any(not 0 <= v <= 1 for v in parts):
        raise ValueError("RGBA values should be within 0-1 range")
    last = alpha if alpha is not None else parts[3] if len(parts) == 4 else 1
    return (*parts[:3], last)


def to_rgb(c):
    return to_rgba(c)[:3]


def to_rgba_array(c, alpha=None):
    """One row of four numbers for each color."""
    import numpy

    if isinstance(c, str):
        rows = [] if c.lower() == "none" else [to_rgba(c, alpha)]
    elif len(c) in (3, 4) and all(isinstance(v, (int, float)) for v in c):
        rows = [to_rgba(c, alpha)]
    else:
        alphas = [alpha] * len(c) if alpha is None or isinstance(alpha, (int, float)) else alpha
        rows = [to_rgba(v, a) for v, a in zip(c, alphas)]
    return numpy.array(rows, dtype=float).reshape(-1, 4)


def is_color_like(c):
    try:
        to_rgba(c)
    except (TypeError, ValueError):
        return False
    return True


def same_color(c1, c2):
    return to_rgba(c1) == to_rgba(c2)


def rgb2hex(c, keep_alpha=False):
    """`#rrggbb`, or `#rrggbbaa` with `keep_alpha`."""
    return "#" + "".join(f"{round(255 * v):02x}" for v in to_rgba(c)[:4 if keep_alpha else 3])


hex2color = to_rgb


def hsv_to_rgb(hsv):
    """Hue, saturation and value in the last dimension, all in 0–1, as red, green and blue."""
    import colorsys

    import numpy

    given = numpy.asarray(hsv).astype(float)
    if given.shape[-1] != 3:
        raise ValueError(f"Last dimension of input array must be 3; shape {given.shape} was found.")
    return numpy.array([colorsys.hsv_to_rgb(*row) for row in given.reshape(-1, 3).tolist()]).reshape(given.shape)


def rgb_to_hsv(arr):
    """Red, green and blue in the last dimension, all in 0–1, as hue, saturation and value."""
    import colorsys

    import numpy

    given = numpy.asarray(arr).astype(float)
    if given.shape[-1] != 3:
        raise ValueError(f"Last dimension of input array must be 3; shape {given.shape} was found.")
    return numpy.array([colorsys.rgb_to_hsv(*row) for row in given.reshape(-1, 3).tolist()]).reshape(given.shape)


class Colormap:
    """From a number in 0–1 to a color."""

    def __init__(self, name):
        if _torch._map_color(name, 0.0) is None:
            import difflib

            known = [one + end for one in _torch._color_maps() for end in ("", "_r")]
            best = difflib.get_close_matches(str(name), known, cutoff=0.5)
            said = f" Did you mean: {best[0]!r}?" if len(best) == 1 else f" Did you mean one of: {', '.join(map(repr, best))}?" if best else ""
            raise ValueError(f"{name!r} is not a valid value for name.{said}")
        self.name = name

    # The colors of what isn't a number, and of what is below or above the map.
    _bad, _under, _over = (0.0, 0.0, 0.0, 0.0), None, None

    def copy(self):
        import copy

        return copy.copy(self)

    def set_bad(self, color="k", alpha=None):
        self._bad = to_rgba(color, alpha)

    def set_under(self, color="k", alpha=None):
        self._under = to_rgba(color, alpha)

    def set_over(self, color="k", alpha=None):
        self._over = to_rgba(color, alpha)

    def set_extremes(self, *, bad=None, under=None, over=None):
        for name, color in (("_bad", bad), ("_under", under), ("_over", over)):
            if color is not None:
                setattr(self, name, to_rgba(color))

    def with_extremes(self, **colors):
        made = self.copy()
        made.set_extremes(**colors)
        return made

    @property
    def _plain(self):
        """Whether what isn't a number, or isn't on the map, has no color of its own."""
        return self._under is None and self._over is None and self._bad == Colormap._bad

    def _beyond(self, share):
        """The color of a number that isn't on the map; None of others."""
        if share != share:
            return self._bad
        top = self.N if isinstance(share, int) else 1
        return self._under if share < 0 else self._over if share > top or share == top == self.N else None

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
            made = numpy.array([self(v) for v in given.reshape(-1).tolist()]).reshape(*given.shape, 4)
            if hasattr(share, "filled") and share.mask.any():
                made[share.mask] = self._bad
            return made
        share = share.item() if hasattr(share, "item") else share
        beyond = self._beyond(share)
        if beyond is not None:
            return beyond
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
        beyond = self._beyond(share)
        if beyond is not None:
            return beyond
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
        self.vmin, self.vmax = (None if end is None else float(end) for end in (vmin, vmax))
        self.clip = clip

    def __call__(self, value, clip=None):
        import numpy

        value = numpy.ma.asarray(value).astype(float)
        self.vmin = float(value.min()) if self.vmin is None else self.vmin
        self.vmax = float(value.max()) if self.vmax is None else self.vmax
        if self.vmin > self.vmax:
            raise ValueError("minvalue must be less than or equal to maxvalue")
        out = (value - self.vmin) / (self.vmax - self.vmin) if self.vmax != self.vmin else value * 0.0
        out = numpy.clip(out, 0.0, 1.0) if (self.clip if clip is None else clip) else out
        return out if out.ndim else out[()]

    def scaled(self):
        return self.vmin is not None and self.vmax is not None

    def autoscale(self, A):
        self.vmin = self.vmax = None
        self(A)

    def inverse(self, value):
        import numpy

        return self.vmin + numpy.asarray(value) * (self.vmax - self.vmin)


class _Bent(Normalize):
    """A scale that isn't straight: `_way` says how far along it a number is."""

    def _ends(self, value):
        import numpy

        seen = value[numpy.isfinite(value)]
        return (float(seen.min()) if self.vmin is None else self.vmin, float(seen.max()) if self.vmax is None else self.vmax)

    def __call__(self, value, clip=None):
        import numpy

        gone = numpy.ma.getmask(value)
        value = numpy.ma.filled(numpy.ma.asarray(value).astype(float), numpy.nan)
        self.vmin, self.vmax = self._ends(value)
        if self.clip if clip is None else clip:
            value = numpy.clip(value, self.vmin, self.vmax)
        out = numpy.asarray(self._way(value))
        if not out.ndim:
            return out[()]
        return numpy.ma.masked_invalid(out) if self._holes else numpy.ma.array(out, mask=gone)

    # Whether numbers off the scale are masked.
    _holes = False

    def _shares(self, value):
        """How far along the colors numbers are, NaN where there is none."""
        import numpy

        return numpy.ma.filled(numpy.ma.asarray(self(value)), numpy.nan)

    autoscale_None = __call__


class LogNorm(_Bent):
    """Equal steps for equal ratios."""

    _holes = True

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


class SymLogNorm(_Bent):
    """Equal steps for equal ratios on both sides of zero, and a straight piece around it."""

    _holes = True

    def __init__(self, linthresh, linscale=1.0, vmin=None, vmax=None, clip=False, *, base=10):
        super().__init__(vmin, vmax, clip)
        self.linthresh, self.linscale, self.base = linthresh, linscale, base

    def _bend(self, value):
        import numpy

        size, straight = numpy.abs(value), self.linscale / (1.0 - 1.0 / self.base)
        far = self.linthresh * (straight + numpy.log(numpy.maximum(size, self.linthresh) / self.linthresh) / numpy.log(self.base))
        return numpy.where(size <= self.linthresh, value * straight, numpy.sign(value) * far)

    def _way(self, value):
        low, high = self._bend(self.vmin), self._bend(self.vmax)
        return (self._bend(value) - low) / (high - low)


class BoundaryNorm(_Bent):
    """One color for all numbers between two boundaries: the number of the color."""

    def __init__(self, boundaries, ncolors, clip=False, *, extend="neither"):
        import numpy

        if clip and extend != "neither":
            raise ValueError("'clip=True' is not compatible with 'extend'")
        super().__init__(numpy.float64(boundaries[0]), numpy.float64(boundaries[-1]), clip)
        self.boundaries, self.N, self.Ncmap, self.extend = numpy.asarray(boundaries), len(boundaries), ncolors, extend
        self._offset = int(extend in ("min", "both"))
        self._regions = self.N - 1 + self._offset + int(extend in ("max", "both"))
        if self._regions > ncolors:
            raise ValueError(f"There are {self._regions} color bins including extensions, but ncolors = {ncolors}; ncolors must equal "
                             "or exceed the number of bins")

    def __call__(self, value, clip=None):
        import numpy

        clip = self.clip if clip is None else clip
        given = numpy.ma.asarray(value).astype(float)
        numbers = given.filled(self.vmax + 1)
        if clip:
            numbers = numpy.clip(numbers, self.vmin, self.vmax)
        place = numpy.digitize(numbers, self.boundaries) - 1 + self._offset
        if self.Ncmap > self._regions:
            place = numpy.where(place == 0, (self.Ncmap - 1) // 2, place) if self._regions == 1 else \
                (self.Ncmap - 1) / (self._regions - 1) * place
        place = numpy.asarray(place).astype(numpy.int16)
        place = numpy.where(numbers < self.vmin, -1, numpy.where(numbers >= self.vmax, self.Ncmap - clip, place)).astype(numpy.int16)
        return int(place) if not place.ndim else numpy.ma.array(place, mask=numpy.ma.getmaskarray(given))

    def _shares(self, value):
        import numpy

        made = numpy.ma.asarray(self(value)).astype(float)
        return numpy.ma.filled((made + 0.5) / self.Ncmap, numpy.nan)

    def inverse(self, value):
        raise ValueError("BoundaryNorm is not invertible")


class NoNorm(Normalize):
    """Numbers of colors as they are."""

    def __call__(self, value, clip=None):
        import numpy

        return value if isinstance(value, (int, float)) else numpy.ma.array(value)

    def inverse(self, value):
        return value


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
    if name in ("AsinhNorm", "FuncNorm", "LightSource", "BivarColormap", "MultivarColormap"):
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

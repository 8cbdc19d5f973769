"""Colours by name, and maps from numbers to colours."""

CYCLE = ["#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"]
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
    """`#rrggbb` of anything that names a colour, or `none`."""
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
                return CYCLE[order.index(name)]
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


_MAPS = {
    "viridis": "440154 482878 3e4989 31688e 26828e 1f9e89 35b779 6ece58 b5de2b fde725",
    "plasma": "0d0887 46039f 7201a8 9c179e bd3786 d8576b ed7953 fb9f3a fdca26 f0f921",
    "inferno": "000004 1b0c41 4a0c6b 781c6d a52c60 cf4446 ed6925 fb9b06 f7d13d fcffa4",
    "magma": "000004 180f3d 440f76 721f81 9e2f7f cd4071 f1605d fd9668 feca8d fcfdbf",
    "gray": "000000 ffffff", "grey": "000000 ffffff", "binary": "ffffff 000000", "Greys": "ffffff bdbdbd 525252 000000",
    "hot": "0b0000 ff0000 ffff00 ffffff", "cool": "00ffff ff00ff",
    "coolwarm": "3b4cc0 7b9ff9 c0d4f5 dddcdc f2cbb7 ee8468 b40426", "bwr": "0000ff ffffff ff0000",
    "seismic": "00004c 0000ff ffffff ff0000 800000", "jet": "000080 0000ff 00ffff ffff00 ff0000 800000",
    "Blues": "f7fbff c6dbef 6baed6 2171b5 08306b", "Reds": "fff5f0 fcbba1 fb6a4a cb181d 67000d",
    "Greens": "f7fcf5 c7e9c0 74c476 238b45 00441b", "RdBu": "67001f d6604d f7f7f7 4393c3 053061",
    "tab10": " ".join(c[1:] for c in CYCLE),
}


class Colormap:
    """From 0–1 to a colour."""

    def __init__(self, name):
        self.name = name
        base = name.removesuffix("_r")
        if base not in _MAPS:
            raise ValueError(f"{name!r} is not a known value for cmap here; these are: {', '.join(_MAPS)}")
        stops = [tuple(int(c[i:i + 2], 16) for i in (0, 2, 4)) for c in _MAPS[base].split()]
        self._stops = stops[::-1] if name.endswith("_r") else stops
        self._steps = base == "tab10"

    def bytes(self, share):
        """Red, green and blue, 0 to 255."""
        if share != share:
            return (255, 255, 255)
        share = min(max(share, 0.0), 1.0)
        last = len(self._stops) - 1
        if self._steps:
            return self._stops[min(int(share * (last + 1)), last)]
        place = share * last
        at = min(int(place), last - 1)
        part = place - at
        return tuple(round(a + (b - a) * part) for a, b in zip(self._stops[at], self._stops[at + 1]))

    def __call__(self, share):
        if hasattr(share, "__len__"):
            return [self(v) for v in share]
        return tuple(v / 255 for v in self.bytes(float(share))) + (1.0,)


def colormap(name):
    return name if isinstance(name, Colormap) else Colormap(name)

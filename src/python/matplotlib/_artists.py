"""What a set of axes holds, and what it looks like."""

import base64
import binascii
import math

import numpy

from matplotlib.colors import to_hex

_DASHES = {"--": "5.55 2.4", "dashed": "5.55 2.4", ":": "1.5 2.475", "dotted": "1.5 2.475", "-.": "9.6 2.4 1.5 2.4",
           "dashdot": "9.6 2.4 1.5 2.4"}


def values(x):
    """Floats of a list, an array or a tensor; tensors on a device raise as `Tensor.numpy` does."""
    if isinstance(x, (list, tuple)) and all(type(v) in (int, float) for v in x):
        return [float(v) for v in x]
    if isinstance(x, (range, map, zip)) or hasattr(x, "__next__"):
        x = list(x)
    return [float(v) for v in numpy.asarray(x).reshape(-1).tolist()]


def number(v):
    """A coordinate, short."""
    text = f"{v:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def escape(text):
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def stroke(color, width, style="-", alpha=None):
    parts = [f'stroke="{color}" stroke-width="{number(width * 100 / 72)}"']
    dash = _DASHES.get(style)
    if dash:
        scale = width * 100 / 72
        dash = " ".join(number(float(d) * scale / 1.5 * 1.5) for d in dash.split())
        parts.append(f'stroke-dasharray="{dash}"')
    if alpha is not None:
        parts.append(f'stroke-opacity="{number(alpha)}"')
    return " ".join(parts)


def marker(kind, x, y, size, color, alpha=None, edge=None):
    """One mark around a point; `size` is its width in pixels."""
    r = size / 2
    fill = f'fill="{color}"' + (f' fill-opacity="{number(alpha)}"' if alpha is not None else "")
    line = f'stroke="{edge or color}"'
    X, Y, R = number(x), number(y), number(r)
    if kind in ("o", ".", ","):
        R = {"o": R, ".": number(r / 2), ",": "0.7"}[kind]
        return f'<circle cx="{X}" cy="{Y}" r="{R}" {fill}{"" if edge is None else " " + line}/>'
    if kind == "s":
        return f'<rect x="{number(x - r)}" y="{number(y - r)}" width="{number(size)}" height="{number(size)}" {fill}/>'
    crosses = {"x": [(-1, -1, 1, 1), (-1, 1, 1, -1)], "+": [(-1, 0, 1, 0), (0, -1, 0, 1)], "|": [(0, -1, 0, 1)],
               "_": [(-1, 0, 1, 0)]}
    if kind in crosses:
        path = "".join(f"M{number(x + a * r)} {number(y + b * r)}L{number(x + c * r)} {number(y + d * r)}"
                       for a, b, c, d in crosses[kind])
        return f'<path d="{path}" fill="none" {line} stroke-width="1.4"/>'
    shapes = {"^": [(0, -1), (-1, 1), (1, 1)], "v": [(0, 1), (-1, -1), (1, -1)], "<": [(-1, 0), (1, -1), (1, 1)],
              ">": [(1, 0), (-1, -1), (-1, 1)], "D": [(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)],
              "d": [(0, -1.3), (0.8, 0), (0, 1.3), (-0.8, 0)],
              "*": [(math.sin(k * math.pi / 5) * (1.2 if k % 2 == 0 else 0.5),
                     -math.cos(k * math.pi / 5) * (1.2 if k % 2 == 0 else 0.5)) for k in range(10)]}
    if kind not in shapes:
        raise ValueError(f"Unrecognized marker style {kind!r}")
    points = " ".join(f"{number(x + a * r)},{number(y + b * r)}" for a, b in shapes[kind])
    return f'<polygon points="{points}" {fill}/>'


class Artist:
    """Something drawn, with limits of its data: `(x0, x1, y0, y1)`, or None where it has no say."""

    label = None
    # Data limits that no margin is added beyond.
    sticky = ()

    def limits(self):
        return None

    def set_label(self, label):
        self.label = label

    def get_label(self):
        return self.label


class Line2D(Artist):
    def __init__(self, x, y, color, width, style, mark, size, label, alpha):
        self.x, self.y, self.color, self.width, self.style = x, y, color, width, style
        self.mark, self.size, self.label, self.alpha = mark, size, label, alpha

    def get_xdata(self):
        return self.x

    def get_ydata(self):
        return self.y

    def set_data(self, x, y):
        self.x, self.y = values(x), values(y)

    def get_color(self):
        return self.color

    def limits(self):
        x = [v for v in self.x if math.isfinite(v)]
        y = [v for v in self.y if math.isfinite(v)]
        return (min(x), max(x), min(y), max(y)) if x and y else None

    def draw(self, ax):
        out, run = [], []
        points = [(ax.px(x), ax.py(y)) for x, y in zip(self.x, self.y)]
        if self.style not in ("", " ", "None", "none", None):
            for point in points + [(math.nan, math.nan)]:
                if all(map(math.isfinite, point)):
                    run.append(point)
                elif run:
                    path = "M" + "L".join(f"{number(a)} {number(b)}" for a, b in run)
                    out.append(f'<path d="{path}" fill="none" stroke-linejoin="round" '
                               f'{stroke(self.color, self.width, self.style, self.alpha)}/>')
                    run = []
        if self.mark not in (None, "", "None", "none"):
            size = self.size * 100 / 72
            out += [marker(self.mark, a, b, size, self.color, self.alpha) for a, b in points
                    if math.isfinite(a) and math.isfinite(b)]
        return out

    def sample(self, x, y, width):
        """What the legend shows."""
        out = []
        if self.style not in ("", " ", "None", "none", None):
            out.append(f'<path d="M{number(x)} {number(y)}L{number(x + width)} {number(y)}" fill="none" '
                       f'{stroke(self.color, self.width, self.style, self.alpha)}/>')
        if self.mark not in (None, "", "None", "none"):
            out.append(marker(self.mark, x + width / 2, y, self.size * 100 / 72, self.color, self.alpha))
        return out


class Points(Artist):
    """`scatter`: marks, each with a colour and a size of its own."""

    def __init__(self, x, y, sizes, colors, mark, label, alpha, edge, mapping=None):
        self.x, self.y, self.sizes, self.colors = x, y, sizes, colors
        self.mark, self.label, self.alpha, self.edge = mark, label, alpha, edge
        self.mapping = mapping

    def limits(self):
        pairs = [(a, b) for a, b in zip(self.x, self.y) if math.isfinite(a) and math.isfinite(b)]
        if not pairs:
            return None
        xs, ys = zip(*pairs)
        return min(xs), max(xs), min(ys), max(ys)

    def draw(self, ax):
        out = []
        for i, (x, y) in enumerate(zip(self.x, self.y)):
            a, b = ax.px(x), ax.py(y)
            if math.isfinite(a) and math.isfinite(b):
                size = math.sqrt(self.sizes[i % len(self.sizes)]) * 100 / 72
                out.append(marker(self.mark, a, b, size, self.colors[i % len(self.colors)], self.alpha, self.edge))
        return out

    def sample(self, x, y, width):
        return [marker(self.mark, x + width / 2, y, math.sqrt(self.sizes[0]) * 100 / 72, self.colors[0], self.alpha, self.edge)]


class Boxes(Artist):
    """Bars: `(x, y, width, height)` in data, and a colour each."""

    def __init__(self, boxes, colors, label, alpha, edge, upright=True):
        self.boxes, self.colors, self.label, self.alpha, self.edge = boxes, colors, label, alpha, edge
        self.sticky = ("y0",) if upright else ("x0",)
        self.upright = upright

    def __len__(self):
        return len(self.boxes)

    def limits(self):
        if not self.boxes:
            return None
        xs = [v for x, _, w, _ in self.boxes for v in (x, x + w)]
        ys = [v for _, y, _, h in self.boxes for v in (y, y + h)]
        return min(xs), max(xs), min(ys), max(ys)

    def _box(self, x, y, width, height, color):
        edge = f' stroke="{self.edge}"' if self.edge else ""
        alpha = f' fill-opacity="{number(self.alpha)}"' if self.alpha is not None else ""
        return (f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" '
                f'fill="{color}"{alpha}{edge}/>')

    def draw(self, ax):
        out = []
        for i, (x, y, w, h) in enumerate(self.boxes):
            x0, x1 = sorted((ax.px(x), ax.px(x + w)))
            y0, y1 = sorted((ax.py(y), ax.py(y + h)))
            if all(map(math.isfinite, (x0, x1, y0, y1))):
                out.append(self._box(x0, y0, x1 - x0, y1 - y0, self.colors[i % len(self.colors)]))
        return out

    def sample(self, x, y, width):
        return [self._box(x, y - 5, width, 10, self.colors[0])]


class Band(Artist):
    """`fill_between`."""

    def __init__(self, x, low, high, color, label, alpha):
        self.x, self.low, self.high, self.color, self.label, self.alpha = x, low, high, color, label, alpha

    def limits(self):
        return min(self.x), max(self.x), min(self.low + self.high), max(self.low + self.high)

    def draw(self, ax):
        there = [(ax.px(x), ax.py(y)) for x, y in zip(self.x, self.high)]
        back = [(ax.px(x), ax.py(y)) for x, y in zip(self.x, self.low)][::-1]
        points = " ".join(f"{number(a)},{number(b)}" for a, b in there + back)
        alpha = f' fill-opacity="{number(self.alpha)}"' if self.alpha is not None else ""
        return [f'<polygon points="{points}" fill="{self.color}"{alpha}/>']

    def sample(self, x, y, width):
        alpha = f' fill-opacity="{number(self.alpha)}"' if self.alpha is not None else ""
        return [f'<rect x="{number(x)}" y="{number(y - 5)}" width="{number(width)}" height="10" fill="{self.color}"{alpha}/>']


class Rule(Artist):
    """`axhline` and `axvline`."""

    def __init__(self, at, upright, color, width, style, label, alpha):
        self.at, self.upright, self.color, self.width, self.style = at, upright, color, width, style
        self.label, self.alpha = label, alpha

    def limits(self):
        return (self.at, self.at, None, None) if self.upright else (None, None, self.at, self.at)

    def draw(self, ax):
        x0, y0, x1, y1 = ax.box
        if self.upright:
            x = number(ax.px(self.at))
            path = f"M{x} {number(y0)}L{x} {number(y1)}"
        else:
            y = number(ax.py(self.at))
            path = f"M{number(x0)} {y}L{number(x1)} {y}"
        return [f'<path d="{path}" fill="none" {stroke(self.color, self.width, self.style, self.alpha)}/>']

    sample = Line2D.sample
    mark = None


class Words(Artist):
    """`text`, at a point of the data."""

    def __init__(self, x, y, text, size, color, across, up):
        self.x, self.y, self.text, self.size, self.color, self.across, self.up = x, y, text, size, color, across, up

    def draw(self, ax):
        anchor = {"left": "start", "center": "middle", "right": "end"}.get(self.across, "start")
        lift = {"top": 0.8, "center": 0.35, "bottom": -0.2, "baseline": 0}.get(self.up, 0) * self.size * 100 / 72
        return [f'<text x="{number(ax.px(self.x))}" y="{number(ax.py(self.y) + lift)}" font-size="{number(self.size * 100 / 72)}" '
                f'text-anchor="{anchor}" fill="{self.color}">{escape(self.text)}</text>']


class AxesImage(Artist):
    """`imshow`: rows of pixels, each three bytes."""

    sticky = ("x0", "x1", "y0", "y1")

    def __init__(self, pixels, extent, origin, mapping):
        self.pixels, self.extent, self.mapping = pixels, extent, mapping
        if origin == "lower":
            self.pixels = pixels[::-1]

    def limits(self):
        x0, x1, y0, y1 = self.extent
        return min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)

    def draw(self, ax):
        x0, x1, y0, y1 = self.extent
        left, right = sorted((ax.px(x0), ax.px(x1)))
        top, bottom = sorted((ax.py(y0), ax.py(y1)))
        return [f'<image x="{number(left)}" y="{number(top)}" width="{number(right - left)}" height="{number(bottom - top)}" '
                f'preserveAspectRatio="none" style="image-rendering:pixelated" href="{png(self.pixels)}"/>']


def png(rows):
    """Rows of `(r, g, b)` as a PNG in a data URL."""
    raw = b"".join(b"\0" + bytes(v for pixel in row for v in pixel) for row in rows)

    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + (binascii.crc32(kind + data) & 0xFFFFFFFF).to_bytes(4, "big")

    head = len(rows[0]).to_bytes(4, "big") + len(rows).to_bytes(4, "big") + bytes([8, 2, 0, 0, 0])
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", _deflate(raw)) + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(data).decode()


def _deflate(raw):
    try:
        import zlib
        return zlib.compress(raw)
    except ImportError:
        pass
    # Stored blocks: what a reader takes without compression.
    out = [b"\x78\x01"]
    for at in range(0, len(raw), 65535):
        part = raw[at:at + 65535]
        size = len(part).to_bytes(2, "little")
        out += [bytes([at + 65535 >= len(raw)]), size, bytes(255 - b for b in size), part]
    a, b = 1, 0
    for byte in raw:
        a = (a + byte) % 65521
        b = (b + a) % 65521
    return b"".join(out) + (b << 16 | a).to_bytes(4, "big")


def as_hex(color):
    return to_hex(color)

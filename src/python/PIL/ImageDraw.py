"""Drawing into an image: points, lines, rectangles, ellipses and polygons, with the pixels that Pillow sets."""

import math

import numpy as np

from PIL import Image


def Draw(im, mode=None):
    """What draws into `im`."""
    return ImageDraw(im, mode)


def _points(xy):
    """Coordinates in any of the forms that are allowed, as a list of (x, y)."""
    given = xy.tolist() if hasattr(xy, "tolist") else list(xy)
    if given and isinstance(given[0], (tuple, list)):
        if any(len(p) != 2 for p in given):
            raise ValueError("wrong number of coordinates")
        return [tuple(p) for p in given]
    if len(given) % 2:
        raise ValueError("wrong number of coordinates")
    return list(zip(given[::2], given[1::2]))


def _box(xy):
    points = _points(xy)
    if len(points) != 2:
        raise TypeError("coordinate list must contain exactly 2 coordinates")
    (x0, y0), (x1, y1) = points
    if x1 < x0:
        raise ValueError("x1 must be greater than or equal to x0")
    if y1 < y0:
        raise ValueError("y1 must be greater than or equal to y0")
    return int(x0), int(y0), int(x1), int(y1)


def _half_up(v):
    return math.floor(v + 0.5) if v >= 0 else -math.floor(abs(v) + 0.5)


def _half_down(v):
    return math.ceil(v - 0.5) if v >= 0 else -math.ceil(abs(v) - 0.5)


class ImageDraw:
    """Draws into an image. Colors are those of its mode, or names."""

    def __init__(self, im, mode=None):
        if mode is not None and mode != im.mode:
            if (mode, im.mode) == ("RGBA", "RGB"):
                raise NotImplementedError("Draw(image, 'RGBA') that blends isn't here; draw into an RGBA image and composite it")
            raise ValueError("mode mismatch")
        self._image = im
        self.mode = im.mode
        im._a = np.array(im._a)

    def _ink(self, color):
        if color is None:
            return None
        if self.mode == "P" and isinstance(color, (tuple, list)):
            color = self._image._palette_index(color)
        return np.array(Image._ink(color, self.mode), dtype=self._image._a.dtype)

    def _inks(self, outline, fill):
        """The colors of outline and inside. If neither is given, the outline has Pillow's default color, which is white in RGB."""
        if outline is None and fill is None:
            outline = 1 if self.mode in ("I", "F") else -1
        ink, filling = self._ink(outline), self._ink(fill)
        if ink is not None and filling is not None and ink.tolist() == filling.tolist():
            ink = None
        return ink, filling

    def _row(self, x0, y, x1, ink):
        a = self._image._a
        if 0 <= y < a.shape[0]:
            x0, x1 = max(x0, 0), min(x1, a.shape[1] - 1)
            if x0 <= x1:
                a[y, x0 : x1 + 1] = ink

    def _column(self, x, y0, y1, ink):
        a = self._image._a
        if 0 <= x < a.shape[1]:
            y0, y1 = max(y0, 0), min(y1, a.shape[0] - 1)
            if y0 <= y1:
                a[y0 : y1 + 1, x] = ink

    def _pixels(self, xs, ys, ink):
        a = self._image._a
        xs, ys = np.array(xs, dtype="int64"), np.array(ys, dtype="int64")
        inside = (xs >= 0) & (xs < a.shape[1]) & (ys >= 0) & (ys < a.shape[0])
        xs, ys = xs[inside], ys[inside]
        if len(xs):
            a[ys, xs] = ink

    def point(self, xy, fill=None):
        """Single pixels."""
        ink, _ = self._inks(fill, None)
        points = _points(xy)
        self._pixels([int(x) for x, _ in points], [int(y) for _, y in points], ink)

    def line(self, xy, fill=None, width=1, joint=None):
        """Lines from each point to the next."""
        if joint is not None:
            raise NotImplementedError("line(joint=) isn't here: corners of wide lines stay as they are")
        ink, _ = self._inks(fill, None)
        points = _points(xy)
        if width == 0:
            return
        points = [(int(x), int(y)) for x, y in points]
        for (x0, y0), (x1, y1) in zip(points, points[1:]):
            if width <= 1:
                self._thin(x0, y0, x1, y1, ink)
            else:
                self._wide(x0, y0, x1, y1, ink, width)
        if width <= 1 and points:
            self._pixels([points[-1][0]], [points[-1][1]], ink)

    def _thin(self, x0, y0, x1, y1, ink):
        """Bresenham's line, with its last pixel."""
        dx, dy = abs(x1 - x0), abs(y1 - y0)
        xs, ys = (1 if x1 >= x0 else -1), (1 if y1 >= y0 else -1)
        if dx == 0:
            self._column(x0, min(y0, y1), max(y0, y1), ink)
            return
        if dy == 0:
            self._row(min(x0, x1), y0, max(x0, x1), ink)
            return
        steep = dy >= dx
        long, short = (dy, dx) if steep else (dx, dy)
        error, x, y = 2 * short - long, x0, y0
        columns, rows = [], []
        for _ in range(long + 1):
            columns.append(x)
            rows.append(y)
            if error >= 0:
                x, y = (x + xs, y) if steep else (x, y + ys)
                error -= 2 * long
            error += 2 * short
            x, y = (x, y + ys) if steep else (x + xs, y)
        self._pixels(columns, rows, ink)

    def _wide(self, x0, y0, x1, y1, ink, width):
        dx, dy = x1 - x0, y1 - y0
        if dx == 0 and dy == 0:
            self._pixels([x0], [y0], ink)
            return
        length, half = math.hypot(dx, dy), (width - 1) / 2.0
        low, high = _half_down(half) / length, _half_up(half) / length
        left, right = _half_down(low * dy), _half_down(high * dy)
        down, up = _half_up(high * dx), _half_up(low * dx)
        corners = [(x0 - left, y0 + down), (x1 - left, y1 + down), (x1 + right, y1 - up), (x0 + right, y0 - up)]
        self._filled(list(zip(corners, corners[1:] + corners[:1])), ink)

    def rectangle(self, xy, fill=None, outline=None, width=1):
        """A rectangle with both corners in it."""
        ink, filling = self._inks(outline, fill)
        x0, y0, x1, y1 = _box(xy)
        if filling is not None:
            for y in range(max(y0, 0), min(y1, self._image.height - 1) + 1):
                self._row(x0, y, x1, filling)
        if ink is not None:
            for i in range(width):
                self._row(x0, y0 + i, x1, ink)
                self._row(x0, y1 - i, x1, ink)
                # If the outline is wider than half of the rectangle's height, Pillow draws beyond the rectangle.
                ends = sorted((y0 + width, y1 - width + 1))
                self._column(x1 - i, *ends, ink)
                self._column(x0 + i, *ends, ink)

    def ellipse(self, xy, fill=None, outline=None, width=1):
        """The largest ellipse in a rectangle."""
        ink, filling = self._inks(outline, fill)
        x0, y0, x1, y1 = _box(xy)
        a, b = x1 - x0, y1 - y0
        if filling is not None:
            self._ellipse(x0, y0, a, b, a + b, filling)
        if ink is not None and width != 0:
            self._ellipse(x0, y0, a, b, width, ink)

    def circle(self, xy, radius, fill=None, outline=None, width=1):
        x, y = xy
        self.ellipse((x - radius, y - radius, x + radius, y + radius), fill, outline, width)

    def _ellipse(self, x0, y0, a, b, width, ink):
        """An ellipse `a` + 1 wide and `b` + 1 high, whose line is `width` pixels wide."""
        if width < 1:
            return
        outer = _quarter(a, b)
        inner = _quarter(a - 2 * (width - 1), b - 2 * (width - 1))
        for y, reached in outer.items():
            # Coordinates count from the middle in half pixels.
            left = inner[y][-1] if y in inner else a % 2
            right = reached[0]
            rows = {y, -y}
            for row in rows:
                at = y0 + (row + b) // 2
                self._row(x0 + (a - right) // 2, at, x0 + (a - left) // 2, ink)
                if left > 0 or left < right:
                    self._row(x0 + ((left or 2) + a) // 2, at, x0 + (right + a) // 2, ink)

    def polygon(self, xy, fill=None, outline=None, width=1):
        """A polygon; the last point is joined to the first."""
        ink, filling = self._inks(outline, fill)
        points = [(int(x), int(y)) for x, y in _points(xy)]
        if len(points) < 2:
            raise TypeError("coordinate list must contain at least 2 coordinates")
        if filling is not None:
            self._filled(_edges(points), filling)
        if ink is None or width == 0:
            return
        if width != 1:
            raise NotImplementedError("the outline of a polygon is one pixel wide here")
        for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1]):
            self._thin(x0, y0, x1, y1, ink)

    def _filled(self, edges, ink):
        """Fills between edges ((x, y), (x, y)), line by line."""
        ys = [y for edge in edges for _, y in edge]
        lowest, highest = max(min(ys), 0), min(max(ys), self._image.height)
        slopes = []
        for (x0, y0), (x1, y1) in edges:
            if y0 == y1:
                self._row(min(x0, x1), y0, max(x0, x1), ink)
            else:
                slopes.append((min(y0, y1), max(y0, y1), x0, y0, float(np.float32((x1 - x0) / (y1 - y0)))))
        for y in range(lowest, highest + 1):
            crossings = _crossings(slopes, y, highest)
            for start, end in zip(crossings[::2], crossings[1::2]):
                self._row(_half_up(start), y, _half_down(end), ink)


def _quarter(a, b):
    """For each y of a quarter of an ellipse, the x that are nearest to its curve, the largest first. In half pixels."""
    found = {}
    if a < 0 or b < 0:
        return found

    def off(x, y):
        return abs(a * a * y * y + b * b * x * x - a * a * b * b)

    x, y = a, b % 2
    while True:
        found.setdefault(y, []).append(x)
        if (x, y) == (a % 2, b):
            return found
        best = (x, y + 2)
        if x > 1:
            for other in ((x - 2, y + 2), (x - 2, y)):
                if off(*best) > off(*other):
                    best = other
        x, y = best


def _edges(points):
    """The sides of a polygon. Horizontal sides that go on in the same direction are one."""
    edges = []
    for i, (first, second) in enumerate(zip(points, points[1:])):
        if i and first[1] == second[1] == points[i - 1][1]:
            before = points[i - 1][0]
            if (second[0] - first[0]) * (first[0] - before) > 0:
                edges[-1] = (edges[-1][0], second)
                continue
        edges.append((first, second))
    if points[-1] != points[0]:
        edges.append((points[-1], points[0]))
    return edges


def _crossings(slopes, y, highest):
    """Where the row `y` crosses the edges, in order."""
    f = np.float32

    def x_of(edge, row):
        return float(f((row - edge[3]) * edge[4] + edge[2]))

    found = []
    for i, edge in enumerate(slopes):
        low, high, slope = edge[0], edge[1], edge[4]
        if not low <= y <= high:
            continue
        x = x_of(edge, y)
        found.append(x)
        if y == high and y < highest:
            # The lower end of an edge counts twice: for this edge, and for the one that continues below it.
            found.append(x)
        elif slope != 0 and y in (low, high):
            # Where two edges meet at a small angle, Pillow fills the corner as far as the edges are apart in the next row.
            beside = y - 1 if y == high else y + 1
            for other in slopes[:i]:
                if y not in other[:2] or other[4] == 0 or _half_up(x) != _half_up(x_of(other, y)):
                    continue
                if not other[0] <= beside <= other[1]:
                    continue
                ends = x_of(edge, beside), x_of(other, beside)
                if x > max(ends) + 1:
                    found[-1] = float(_half_up(max(ends)) + 1)
                elif x < min(ends) - 1:
                    found[-1] = float(_half_up(min(ends)) - 1)
                break
    return sorted(found)


def _not_here(name):
    def refuse(self, *args, **kwargs):
        raise NotImplementedError(f"ImageDraw.{name} isn't here: {_WHY.get(name, 'only whole ellipses can be drawn')}")

    return refuse


_TEXT = "text", "multiline_text", "textbbox", "textlength", "multiline_textbbox"
_WHY = dict.fromkeys(_TEXT, "there are no fonts; matplotlib's text writes into figures")
_WHY |= {"bitmap": "Image.paste takes a mask", "regular_polygon": "polygon draws through points of your own"}
for _name in ("arc", "chord", "pieslice", "rounded_rectangle", *_WHY):
    setattr(ImageDraw, _name, _not_here(_name))


def floodfill(image, xy, value, border=None, thresh=0):
    raise NotImplementedError("ImageDraw.floodfill isn't here")

"""Triangles between points of a plane, and values in between."""

import numpy as np
from scipy._curves import _spread


def _turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _inside(a, b, c, d):
    """Whether `d` is in the circle through `a`, `b` and `c`, which go around counterclockwise."""
    (ax, ay), (bx, by), (cx, cy) = ((p[0] - d[0], p[1] - d[1]) for p in (a, b, c))
    parts = ((ax * ax + ay * ay) * (bx * cy - cx * by), (bx * bx + by * by) * (cx * ay - ax * cy), (cx * cx + cy * cy) * (ax * by - bx * ay))
    return sum(parts) > 1e-12 * sum(map(abs, parts))


def triangles(points):
    """Delaunay's triangles as triples of places: points are added from left to right, then edges are exchanged until no circle holds a point."""
    at = dict(sorted((p, i) for i, p in reversed(list(enumerate(points)))))
    order = [at[p] for p in at]
    start = next((k for k in range(2, len(order)) if _turn(*(points[order[i]] for i in (0, 1, k)))), None)
    if start is None:
        raise ValueError("QH6154 Qhull precision error: Initial simplex is flat")
    line, tip, opposite = order[:start], order[start], {}

    def add(a, b, c):
        opposite[a, b], opposite[b, c], opposite[c, a] = c, a, b

    if _turn(points[line[0]], points[line[1]], points[tip]) < 0:
        line.reverse()
    for a, b in zip(line, line[1:]):
        add(a, b, tip)
    hull = [*line, tip]
    for new in order[start + 1:]:
        seen = [_turn(points[a], points[b], points[new]) < 0 for a, b in zip(hull, hull[1:] + hull[:1])]
        first = next(i for i in range(len(hull)) if seen[i] and not seen[i - 1])
        hull, seen = hull[first:] + hull[:first], seen[first:] + seen[:first]
        count = seen.index(False)
        for k in range(count):
            add(hull[k], new, hull[k + 1])
        hull = [hull[0], new, *hull[count:]]
    waiting = list(opposite)
    while waiting:
        a, b = waiting.pop()
        c, d = opposite.get((a, b)), opposite.get((b, a))
        if c is None or d is None or not _inside(*(points[i] for i in (a, b, c, d))):
            continue
        del opposite[a, b], opposite[b, a]
        add(a, d, c)
        add(d, b, c)
        waiting += [(a, d), (d, b), (b, c), (c, a)]
    return [(a, b, c) for (a, b), c in opposite.items() if a < b and a < c]


class LinearNDInterpolator:
    """Planes over the triangles between points."""

    def __init__(self, points, values, fill_value=np.nan, rescale=False):
        if rescale:
            raise NotImplementedError("scipy.interpolate.LinearNDInterpolator(rescale=True)")
        self.points, self.values = np.asarray(_spread(points, 1), dtype=float), np.asarray(values)
        if self.points.shape[1] != 2:
            raise NotImplementedError("scipy.interpolate.LinearNDInterpolator of points that aren't in a plane")
        if len(self.points) != len(self.values):
            raise ValueError("different number of values and points")
        if self.values.dtype.kind not in "fc":
            self.values = self.values.astype(float)
        self.fill_value, self._corners = fill_value, [tuple(p) for p in self.points.tolist()]
        self._made = triangles(self._corners)

    def __call__(self, *args):
        xi = np.asarray(_spread(args[0] if len(args) == 1 else args, 2), dtype=float)
        x, y = xi[..., 0].reshape(-1), xi[..., 1].reshape(-1)
        out = np.full((len(x), *self.values.shape[1:]), self.fill_value, dtype=self.values.dtype)
        left = np.ones(len(x), dtype=bool)
        for three in self._made:
            a, b, c = (self._corners[i] for i in three)
            whole = _turn(a, b, c)
            second = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / whole
            third = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / whole
            here = np.flatnonzero(left & (second >= -1e-13) & (third >= -1e-13) & (second + third <= 1 + 1e-13))
            if len(here):
                shares = np.stack([1 - second[here] - third[here], second[here], third[here]], axis=1)
                out[here] = shares @ self.values[list(three)]
                left[here] = False
        return out.reshape(*xi.shape[:-1], *self.values.shape[1:])

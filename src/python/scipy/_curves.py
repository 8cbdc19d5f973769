"""Curves whose slopes are chosen point by point, polynomials through all points, and values between the points of a grid."""

import numpy as np
from scipy.interpolate import _prepared, PPoly

NAMES = ("CubicHermiteSpline", "PchipInterpolator", "pchip_interpolate", "Akima1DInterpolator", "BarycentricInterpolator", "barycentric_interpolate",
         "KroghInterpolator", "krogh_interpolate", "lagrange", "RegularGridInterpolator", "interpn", "RBFInterpolator", "NearestNDInterpolator",
         "griddata")


def _tall(h, y):
    return h.reshape((-1, *[1] * (y.ndim - 1)))


class CubicHermiteSpline(PPoly):
    """A curve with the given values and slopes."""

    def __init__(self, x, y, dydx, axis=0, extrapolate=None):
        x, y = _prepared(x, y, axis, type(self).__name__)
        d = np.asarray(dydx, dtype=float)
        if d.shape != y.shape:
            raise ValueError("The shapes of `y` and `dydx` must be identical.")
        h = _tall(np.diff(x), y)
        slope = np.diff(y, axis=0) / h
        t = (d[:-1] + d[1:] - 2 * slope) / h
        super().__init__(np.stack([t / h, (slope - d[:-1]) / h - t, d[:-1], y[:-1]]), x, extrapolate)


class PchipInterpolator(CubicHermiteSpline):
    """A curve that rises and falls only where the points do."""

    def __init__(self, x, y, axis=0, extrapolate=None):
        x, y = _prepared(x, y, axis, "PchipInterpolator")
        h = _tall(np.diff(x), y)
        m = np.diff(y, axis=0) / h
        if len(x) == 2:
            super().__init__(x, y, np.concatenate([m, m]), axis, extrapolate)
            return
        flat = (np.sign(m[1:]) != np.sign(m[:-1])) | (m[1:] == 0) | (m[:-1] == 0)
        w1, w2 = 2 * h[1:] + h[:-1], h[1:] + 2 * h[:-1]
        safe = lambda v: np.where(flat, 1.0, v)
        middle = np.where(flat, 0.0, (w1 + w2) / (w1 / safe(m[:-1]) + w2 / safe(m[1:])))
        ends = [self._end(h[0], h[1], m[0], m[1]), self._end(h[-1], h[-2], m[-1], m[-2])]
        super().__init__(x, y, np.concatenate([ends[0][None], middle, ends[1][None]]), axis, extrapolate)

    @staticmethod
    def _end(h0, h1, m0, m1):
        d = ((2 * h0 + h1) * m0 - h0 * m1) / (h0 + h1)
        turned = np.sign(d) != np.sign(m0)
        steep = (np.sign(m0) != np.sign(m1)) & (np.abs(d) > 3 * np.abs(m0)) & ~turned
        return np.where(turned, 0.0, np.where(steep, 3 * m0, d))


def pchip_interpolate(xi, yi, x, der=0, axis=0):
    made = PchipInterpolator(xi, yi, axis)
    return [made(x, d) for d in der] if np.ndim(der) else made(x, der)


class Akima1DInterpolator(CubicHermiteSpline):
    """A curve whose slopes come from the two lines on each side of a point."""

    def __init__(self, x, y, axis=0, *, method="akima", extrapolate=None):
        if method not in ("akima", "makima"):
            raise NotImplementedError(f"`method`={method} is unsupported.")
        x, y = _prepared(x, y, axis, "Akima1DInterpolator")
        inner = np.diff(y, axis=0) / _tall(np.diff(x), y)
        if len(x) == 2:
            d = np.concatenate([inner, inner])
        else:
            first, last = 2 * inner[0] - inner[1], 2 * inner[-1] - inner[-2]
            m = np.concatenate([(2 * first - inner[0])[None], first[None], inner, last[None], (2 * last - inner[-1])[None]])
            d = 0.5 * (m[3:] + m[:-3])
            turn = np.abs(np.diff(m, axis=0))
            if method == "makima":
                turn = turn + 0.5 * np.abs(m[1:] + m[:-1])
            f1, f2 = turn[2:], turn[:-2]
            both = f1 + f2
            bent = both > 1e-9 * both.max()
            d = np.where(bent, m[1:-2] + f2 / np.where(bent, both, 1.0) * (m[2:-1] - m[1:-2]), d)
        super().__init__(x, y, d, axis, False if extrapolate is None else extrapolate)


class KroghInterpolator:
    """The polynomial through all points, by divided differences. Points that are given twice have a slope."""

    def __init__(self, xi, yi, axis=0):
        if axis != 0:
            raise NotImplementedError("scipy.interpolate.KroghInterpolator(axis=)")
        self.xi, self.yi = np.asarray(xi, dtype=float), np.asarray(yi, dtype=float)
        if len(np.unique(self.xi)) < len(self.xi):
            raise NotImplementedError("scipy.interpolate.KroghInterpolator of points that are given twice")
        c = np.array(self.yi)
        for j in range(1, len(c)):
            c[j:] = (c[j:] - c[j - 1:-1]) / _tall(self.xi[j:] - self.xi[:-j], c)
        self.c = c

    def __call__(self, x):
        return self._at(x, 0)[0]

    def _at(self, x, order):
        x = np.asarray(x, dtype=float)
        flat = x.reshape(-1)
        made = [np.zeros((len(flat), *self.c.shape[1:])) for _ in range(order + 1)]
        for at, part in zip(self.xi[::-1].tolist(), self.c[::-1]):
            away = _tall(flat - at, self.c)
            for d in range(order, 0, -1):
                made[d] = made[d] * away + d * made[d - 1]
            made[0] = made[0] * away + part
        return [m.reshape((*x.shape, *self.c.shape[1:])) for m in made]

    def derivative(self, x, der=1):
        return self._at(x, der)[der]

    def derivatives(self, x, der=None):
        return np.stack(self._at(x, len(self.xi) - 1 if der is None else der - 1))


def krogh_interpolate(xi, yi, x, der=0, axis=0):
    made = KroghInterpolator(xi, yi, axis)
    return [made.derivative(x, d) for d in der] if np.ndim(der) else made.derivative(x, der)


class BarycentricInterpolator:
    """The polynomial through all points, as weights of the points."""

    def __init__(self, xi, yi=None, axis=0, *, wi=None, rng=None, random_state=None):
        if axis != 0 or wi is not None:
            raise NotImplementedError("scipy.interpolate.BarycentricInterpolator(axis=, wi=)")
        self.xi, self.yi = np.asarray(xi, dtype=float), None if yi is None else np.asarray(yi, dtype=float)
        self._weigh()

    def _weigh(self):
        wide = 4.0 / (self.xi.max() - self.xi.min()) if len(self.xi) > 1 else 1.0
        away = wide * (self.xi[:, None] - self.xi)
        away[np.arange(len(self.xi)), np.arange(len(self.xi))] = 1.0
        self.wi = 1.0 / np.prod(away, axis=1)

    def set_yi(self, yi, axis=None):
        self.yi = np.asarray(yi, dtype=float)

    def add_xi(self, xi, yi=None):
        self.xi = np.concatenate([self.xi, np.asarray(xi, dtype=float)])
        if self.yi is not None:
            if yi is None:
                raise ValueError("No update to yi provided!")
            self.yi = np.concatenate([self.yi, np.asarray(yi, dtype=float)])
        self._weigh()

    def __call__(self, x):
        x = np.asarray(x, dtype=float)
        away = x.reshape(-1)[:, None] - self.xi
        hit = away == 0
        share = self.wi / np.where(hit, 1.0, away)
        made = (share @ self.yi) / _tall(share.sum(axis=1), self.yi)
        rows, columns = np.nonzero(hit)
        made[rows] = self.yi[columns]
        return made.reshape((*x.shape, *self.yi.shape[1:]))


def barycentric_interpolate(xi, yi, x, axis=0, *, der=0, rng=None):
    if der:
        raise NotImplementedError("scipy.interpolate.barycentric_interpolate(der=)")
    return BarycentricInterpolator(xi, yi, axis)(x)


def lagrange(x, w):
    """The polynomial through all points, as `numpy.poly1d`."""
    made = np.poly1d([0.0])
    for j in range(len(x)):
        part = np.poly1d([w[j]])
        for k in range(len(x)):
            if k != j:
                part = part * np.poly1d([1.0, -x[k]]) / (x[j] - x[k])
        made = made + part
    return made


class RegularGridInterpolator:
    """Values between the points of a grid with any number of axes."""

    def __init__(self, points, values, method="linear", bounds_error=True, fill_value=np.nan, *, solver=None, solver_args=None):
        if method not in ("linear", "nearest", "slinear", "cubic", "quintic", "pchip"):
            raise ValueError(f"Method '{method}' is not defined")
        if method not in ("linear", "nearest"):
            raise NotImplementedError(f"scipy.interpolate.RegularGridInterpolator(method={method!r})")
        self.grid, self.values = tuple(np.asarray(p, dtype=float) for p in points), np.asarray(values)
        if self.values.dtype.kind not in "fc":
            self.values = self.values.astype(float)
        self.method, self.bounds_error, self.fill_value = method, bounds_error, fill_value
        if len(self.grid) > self.values.ndim:
            raise ValueError(f"There are {len(self.grid)} point arrays, but values has {self.values.ndim} dimensions")
        for i, p in enumerate(self.grid):
            if not (np.diff(p) > 0).all():
                if (np.diff(p) < 0).all():
                    raise NotImplementedError("scipy.interpolate.RegularGridInterpolator of points that descend")
                raise ValueError(f"The points in dimension {i} must be strictly ascending or descending")
            if len(p) != self.values.shape[i]:
                raise ValueError(f"There are {len(p)} points and {self.values.shape[i]} values on dimension {i}")

    def __call__(self, xi, method=None, *, nu=None):
        method = self.method if method is None else method
        if nu is not None or method not in ("linear", "nearest"):
            raise NotImplementedError("scipy.interpolate.RegularGridInterpolator of this method, or with nu=")
        xi, axes = _spread(xi, len(self.grid)), len(self.grid)
        if xi.shape[-1] != axes:
            raise ValueError(f"The requested sample points xi have dimension {xi.shape[-1]} but this RegularGridInterpolator has dimension {axes}")
        flat, outside = xi.reshape((-1, axes)), np.zeros(xi.size // axes, dtype=bool)
        at, shares = [], []
        for i, p in enumerate(self.grid):
            x = flat[:, i]
            if self.bounds_error and not ((x >= p[0]) & (x <= p[-1])).all():
                raise ValueError(f"One of the requested xi is out of bounds in dimension {i}")
            outside = outside | (x < p[0]) | (x > p[-1])
            near = np.clip(np.searchsorted(p, x, "right") - 1, 0, len(p) - 2)
            at.append(near)
            shares.append((x - p[near]) / (p[near + 1] - p[near]))
        if method == "nearest":
            made = self.values[tuple(np.where(s <= 0.5, a, a + 1) for a, s in zip(at, shares))]
        else:
            made = 0.0
            for corner in range(2 ** axes):
                up = [(corner >> (axes - 1 - i)) & 1 for i in range(axes)]
                weight = 1.0
                for one, share in zip(up, shares):
                    weight = weight * (share if one else 1 - share)
                part = self.values[tuple(a + one for a, one in zip(at, up))]
                made = made + _tall(weight, part) * part
        made = np.array(made)
        if self.fill_value is not None and not self.bounds_error:
            made[outside] = self.fill_value
        made[np.isnan(flat).any(axis=1)] = np.nan
        return made.reshape((*xi.shape[:-1], *self.values.shape[axes:]))


def _spread(xi, axes):
    """Points as rows: they can be given as one array for each axis."""
    if isinstance(xi, tuple) and len(xi) == 1:
        xi = xi[0]
    if isinstance(xi, tuple):
        return np.stack(np.broadcast_arrays(*[np.asarray(x, dtype=float) for x in xi]), axis=-1)
    xi = np.asarray(xi, dtype=float)
    return (xi[:, None] if axes == 1 else xi[None]) if xi.ndim == 1 else xi


def interpn(points, values, xi, method="linear", bounds_error=True, fill_value=np.nan):
    if method == "splinef2d":
        raise NotImplementedError("scipy.interpolate.interpn(method='splinef2d')")
    return RegularGridInterpolator(points, values, method, bounds_error, fill_value)(xi)


_RADIAL = {
    "linear": lambda r: -r,
    "thin_plate_spline": lambda r: np.where(r > 0, r ** 2 * np.log(np.where(r > 0, r, 1.0)), 0.0),
    "cubic": lambda r: r ** 3,
    "quintic": lambda r: -r ** 5,
    "multiquadric": lambda r: -np.sqrt(r ** 2 + 1),
    "inverse_multiquadric": lambda r: 1 / np.sqrt(r ** 2 + 1),
    "inverse_quadratic": lambda r: 1 / (r ** 2 + 1),
    "gaussian": lambda r: np.exp(-r ** 2),
}
_LEAST = {"multiquadric": 0, "linear": 0, "thin_plate_spline": 1, "cubic": 1, "quintic": 2}


class RBFInterpolator:
    """A sum of functions of the distance to each point, and a polynomial."""

    def __init__(self, y, d, neighbors=None, smoothing=0.0, kernel="thin_plate_spline", epsilon=None, degree=None):
        y, d = np.asarray(y, dtype=float), np.asarray(d, dtype=float)
        if y.ndim != 2:
            raise ValueError("`y` must be a 2-dimensional array.")
        if len(d) != len(y):
            raise ValueError(f"Expected the first axis of `d` to have length {len(y)}.")
        if neighbors is not None:
            raise NotImplementedError("scipy.interpolate.RBFInterpolator(neighbors=)")
        if kernel not in _RADIAL:
            raise ValueError(f"`kernel` must be one of {set(_RADIAL)}.")
        if epsilon is None:
            if kernel not in ("linear", "thin_plate_spline", "cubic", "quintic"):
                raise ValueError("`epsilon` must be specified if `kernel` is not one of {'linear', 'thin_plate_spline', 'cubic', 'quintic'}.")
            epsilon = 1.0
        least = _LEAST.get(kernel, -1)
        degree = max(least, 0) if degree is None else int(degree)
        self.y, self.d, self.kernel, self.epsilon, self._shape = y, d, kernel, float(epsilon), d.shape[1:]
        self.powers = self._powers(y.shape[1], degree)
        if len(self.powers) > len(y):
            raise ValueError(f"At least {len(self.powers)} data points are required when `degree` is {degree} and the number of dimensions is "
                             f"{y.shape[1]}.")
        self._shift, half = (y.max(axis=0) + y.min(axis=0)) / 2, (y.max(axis=0) - y.min(axis=0)) / 2
        self._scale = np.where(half == 0, 1.0, half)
        count, more = len(y), len(self.powers)
        table, right = np.zeros((count + more, count + more)), np.zeros((count + more, int(np.prod(self._shape))))
        table[:count, :count] = self._radial(y) + np.diag(np.broadcast_to(np.asarray(smoothing, dtype=float), (count,)))
        table[:count, count:] = self._polynomial(y)
        table[count:, :count] = table[:count, count:].T
        right[:count] = d.reshape((count, -1))
        self._c = np.linalg.solve(table, right)

    @staticmethod
    def _powers(width, degree):
        from itertools import combinations_with_replacement

        return [[chosen.count(i) for i in range(width)] for d in range(degree + 1) for chosen in combinations_with_replacement(range(width), d)]

    def _radial(self, x):
        away = np.sqrt(((x[:, None] - self.y[None]) ** 2).sum(axis=-1)) * self.epsilon
        return _RADIAL[self.kernel](away)

    def _polynomial(self, x):
        x = (x - self._shift) / self._scale
        return np.stack([np.prod(x ** np.array(p, dtype=float), axis=1) for p in self.powers], axis=1) if self.powers else np.zeros((len(x), 0))

    def __call__(self, x):
        x = np.asarray(x, dtype=float)
        if x.ndim != 2:
            raise ValueError("`x` must be a 2-dimensional array.")
        if x.shape[1] != self.y.shape[1]:
            raise ValueError(f"Expected the second axis of `x` to have length {self.y.shape[1]}.")
        made = np.concatenate([self._radial(x), self._polynomial(x)], axis=1) @ self._c
        return made.reshape((len(x), *self._shape))


class NearestNDInterpolator:
    """The value of the nearest point."""

    def __init__(self, x, y, rescale=False, tree_options=None):
        if rescale:
            raise NotImplementedError("scipy.interpolate.NearestNDInterpolator(rescale=True)")
        self.points, self.values = np.asarray(_spread(x, 1), dtype=float), np.asarray(y)

    def __call__(self, *args, **options):
        if options:
            raise NotImplementedError(f"scipy.interpolate.NearestNDInterpolator()({', '.join(options)}=)")
        xi = _spread(args[0] if len(args) == 1 else args, self.points.shape[1])
        flat = xi.reshape((-1, xi.shape[-1]))
        near = ((flat[:, None] - self.points[None]) ** 2).sum(axis=-1).argmin(axis=1)
        return self.values[near].reshape((*xi.shape[:-1], *self.values.shape[1:]))


def griddata(points, values, xi, method="linear", fill_value=np.nan, rescale=False):
    """Values at other places than those of the points."""
    from scipy.interpolate import interp1d

    points = np.asarray(np.stack(points, axis=-1) if isinstance(points, tuple) else points, dtype=float)
    width = points.shape[-1] if points.ndim > 1 else 1
    if method not in ("nearest", "linear", "cubic"):
        raise ValueError(f"Unknown interpolation method {method!r} for {width} dimensional data")
    if width == 1:
        xi = np.asarray(xi[0] if isinstance(xi, tuple) else xi, dtype=float)
        beyond = "extrapolate" if method == "nearest" else fill_value
        return interp1d(points.reshape(-1), np.asarray(values), kind=method, axis=0, bounds_error=False, fill_value=beyond)(xi)
    if method == "cubic":
        raise NotImplementedError("scipy.interpolate.griddata(method='cubic') of points in a plane; 'linear' and 'nearest' are there")
    if method == "linear":
        from scipy._triangles import LinearNDInterpolator

        return LinearNDInterpolator(points, values, fill_value, rescale)(xi)
    return NearestNDInterpolator(points, values, rescale)(xi)

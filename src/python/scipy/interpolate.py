"""Curves through points: straight lines, steps and cubic splines. B-splines and the rest are in other files."""

import numpy as np
from scipy import lacking


class PPoly:
    """Polynomials between breakpoints: `c[k]` belongs to the power `len(c) - 1 - k`."""

    def __init__(self, c, x, extrapolate=None, axis=0):
        self.c, self.x, self.axis = np.asarray(c, dtype=float), np.asarray(x, dtype=float), axis
        self.extrapolate = True if extrapolate is None else extrapolate

    def __call__(self, x, nu=0, extrapolate=None):
        if nu < 0:
            raise ValueError("nu must be non-negative")
        x = np.asarray(x, dtype=float)
        flat = x.reshape(-1)
        outside = (flat < self.x[0]) | (flat > self.x[-1])
        extrapolate = self.extrapolate if extrapolate is None else extrapolate
        if extrapolate == "periodic":
            flat = self.x[0] + (flat - self.x[0]) % (self.x[-1] - self.x[0])
        at = np.clip(np.searchsorted(self.x, flat, "right") - 1, 0, len(self.x) - 2)
        c = self._derived(nu)
        away = (flat - self.x[at]).reshape(-1, *[1] * (c.ndim - 2))
        made = np.zeros((len(flat), *c.shape[2:]))
        for part in c:
            made = made * away + part[at]
        if not extrapolate:
            made[outside] = np.nan
        return made.reshape((*x.shape, *c.shape[2:]))

    def _derived(self, nu):
        c = self.c
        for _ in range(nu):
            k = len(c) - 1
            c = c[:-1] * np.arange(k, 0, -1.0).reshape(-1, *[1] * (c.ndim - 1)) if k else np.zeros_like(c)
        return c

    def derivative(self, nu=1):
        return PPoly(self._derived(nu), self.x, self.extrapolate)

    def antiderivative(self, nu=1):
        c = self.c
        for _ in range(nu):
            k = len(c)
            c = np.concatenate([c / np.arange(k, 0, -1.0).reshape(-1, *[1] * (c.ndim - 1)), np.zeros((1, *c.shape[1:]))])
            wide = np.diff(self.x).reshape(-1, *[1] * (c.ndim - 2))
            ends = sum(part * wide ** (k - i) for i, part in enumerate(c[:-1]))
            c[-1, 1:] = np.cumsum(ends, axis=0)[:-1]
        return PPoly(c, self.x, self.extrapolate)

    def integrate(self, a, b, extrapolate=None):
        whole = self.antiderivative()
        return whole(b) - whole(a)

    def roots(self, discontinuity=True, extrapolate=None):
        return self.solve(0.0, discontinuity, extrapolate)

    def solve(self, y=0.0, discontinuity=True, extrapolate=None):
        """Where the polynomials have the value `y`, in order."""
        extrapolate = self.extrapolate if extrapolate is None else extrapolate
        if self.c.ndim > 2:
            raise NotImplementedError("scipy.interpolate: roots of several curves at a time")
        c, x, found = np.array(self.c), self.x.tolist(), []
        c[-1] -= float(y)
        last = len(x) - 2
        beyond = bool(extrapolate) and extrapolate != "periodic"
        for i, column in enumerate(c.T.tolist()):
            low = -np.inf if beyond and i == 0 else x[i]
            high = np.inf if beyond and i == last else x[i + 1]
            if discontinuity and i > 0:
                before = sum(part * (x[i] - x[i - 1]) ** k for k, part in enumerate(c[::-1, i - 1].tolist()))
                if before * column[-1] < 0 and abs(before - column[-1]) > 1e-12 * abs(before):
                    found.append(x[i])
            if not any(column):
                found += [x[i], np.nan]
                continue
            size = max(map(abs, column))
            while abs(column[0]) <= 1e-300 * size:
                column = column[1:]
            # A root at a breakpoint belongs to both polynomials, so that rounding must not lose it or count it twice.
            slack = 1e-12 * (x[i + 1] - x[i])
            real = sorted(float(r.real) + x[i] for r in np.roots(column) if abs(r.imag) <= 1e-10 * max(1.0, abs(r)))
            for root in real:
                root = x[i] if abs(root - x[i]) <= slack else x[i + 1] if abs(root - x[i + 1]) <= slack else root
                if low <= root <= high and not (found and abs(root - found[-1]) <= slack):
                    found.append(root)
        return np.array(found)


def _prepared(x, y, axis, name):
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if axis != 0:
        raise NotImplementedError(f"scipy.interpolate.{name}(axis=)")
    if x.ndim != 1:
        raise ValueError("`x` must be 1-dimensional.")
    if len(x) < 2:
        raise ValueError("`x` must contain at least 2 elements.")
    if len(x) != len(y):
        raise ValueError(f"The length of `y` along `axis`={axis} doesn't match the length of `x`")
    if not np.isfinite(x).all() or not np.isfinite(y).all():
        raise ValueError("`x` must contain only finite values." if not np.isfinite(x).all() else "`y` must contain only finite values.")
    if (np.diff(x) <= 0).any():
        raise ValueError("`x` must be strictly increasing sequence.")
    return x, y


class CubicSpline(PPoly):
    """A curve with a continuous second derivative."""

    def __init__(self, x, y, axis=0, bc_type="not-a-knot", extrapolate=None):
        x, y = _prepared(x, y, axis, "CubicSpline")
        known = {"not-a-knot": None, "periodic": "periodic", "clamped": (1, 0.0), "natural": (2, 0.0)}
        ends = [bc_type, bc_type] if isinstance(bc_type, str) else list(bc_type)
        if ends == ["periodic", "periodic"]:
            if not np.allclose(y[0], y[-1], rtol=1e-15, atol=1e-15):
                raise ValueError(f"The first and last `y` point along axis {axis} must be identical (within machine precision) when "
                                 "bc_type='periodic'.")
            extrapolate = "periodic" if extrapolate is None else extrapolate
        elif "periodic" in ends:
            raise ValueError("'periodic' `bc_type` is defined for both curve ends and cannot be used with other boundary conditions.")
        if bad := [e for e in ends if isinstance(e, str) and e not in known]:
            raise ValueError(f"bc_type={bad[0]} is not allowed.")
        ends = [known[e] if isinstance(e, str) else e for e in ends]
        n, shape = len(x), y.shape
        flat = y.reshape(n, -1)
        h = np.diff(x)
        slope = np.diff(flat, axis=0) / h[:, None]
        if n == 2:
            ends = [(1, slope[0]) if e is None else e for e in ends]
        if ends[0] == "periodic" and n > 2:
            d = self._around(h, slope)
            c = self._pieces(h, slope, d, flat)
            super().__init__(c.reshape((4, n - 1, *shape[1:])), x, extrapolate)
            return
        if ends[0] == "periodic":
            ends = [(1, np.zeros_like(slope[0]))] * 2
        if n == 3 and ends == [None, None]:
            table = np.array([[1.0, 1, 0], [h[1], 2 * (h[0] + h[1]), h[0]], [0, 1, 1]])
            right = np.stack([2 * slope[0], 3 * (h[0] * slope[1] + h[1] * slope[0]), 2 * slope[1]])
        else:
            table, right = np.zeros((n, n)), np.zeros(flat.shape)
            i = np.arange(1, n - 1)
            table[i, i], table[i, i - 1], table[i, i + 1] = 2 * (h[:-1] + h[1:]), h[1:], h[:-1]
            right[1:-1] = 3 * (h[1:, None] * slope[:-1] + h[:-1, None] * slope[1:])
            for row, near, a, b, e, s, t, one in ((0, 1, h[0], h[1] if n > 2 else h[0], ends[0], slope[0], slope[min(1, n - 2)], 1),
                                                  (n - 1, n - 2, h[-1], h[-2] if n > 2 else h[-1], ends[1], slope[-1], slope[max(-2, 1 - n)], -1)):
                if e is None:
                    d = a + b
                    table[row, row], table[row, near] = b, d
                    right[row] = ((a + 2 * d) * b * s + a * a * t) / d
                elif e[0] == 1:
                    table[row, row] = 1
                    right[row] = e[1]
                elif e[0] == 2:
                    table[row, row], table[row, near] = 2 * a, a
                    right[row] = 3 * s * a - one * 0.5 * np.asarray(e[1]) * a * a
                else:
                    raise ValueError("The specified derivative order must be 1 or 2.")
        d = np.linalg.solve(table, right)
        super().__init__(self._pieces(h, slope, d, flat).reshape((4, n - 1, *shape[1:])), x, extrapolate)

    @staticmethod
    def _pieces(h, slope, d, flat):
        t = (d[:-1] + d[1:] - 2 * slope) / h[:, None]
        return np.stack([t / h[:, None], (slope - d[:-1]) / h[:, None] - t, d[:-1], flat[:-1]])

    @staticmethod
    def _around(h, slope):
        """The slopes of a curve that goes on at its start."""
        n = len(h)
        table, i = np.zeros((n, n)), np.arange(n)
        before, earlier = np.roll(h, 1), np.roll(slope, 1, axis=0)
        np.add.at(table, (i, i), 2 * (before + h))
        np.add.at(table, (i, (i - 1) % n), h)
        np.add.at(table, (i, (i + 1) % n), before)
        d = np.linalg.solve(table, 3 * (h[:, None] * earlier + before[:, None] * slope))
        return np.concatenate([d, d[:1]])


class interp1d:
    """A function through points. Outside them it raises an error, unless `fill_value` says what it returns."""

    def __init__(self, x, y, kind="linear", axis=-1, copy=True, bounds_error=None, fill_value=np.nan, assume_sorted=False):
        whole = True if np.asarray(x).dtype.kind in "iu" else None
        x, y = np.array(x, dtype=float), np.array(y)
        y = y if y.dtype.kind in "fc" else y.astype(float)
        degree = {"slinear": 1, "quadratic": 2, "cubic": 3}.get(kind, kind if isinstance(kind, int) else 0)
        if degree == 0 and kind not in (0, "linear", "nearest", "nearest-up", "previous", "next", "zero"):
            raise NotImplementedError(f"{kind} is unsupported: Use fitpack routines for other types.")
        kind = {0: "zero"}.get(kind, "spline" if degree else kind)
        if x.ndim != 1:
            raise ValueError("the x array must have exactly one dimension.")
        if y.ndim == 0:
            raise ValueError("the y array must have at least one dimension.")
        if axis not in (0, -1, y.ndim - 1):
            raise NotImplementedError("scipy.interpolate.interp1d of an axis that is neither the first nor the last")
        axis = -1 if axis == y.ndim - 1 else axis
        y = np.moveaxis(y, axis, 0)
        if len(x) != len(y):
            raise ValueError("x and y arrays must be equal in length along interpolation axis.")
        if not assume_sorted:
            order = np.argsort(x, kind="stable")
            x, y = x[order], y[order]
        if len(x) <= degree:
            raise ValueError(f"The number of derivatives at boundaries does not match: expected {degree + 1 - len(x)}, got 0+0")
        self.x, self._y, self._kind, self.axis = x, y, kind, axis
        # In errors, the ends are written as they were given: whole numbers have no point.
        self._ends = (x[0], x[-1]) if whole is None else (int(x[0]), int(x[-1]))
        self._beyond = isinstance(fill_value, str) and fill_value == "extrapolate"
        if self._beyond and bounds_error:
            raise ValueError("Cannot extrapolate and raise at the same time.")
        given = isinstance(fill_value, tuple) or not self._beyond and not np.isnan(fill_value).all()
        self.bounds_error = (not given and not self._beyond) if bounds_error is None else bounds_error
        self.fill_value = fill_value
        self._spline = None
        if kind == "spline":
            from scipy._splines import make_interp_spline

            self._spline = make_interp_spline(x, y, degree)

    y = property(lambda self: np.moveaxis(self._y, 0, self.axis))

    def __call__(self, new):
        new = np.asarray(new, dtype=float)
        flat = new.reshape(-1)
        below, above = flat < self.x[0], flat > self.x[-1]
        if self.bounds_error and below.any():
            raise ValueError(f"A value ({flat[below][0]}) in x_new is below the interpolation range's minimum value ({self._ends[0]}).")
        if self.bounds_error and above.any():
            raise ValueError(f"A value ({flat[above][0]}) in x_new is above the interpolation range's maximum value ({self._ends[1]}).")
        x, y, last = self.x, self._y, len(self.x) - 1
        if self._spline is not None:
            made = self._spline(flat)
        elif self._kind == "linear":
            at = np.clip(np.searchsorted(x, flat), 1, last)
            wide = lambda v: v.reshape(-1, *[1] * (y.ndim - 1))
            made = (y[at] - y[at - 1]) / wide(x[at] - x[at - 1]) * wide(flat - x[at - 1]) + y[at - 1]
        elif self._kind in ("nearest", "nearest-up"):
            side = "left" if self._kind == "nearest" else "right"
            made = y[np.clip(np.searchsorted((x[1:] + x[:-1]) / 2, flat, side), 0, last)]
        else:
            back = self._kind in ("previous", "zero")
            at = np.searchsorted(x, flat, "right") - 1 if back else np.searchsorted(x, flat, "left")
            made = np.array(y[np.clip(at, 0, last)])
            if self._beyond:
                made[below if back else above] = np.nan
        if not self._beyond:
            low, high = self.fill_value if isinstance(self.fill_value, tuple) else (self.fill_value, self.fill_value)
            made = np.array(made)
            made[below], made[above] = low, high
        if y.ndim == 1 or self.axis == 0:
            return made.reshape((*new.shape, *y.shape[1:]))
        return np.moveaxis(made, 0, -1).reshape((*y.shape[1:], *new.shape))


_lacking = lacking("scipy.interpolate")


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    from scipy import _curves, _splines

    if name == "LinearNDInterpolator":
        from scipy._triangles import LinearNDInterpolator

        return LinearNDInterpolator
    for part in (_splines, _curves):
        if name in part.NAMES:
            return getattr(part, name)
    return _lacking(name)

"""B-splines: curves of polynomials that meet at knots, through points or near them."""

import warnings

import numpy as np
from scipy.interpolate import PPoly

NAMES = ("BSpline", "make_interp_spline", "make_lsq_spline", "splrep", "splev", "splint", "splder", "splantider", "sproot", "spalde",
         "UnivariateSpline", "InterpolatedUnivariateSpline", "LSQUnivariateSpline", "RectBivariateSpline")


def _basis(t, k, x):
    """The interval of every point, and the values there of the `k + 1` basis functions that aren't zero."""
    at = np.clip(np.searchsorted(t, x, "right") - 1, k, len(t) - k - 2)
    values = [np.ones(len(x))]
    for d in range(1, k + 1):
        new = [np.zeros(len(x)) for _ in range(d + 1)]
        for r in range(d):
            left, right = t[at + r + 1 - d], t[at + r + 1]
            share = np.where(right > left, values[r] / np.where(right > left, right - left, 1.0), 0.0)
            new[r], new[r + 1] = new[r] + share * (right - x), share * (x - left)
        values = new
    return at, np.stack(values, axis=1)


def _design(t, k, x):
    """A row for each point, a column for each basis function."""
    made = np.zeros((len(x), len(t) - k - 1))
    if len(x):
        at, values = _basis(t, k, x)
        rows = np.arange(len(x))
        for j in range(k + 1):
            made[rows, at - k + j] = values[:, j]
    return made


def _evaluated(t, c, k, x):
    at, values = _basis(t, k, x)
    made = np.zeros((len(x), *c.shape[1:]))
    for j in range(k + 1):
        made = made + values[:, j].reshape((-1, *[1] * (c.ndim - 1))) * c[at - k + j]
    return made


def _padded(t, c):
    lacking = len(t) - len(c)
    return np.concatenate([c, np.zeros((lacking, *c.shape[1:]))]) if lacking > 0 else c


def _derived(t, c, k, n):
    if n > k:
        raise ValueError(f"Order of derivative (n = {n!r}) must be <= order of spline (k = {k!r})")
    c = _padded(t, c)
    for _ in range(n):
        dt = (t[k + 1:-1] - t[1:-k - 1]).reshape((-1, *[1] * (c.ndim - 1)))
        c = (c[1:-1 - k] - c[:-2 - k]) * k / np.where(dt == 0, np.inf, dt)
        c, t, k = np.concatenate([c, np.zeros((k, *c.shape[1:]))]), t[1:-1], k - 1
    return t, c, k


def _integrated(t, c, k, n):
    c = _padded(t, c)
    for _ in range(n):
        dt = (t[k + 1:] - t[:-k - 1]).reshape((-1, *[1] * (c.ndim - 1)))
        sums = np.cumsum(c[:-k - 1] * dt, axis=0) / (k + 1)
        c = np.concatenate([np.zeros((1, *c.shape[1:])), sums, *[sums[-1:]] * (k + 2)])
        t, k = np.concatenate([t[:1], t, t[-1:]]), k + 1
    return t, c, k


class BSpline:
    """A sum of `c[i]` times the i-th basis function of degree `k` over the knots `t`."""

    def __init__(self, t, c, k, extrapolate=True, axis=0):
        if axis != 0:
            raise NotImplementedError("scipy.interpolate.BSpline(axis=)")
        self.t, self.c, self.k, self.extrapolate, self.axis = np.asarray(t, dtype=float), np.asarray(c, dtype=float), int(k), extrapolate, axis
        n = len(self.t) - self.k - 1
        if self.k < 0:
            raise ValueError("Spline order cannot be negative.")
        if self.t.ndim != 1:
            raise ValueError("Knot vector must be one-dimensional.")
        if n < self.k + 1:
            raise ValueError(f"Need at least {2 * self.k + 2} knots for degree {self.k}")
        if (np.diff(self.t) < 0).any():
            raise ValueError("Knots must be in a non-decreasing order.")
        if len(np.unique(self.t[self.k:n + 1])) < 2:
            raise ValueError("Need at least two internal knots.")
        if not np.isfinite(self.t).all():
            raise ValueError("Knots should not have nans or infs.")
        if len(self.c) < n:
            raise ValueError("Knots, coefficients and degree are inconsistent.")

    tck = property(lambda self: (self.t, self.c, self.k))

    def __call__(self, x, nu=0, extrapolate=None):
        x = np.asarray(x, dtype=float)
        flat, way = x.reshape(-1), self.extrapolate if extrapolate is None else extrapolate
        first, last = self.t[self.k], self.t[len(self.t) - self.k - 1]
        if isinstance(way, str) and way == "periodic":
            flat, way = first + (flat - first) % (last - first), False
        if nu > self.k:
            made = np.zeros((len(flat), *self.c.shape[1:]))
        else:
            made = _evaluated(*(_derived(*self.tck, nu) if nu else self.tck), flat)
        if not way:
            made[(flat < first) | (flat > last)] = np.nan
        made[np.isnan(flat)] = np.nan
        return made.reshape((*x.shape, *self.c.shape[1:]))

    def derivative(self, nu=1):
        return BSpline(*(_derived(*self.tck, nu) if nu >= 0 else _integrated(*self.tck, -nu)), extrapolate=self.extrapolate)

    def antiderivative(self, nu=1):
        return BSpline(*_integrated(*self.tck, nu), extrapolate=False if self.extrapolate == "periodic" else self.extrapolate)

    def integrate(self, a, b, extrapolate=None):
        if (self.extrapolate if extrapolate is None else extrapolate) == "periodic":
            raise NotImplementedError("scipy.interpolate.BSpline.integrate(extrapolate='periodic')")
        way = self.extrapolate if extrapolate is None else extrapolate
        if not way:
            first, last = self.t[self.k], self.t[len(self.t) - self.k - 1]
            a, b = np.clip(a, first, last), np.clip(b, first, last)
        t, c, k = _integrated(*self.tck, 1)
        ends = _evaluated(t, c, k, np.array([float(a), float(b)]))
        return np.asarray(ends[1] - ends[0])

    @classmethod
    def basis_element(cls, t, extrapolate=True):
        t = np.asarray(t, dtype=float)
        k = len(t) - 2
        wide = np.concatenate([np.full(k, t[0] - 1), t, np.full(k, t[-1] + 1)])
        c = np.zeros(len(wide))
        c[k] = 1.0
        return cls(wide, c, k, extrapolate)

    @classmethod
    def design_matrix(cls, x, t, k, extrapolate=False):
        from scipy.sparse import csr_array

        x, t = np.asarray(x, dtype=float), np.asarray(t, dtype=float)
        if not extrapolate and (x.min() < t[k] or x.max() > t[len(t) - k - 1]):
            raise ValueError(f"Out of bounds w/ x = {x}.")
        return csr_array(_design(t, k, x))


def _interior(x, k):
    """The knots at which a curve through all points has no ends of its own."""
    if k % 2:
        return x[(k + 1) // 2:len(x) - (k + 1) // 2]
    return ((x[1:] + x[:-1]) / 2)[k // 2:len(x) - 1 - k // 2]


def _with_ends(x, k, inner):
    return np.concatenate([np.full(k + 1, x[0]), inner, np.full(k + 1, x[-1])])


_ENDS = {"natural": (2, 0.0), "clamped": (1, 0.0)}


def make_interp_spline(x, y, k=3, t=None, bc_type=None, axis=0, check_finite=True):
    """The curve of degree `k` through all points."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if axis != 0:
        raise NotImplementedError("scipy.interpolate.make_interp_spline(axis=)")
    ends = (bc_type, bc_type) if bc_type is None or isinstance(bc_type, str) else tuple(bc_type)
    if "periodic" in ends:
        raise NotImplementedError("scipy.interpolate.make_interp_spline(bc_type='periodic')")
    if x.ndim != 1 or (x[1:] == x[:-1]).any():
        raise ValueError("Expect x to not have duplicates")
    if (x[1:] < x[:-1]).any():
        raise ValueError("Expect x to be a 1D strictly increasing sequence.")
    if len(x) != len(y):
        raise ValueError(f"Shapes of x {x.shape} and y {y.shape} are incompatible")
    known = []
    for end in ends:
        if isinstance(end, str) and end not in (*_ENDS, "not-a-knot"):
            raise ValueError(f"Unknown boundary condition: {end}")
        known.append([] if end is None or isinstance(end, str) and end == "not-a-knot" else [_ENDS[end]] if isinstance(end, str) else list(end))
    if k == 0:
        return BSpline(np.concatenate([x, x[-1:]]), y, 0)
    if k == 1 and t is None:
        return BSpline(np.concatenate([x[:1], x, x[-1:]]), y, 1)
    more = len(known[0]) + len(known[1])
    if t is None:
        if not more:
            t = _with_ends(x, k, _interior(x, k))
        elif k in (2, 3) and more == k - 1:
            t = _with_ends(x, k, x[1:-1] if k == 3 else (x[1:] + x[:-1])[1:-1] / 2 if len(x) > 2 else x[1:-1])
        else:
            t = _with_ends(x, k, x[1:-1])
    t = np.asarray(t, dtype=float)
    n = len(t) - k - 1
    if n - len(x) != more:
        raise ValueError(f"The number of derivatives at boundaries does not match: expected {n - len(x)}, got {len(known[0])}+{len(known[1])}")
    rows, right = [], []
    for where, conditions in ((x[:1], known[0]), (x[-1:], known[1])):
        for order, value in conditions:
            row = np.stack([_evaluated(*_derived(t, np.eye(n), k, order), where)[0]])
            rows.append(row)
            right.append(np.broadcast_to(np.asarray(value, dtype=float), (1, *y.shape[1:])))
    first = len(known[0])
    table = np.concatenate([*rows[:first], _design(t, k, x), *rows[first:]])
    wanted = np.concatenate([*right[:first], y, *right[first:]])
    c = np.linalg.solve(table, wanted.reshape((n, -1))).reshape((n, *y.shape[1:]))
    return BSpline(t, c, k)


def _weighted_fit(t, k, x, y, w):
    """The coefficients that come nearest to the points, and the triangle of the equations."""
    q, r = np.linalg.qr(_design(t, k, x) * w[:, None])
    return np.linalg.solve(r, q.T @ (y * w.reshape((-1, *[1] * (y.ndim - 1))))), r


def make_lsq_spline(x, y, t, k=3, w=None, axis=0, check_finite=True, *, method="qr"):
    """The curve over given knots that comes nearest to the points."""
    x, y, t = np.asarray(x, dtype=float), np.asarray(y, dtype=float), np.asarray(t, dtype=float)
    w = np.ones(len(x)) if w is None else np.asarray(w, dtype=float)
    flat = y.reshape((len(y), -1))
    return BSpline(t, _weighted_fit(t, k, x, flat, w)[0].reshape((-1, *y.shape[1:])), k)


class _Knots:
    """The knots of a smooth curve, and how much each interval between them is off."""

    def __init__(self, x, k, ends):
        self.x, self.k = x, k
        self.t = np.concatenate([np.full(k + 1, ends[0]), np.full(k + 1, ends[1])])
        self.free, self.off = [len(x) - 2], [0.0]

    def measure(self, terms):
        """Shares out what the points are off; a point at a knot counts half on each side."""
        inner, sums, part = self.t[self.k + 1:-self.k - 1].tolist(), [], 0.0
        for at, term in zip(self.x.tolist(), terms.tolist()):
            if len(sums) < len(inner) and at >= inner[len(sums)]:
                sums.append(part + term - term / 2)
                part = term / 2
            else:
                part += term
        self.off = [*sums, part]

    def add(self):
        """A knot in the middle of the points of the interval that is off most."""
        most, chosen, begin, start = 0.0, None, 0, 0
        for j, (off, free) in enumerate(zip(self.off, self.free)):
            if off > most and free:
                most, chosen, begin = off, j, start
            start += free + 1
        free = self.free[chosen]
        half = free // 2 + 1
        self.t = np.insert(self.t, self.k + 1 + chosen, self.x[begin + half])
        self.free[chosen:chosen + 1] = [half - 1, free - half]
        self.off[chosen:chosen + 1] = [most * (half - 1) / free, most * (free - half) / free]


def _jumps(t, k):
    """How much the k-th derivative of each basis function jumps at the inner knots."""
    inner = len(t) - 2 * k - 2
    made, scale = np.zeros((inner, len(t) - k - 1)), (inner + 1) / (t[-k - 1] - t[k])
    for row in range(inner):
        at = row + k + 1
        away = t[at] - np.concatenate([t[at - k - 1:at], t[at + 1:at + k + 2]])
        for j in range(k + 2):
            made[row, row + j] = (t[row + j + k + 1] - t[row + j]) / (np.prod(away[j:j + k + 1]) * scale ** k)
    return made


def _smooth(x, y, w, k, s, ends):
    """Dierckx's search: knots are added until the curve can be near enough, then it's made as smooth as `s` allows."""
    if s == 0:
        t = np.concatenate([np.full(k + 1, ends[0]), _interior(x, k), np.full(k + 1, ends[1])])
        c = np.linalg.solve(_design(t, k, x), y)
        return t, c, 0.0, -1
    near, most = 0.001 * s, len(x) + k + 1
    knots, before, step, first = _Knots(x, k, ends), 0.0, 0, None
    while True:
        c, r = _weighted_fit(knots.t, k, x, y, w)
        terms = (w * (_evaluated(knots.t, c, k, x) - y)) ** 2
        fp = float(terms.sum())
        over = fp - s
        alone = len(knots.t) == 2 * k + 2
        if alone:
            first = fp
        if abs(over) < near or alone and over < 0:
            return knots.t, c, fp, -2 if alone else 0
        if over < 0:
            break
        if len(knots.t) == most:
            return knots.t, c, fp, -1
        if alone:
            step = 1
        else:
            wished = int(step * over / (before - fp)) if before - fp > near else step * 2
            step = min(step * 2, max(wished, step // 2, 1))
        before = fp
        knots.measure(terms)
        for _ in range(step):
            knots.add()
            if len(knots.t) == most:
                knots.t = np.concatenate([np.full(k + 1, ends[0]), _interior(x, k), np.full(k + 1, ends[1])])
                break
    return _smoothed(knots.t, x, y, w, k, s, near, first - s, over, float(np.abs(np.diag(r)).sum()))


def _smoothed(t, x, y, w, k, s, near, low, high, size):
    n, table, jumps = len(t) - k - 1, _design(t, k, x) * w[:, None], _jumps(t, k)
    p1, f1, p3, f3, p = 0.0, low, -1.0, high, n / size
    steep, flat = False, False
    for _ in range(20):
        q, r = np.linalg.qr(np.concatenate([table, jumps / p]))
        c = np.linalg.solve(r, q.T @ np.concatenate([y * w, np.zeros(len(jumps))]))
        fp = float(((w * y - table @ c) ** 2).sum())
        over = fp - s
        if abs(over) < near:
            return t, c, fp, 0
        p2, f2 = p, over
        if not flat:
            if f2 - f3 <= near:
                p3, f3, p = p2, f2, p * 0.04
                if p <= p1:
                    p = p1 * 0.9 + p2 * 0.1
                continue
            flat = f2 < 0
        if not steep:
            if f1 - f2 <= near:
                p1, f1, p = p2, f2, p / 0.04
                if 0 <= p3 <= p:
                    p = p2 * 0.1 + p3 * 0.9
                continue
            steep = f2 > 0
        if f2 >= f1 or f2 <= f3:
            return t, c, fp, 2
        if p3 > 0:
            h1, h2, h3 = f1 * (f2 - f3), f2 * (f3 - f1), f3 * (f1 - f2)
            p = -(p1 * p2 * h3 + p2 * p3 * h1 + p3 * p1 * h2) / (p1 * h1 + p2 * h2 + p3 * h3)
        else:
            p = (p1 * (f1 - f3) * f2 - p2 * (f2 - f3) * f1) / ((f1 - f2) * f3)
        if f2 < 0:
            p3, f3 = p2, f2
        else:
            p1, f1 = p2, f2
    return t, c, fp, 3


_TOLD = {
    2: "\nA theoretically impossible result was found during the iteration process\nfor finding a smoothing spline with fp = s: s too small. "
       "There is an approximation returned but the corresponding weighted sum\nof squared residuals does not satisfy the condition abs(fp-s)/s < tol.",
    3: "\nThe maximal number of iterations maxit (set to 20 by the program)\nallowed for finding a smoothing spline with fp=s has been reached: s\n"
       "too small.\nThere is an approximation returned but the corresponding weighted sum\nof squared residuals does not satisfy the condition "
       "abs(fp-s)/s < tol."}


def splrep(x, y, w=None, xb=None, xe=None, k=3, task=0, s=None, t=None, full_output=0, per=0, quiet=1):
    """The knots, coefficients and degree of a curve through the points, or near them if `s` is given."""
    if per:
        raise NotImplementedError("scipy.interpolate.splrep(per=True)")
    if task == 1:
        raise NotImplementedError("scipy.interpolate.splrep(task=1)")
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    m = len(x)
    if w is None:
        w, s = np.ones(m), 0.0 if s is None else s
    else:
        w, s = np.asarray(w, dtype=float), m - np.sqrt(2 * m) if s is None else s
    if not 1 <= k <= 5:
        raise TypeError(f"Given degree of the spline (k={k}) is not supported. (1<=k<=5)")
    if m <= k:
        raise TypeError("m > k must hold")
    if not len(w) == m:
        raise TypeError(f"len(w)={len(w)} is not equal to m={m}")
    if len(x) != len(y):
        raise TypeError("Lengths of the first three arguments (x,y,w) must be equal")
    if (np.diff(x) < 0).any() or s == 0 and t is None and (np.diff(x) <= 0).any():
        raise ValueError("Error on input data")
    ends = (float(x[0] if xb is None else xb), float(x[-1] if xe is None else xe))
    if t is not None:
        t = np.concatenate([np.full(k + 1, ends[0]), np.asarray(t, dtype=float), np.full(k + 1, ends[1])])
        c, _ = _weighted_fit(t, k, x, y, w)
        fp, ier = float(((w * (_evaluated(t, c, k, x) - y)) ** 2).sum()), 0
    else:
        t, c, fp, ier = _smooth(x, y, w, k, float(s), ends)
    tck = t, np.concatenate([c, np.zeros(k + 1)]), k
    if ier > 0 and not quiet:
        warnings.warn(RuntimeWarning(_TOLD[ier]), stacklevel=2)
    if full_output:
        return tck, fp, ier, _TOLD.get(ier, "")
    return tck


def splev(x, tck, der=0, ext=0):
    """The values of a curve, or of its derivative `der`."""
    if isinstance(tck, BSpline):
        if ext not in (0, 1, True, False):
            raise ValueError(f"ext={ext!r} is not supported for BSpline objects." if ext in (2, 3) else f"ext = {ext} not in (0, 1, 2, 3) ")
        return tck(x, der, extrapolate=ext == 0)
    t, c, k = tck
    if isinstance(c, list) or getattr(c, "ndim", 1) > 1:
        return [splev(x, [t, part, k], der, ext) for part in c]
    if not 0 <= der <= k:
        raise ValueError(f"0<=der={der}<=k={k} must hold")
    if ext not in (0, 1, 2, 3):
        raise ValueError(f"ext = {ext} not in (0, 1, 2, 3) ")
    x, t = np.asarray(x, dtype=float), np.asarray(t, dtype=float)
    return _beyond(t, np.asarray(c, dtype=float), k, x, der, ext)


def _beyond(t, c, k, x, der, ext):
    flat, first, last = x.reshape(-1), t[k], t[len(t) - k - 1]
    outside = (flat < first) | (flat > last)
    if ext == 2 and outside.any():
        raise ValueError("Found x value not in the domain")
    made = _evaluated(*_derived(t, c, k, der), np.clip(flat, first, last) if ext == 3 else flat)
    if ext == 1:
        made[outside] = 0.0
    return made.reshape(x.shape)


def splint(a, b, tck, full_output=0):
    """The area under a curve."""
    if full_output:
        raise NotImplementedError("scipy.interpolate.splint(full_output=True)")
    made = BSpline(*tck.tck if isinstance(tck, BSpline) else tck, extrapolate=False).integrate(a, b)
    return float(made)


def splder(tck, n=1):
    if isinstance(tck, BSpline):
        return tck.derivative(n)
    return _derived(*tck, n) if n >= 0 else _integrated(*tck, -n)


def splantider(tck, n=1):
    return tck.antiderivative(n) if isinstance(tck, BSpline) else _integrated(*tck, n)


def _pieces(t, c, k):
    """The polynomials between the knots."""
    ends = np.unique(t[k:len(t) - k])
    rows, scale = [], 1.0
    for order in range(k + 1):
        scale *= order or 1
        rows.append(_evaluated(*_derived(t, c, k, order), ends[:-1]) / scale)
    return PPoly(np.stack(rows[::-1]), ends)


def sproot(tck, mest=10):
    """Where a cubic curve is zero."""
    t, c, k = tck.tck if isinstance(tck, BSpline) else tck
    if k != 3:
        raise ValueError("sproot works only for cubic (k=3) splines")
    if len(t) < 8:
        raise TypeError(f"The number of knots {len(t)}>=8")
    return _pieces(np.asarray(t, dtype=float), np.asarray(c, dtype=float), k).roots(extrapolate=False)


def spalde(x, tck):
    """The value and all derivatives at a point."""
    t, c, k = tck
    where = np.asarray(x, dtype=float)
    made = np.stack([splev(where.reshape(-1), tck, d) for d in range(k + 1)], axis=1)
    return made[0] if where.ndim == 0 else list(made)


_EXT = {0: 0, "extrapolate": 0, 1: 1, "zeros": 1, 2: 2, "raise": 2, 3: 3, "const": 3}


class UnivariateSpline:
    """A curve near the points: `s` is how much their squares may be off."""

    def __init__(self, x, y, w=None, bbox=(None, None), k=3, s=None, ext=0, check_finite=False):
        x, y, w, ends = self._given(x, y, w, bbox, k, ext, check_finite)
        if s is not None and s < 0:
            raise ValueError("s should be s >= 0.0")
        if (np.diff(x) < 0).any() if s is None or s > 0 else (np.diff(x) <= 0).any():
            raise ValueError("x must be increasing if s > 0" if s is None or s > 0 else "x must be strictly increasing if s = 0")
        self._data = x, y, w, k, ends
        self.set_smoothing_factor(len(x) if s is None else s)

    def _given(self, x, y, w, bbox, k, ext, check_finite):
        x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        w = np.ones(len(x)) if w is None else np.asarray(w, dtype=float)
        if check_finite and not (np.isfinite(x).all() and np.isfinite(y).all() and np.isfinite(w).all()):
            raise ValueError("x and y array must not contain NaNs or infs.")
        if x.shape != y.shape or len(x) != len(w):
            raise ValueError("x, y, and w should have a same length")
        if not 1 <= k <= 5:
            raise ValueError("k should be 1 <= k <= 5")
        if len(x) <= k:
            raise TypeError("(m>k) failed for hidden m: fpcurf0:m=" + str(len(x)))
        if ext not in _EXT:
            raise ValueError(f"Unknown extrapolation mode {ext}.")
        self.ext = _EXT[ext]
        return x, y, w, (float(x[0] if bbox[0] is None else bbox[0]), float(x[-1] if bbox[1] is None else bbox[1]))

    def set_smoothing_factor(self, s):
        x, y, w, k, ends = self._data
        t, c, self._fp, ier = _smooth(x, y, w, k, float(s), ends)
        if ier > 0:
            warnings.warn(_TOLD[ier], stacklevel=3)
        self._set(t, c, k)

    def _set(self, t, c, k):
        self._eval_args = t, np.concatenate([c, np.zeros(max(len(t) - len(c), 0))]), k

    @classmethod
    def _from_tck(cls, tck, ext=0):
        self = UnivariateSpline.__new__(UnivariateSpline)
        self._eval_args, self.ext = tck, ext
        return self

    def __call__(self, x, nu=0, ext=None):
        x = np.asarray(x, dtype=float)
        if x.size == 0:
            return np.array([])
        if ext is not None and ext not in _EXT:
            raise ValueError(f"Unknown extrapolation mode {ext}.")
        if not 0 <= nu <= self._eval_args[2]:
            raise ValueError(f"0<=der={nu}<=k={self._eval_args[2]} must hold")
        return _beyond(*self._eval_args, x, nu, self.ext if ext is None else _EXT[ext])

    def get_knots(self):
        t, _, k = self._eval_args
        return t[k:len(t) - k]

    def get_coeffs(self):
        t, c, k = self._eval_args
        return c[:len(t) - k - 1]

    def get_residual(self):
        return self._fp

    def integral(self, a, b):
        return splint(a, b, self._eval_args)

    def derivatives(self, x):
        return spalde(x, self._eval_args)

    def roots(self):
        if self._eval_args[2] != 3:
            raise NotImplementedError("finding roots unsupported for non-cubic splines")
        return sproot(self._eval_args)

    def derivative(self, n=1):
        return UnivariateSpline._from_tck(splder(self._eval_args, n), 1 if self.ext == 3 else self.ext)

    def antiderivative(self, n=1):
        return UnivariateSpline._from_tck(splantider(self._eval_args, n), self.ext)


class InterpolatedUnivariateSpline(UnivariateSpline):
    """A curve through all points."""

    def __init__(self, x, y, w=None, bbox=(None, None), k=3, ext=0, check_finite=False):
        x, y, w, ends = self._given(x, y, w, bbox, k, ext, check_finite)
        if (np.diff(x) <= 0).any():
            raise ValueError("x must be strictly increasing")
        self._data = x, y, w, k, ends
        self.set_smoothing_factor(0)


class LSQUnivariateSpline(UnivariateSpline):
    """The curve over given inner knots that comes nearest to the points."""

    def __init__(self, x, y, t, w=None, bbox=(None, None), k=3, ext=0, check_finite=False):
        x, y, w, ends = self._given(x, y, w, bbox, k, ext, check_finite)
        if (np.diff(x) < 0).any():
            raise ValueError("x must be increasing")
        t = np.concatenate([np.full(k + 1, ends[0]), np.asarray(t, dtype=float), np.full(k + 1, ends[1])])
        if not (t[k + 1:len(t) - k] - t[k:len(t) - k - 1] > 0).all():
            raise ValueError("Interior knots t must satisfy Schoenberg-Whitney conditions")
        c, _ = _weighted_fit(t, k, x, y, w)
        self._fp = float(((w * (_evaluated(t, c, k, x) - y)) ** 2).sum())
        self._set(t, c, k)

    def set_smoothing_factor(self, s):
        raise NotImplementedError("scipy.interpolate.LSQUnivariateSpline.set_smoothing_factor")


class RectBivariateSpline:
    """A surface through the values on a grid."""

    def __init__(self, x, y, z, bbox=(None,) * 4, kx=3, ky=3, s=0, maxit=20):
        if s or any(v is not None for v in bbox):
            raise NotImplementedError("scipy.interpolate.RectBivariateSpline(s=, bbox=)")
        x, y, z = (np.asarray(v, dtype=float) for v in (x, y, z))
        for v, name in ((x, "x"), (y, "y")):
            if (np.diff(v) <= 0).any():
                raise ValueError(f"{name} must be strictly increasing")
        for v, name, size in ((x, "x", z.shape[0]), (y, "y", z.shape[1])):
            if len(v) != size:
                raise ValueError(f"{name} dimension of z must have same number of elements as {name}")
        self._tx, self._ty = _with_ends(x, kx, _interior(x, kx)), _with_ends(y, ky, _interior(y, ky))
        self._kx, self._ky = kx, ky
        half = np.linalg.solve(_design(self._tx, kx, x), z)
        self._c = np.linalg.solve(_design(self._ty, ky, y), half.T).T

    def __call__(self, x, y, dx=0, dy=0, grid=True):
        x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        tx, ty = self._tx, self._ty
        if not grid:
            x, y = np.broadcast_arrays(x, y)
        shape = x.shape
        x, y = np.clip(x.reshape(-1), tx[0], tx[-1]), np.clip(y.reshape(-1), ty[0], ty[-1])
        if grid and ((np.diff(x) < 0).any() or (np.diff(y) < 0).any()):
            raise ValueError("x must be sorted in increasing order." if (np.diff(x) < 0).any() else "y must be sorted in increasing order.")
        a = _evaluated(*_derived(tx, np.eye(len(self._c)), self._kx, dx), x)
        b = _evaluated(*_derived(ty, np.eye(self._c.shape[1]), self._ky, dy), y)
        return a @ self._c @ b.T if grid else ((a @ self._c) * b).sum(axis=1).reshape(shape)

    def ev(self, xi, yi, dx=0, dy=0):
        return self(xi, yi, dx, dy, grid=False)

    def get_knots(self):
        return self._tx, self._ty

    def get_coeffs(self):
        return self._c.reshape(-1)

    def integral(self, xa, xb, ya, yb):
        ends = []
        for t, k, n, a, b in ((self._tx, self._kx, len(self._c), xa, xb), (self._ty, self._ky, self._c.shape[1], ya, yb)):
            made = _evaluated(*_integrated(t, np.eye(n), k, 1), np.clip(np.array([float(a), float(b)]), t[0], t[-1]))
            ends.append(made[1] - made[0])
        return float(ends[0] @ self._c @ ends[1])

"""Searches along one line after the other: Powell's, conjugate gradients and Newton's, in the steps that SciPy takes."""

import math
import warnings

import numpy as np

from ._search import OptimizeResult, OptimizeWarning, _between, _brent, _options, _report, _value

_MESSAGES = ("Optimization terminated successfully.", "Maximum number of iterations has been exceeded.",
             "Desired error not necessarily achieved due to precision loss.", "NaN result encountered.")
_TINY = np.finfo(float).eps


class _Stopped(Exception):
    """A function has been called as often as it may be."""


def _first_step(f, before, slope):
    step = min(1.0, 1.01 * 2 * (f - before) / slope) if before is not None and slope else 1.0
    return step if step >= 0 else 1.0


def wolfe(watched, x, d, f, g, before, most, fits=None, flat=0.9):
    """A step along `d` that meets Wolfe's conditions and `fits`, with the value and the gradient there; None if there is none."""
    from sklearn._lbfgs import _search

    slope, found = float(np.dot(g, d)), {}

    def at(s):
        there = x + s * d
        found["s"], found["f"], found["g"] = s, watched.value(there), watched.gradient(there)
        return found["f"], float(np.dot(found["g"], d))

    s = _search(at, _first_step(f, before, slope), f, slope, 100, 1e-4, most, 1e-14, True, flat) if slope < 0 else None
    if s is not None and (fits is None or fits(s, found["g"])):
        return s, found["f"], found["g"]
    s = _second(lambda t: watched.value(x + t * d), lambda t: at(t)[1], f, slope, before, most,
                lambda t: fits is None or fits(t, found["g"]), flat)
    if s is None:
        return None
    if found.get("s") != s:
        at(s)
    return s, found["f"], found["g"]


def _second(value, tilt, f, slope, before, most, fits, flat):
    """The other search, which halves an interval by cubics and parabolas."""
    low, s, f_low, slope_low = 0.0, min(_first_step(f, before, slope), most), f, slope
    here = value(s)
    for i in range(10):
        if s == 0 or low == most:
            return None
        if here > f + 1e-4 * s * slope or (here >= f_low and i > 0):
            return _zoom(value, tilt, (low, f_low, slope_low), (s, here), f, slope, fits, flat)
        tilted = tilt(s)
        if abs(tilted) <= -flat * slope and fits(s):
            return s
        if tilted >= 0:
            return _zoom(value, tilt, (s, here, tilted), (low, f_low), f, slope, fits, flat)
        low, s, f_low, slope_low = s, min(2 * s, most), here, tilted
        here = value(s)
    return s


def _zoom(value, tilt, low, high, f, slope, fits, flat):
    (a, fa, da), (b, fb), (r, fr) = low, high, (0.0, f)
    for i in range(11):
        wide, ends = b - a, sorted((a, b))
        s = _cubic(a, fa, da, b, fb, r, fr) if i else None
        if s is None or s > ends[1] - 0.2 * wide or s < ends[0] + 0.2 * wide:
            bend = (fb - fa - da * wide) / (wide * wide) if wide else 0.0
            s = a - da / (2 * bend) if bend else None
            if s is None or s > ends[1] - 0.1 * wide or s < ends[0] + 0.1 * wide:
                s = a + 0.5 * wide
        here = value(s)
        if here > f + 1e-4 * s * slope or here >= fa:
            r, fr, b, fb = b, fb, s, here
            continue
        tilted = tilt(s)
        if abs(tilted) <= -flat * slope and fits(s):
            return s
        r, fr = (b, fb) if tilted * (b - a) >= 0 else (a, fa)
        if tilted * (b - a) >= 0:
            b, fb = a, fa
        a, fa, da = s, here, tilted
    return None


def _cubic(a, fa, da, b, fb, c, fc):
    """The least place of the cubic through three points with the slope at the first."""
    try:
        db, dc = b - a, c - a
        under = (db * dc) ** 2 * (db - dc)
        p, q = fb - fa - da * db, fc - fa - da * dc
        A, B = (dc**2 * p - db**2 * q) / under, (-(dc**3) * p + db**3 * q) / under
        s = a + (-B + math.sqrt(B * B - 3 * A * da)) / (3 * A)
    except (ArithmeticError, ValueError):
        return None
    return s if math.isfinite(s) else None


def conjugate(watched, x, callback, given):
    o = _options(given, {"gtol": 1e-5, "norm": np.inf, "maxiter": None, "return_all": False, "c1": 1e-4, "c2": 0.4}, "CG")
    if o["norm"] != np.inf or o["return_all"] or o["c1"] != 1e-4 or o["c2"] != 0.4:
        raise NotImplementedError("scipy.optimize.minimize(method='CG') with norm, return_all, c1 or c2")
    most = len(x) * 200 if o["maxiter"] is None else o["maxiter"]
    f, g = watched.value(x), watched.gradient(x)
    before, d, steps, status = f + np.linalg.norm(g) / 2, -g, 0, 0
    while np.abs(g).max() > o["gtol"] and steps < most:
        size = np.dot(g, g)

        def turned(new):
            return -new + max(0, np.dot(new - g, new) / size) * d

        def fits(s, new):
            return np.abs(new).max() <= o["gtol"] or np.dot(turned(new), new) <= -0.01 * np.dot(new, new)

        found = wolfe(watched, x, d, f, g, before, 1e100, fits, 0.4)
        if found is None:
            status = 2
            break
        before = f
        s, f, new = found
        x, d, g = x + s * d, turned(new), new
        steps += 1
        _report(callback, x, f)
    if status != 2:
        status = 1 if steps >= most else 3 if math.isnan(f) or np.isnan(x).any() or np.isnan(g).any() else 0
    return OptimizeResult(fun=np.float64(f), jac=g, nfev=watched.nfev, njev=watched.njev, status=status, success=status == 0,
                          message=_MESSAGES[status], x=x, nit=steps)


def newton(watched, x, hess, hessp, args, callback, given):
    o = _options(given, {"xtol": 1e-5, "maxiter": None, "return_all": False, "c1": 1e-4, "c2": 0.9}, "Newton-CG")
    if o["return_all"] or o["c1"] != 1e-4 or o["c2"] != 0.9:
        raise NotImplementedError("scipy.optimize.minimize(method='Newton-CG') with return_all, c1 or c2")
    if hess is not None and not callable(hess):
        raise NotImplementedError("scipy.optimize.minimize(method='Newton-CG'): hess is a function here")
    most = len(x) * 200 if o["maxiter"] is None else o["maxiter"]
    x, f, before, g, steps, asked, moved = np.copy(x), watched.value(x), None, None, 0, 0, np.inf

    def ended(status, message):
        return OptimizeResult(fun=np.float64(f), jac=g, nfev=watched.nfev, njev=watched.njev, nhev=asked, status=status, success=status == 0,
                              message=message, x=x, nit=steps)

    while moved > len(x) * o["xtol"]:
        if steps >= most:
            return ended(1, "Warning: " + _MESSAGES[1])
        slope = watched.gradient(x)
        size = np.abs(slope).sum()
        enough = min(0.5, math.sqrt(size)) * size
        d, r, p, done = np.zeros(len(x)), slope.copy(), -slope, False
        square = np.dot(r, r)
        if hess is not None:
            bent, asked = np.asarray(hess(np.copy(x), *args), dtype=float), asked + 1
        for i in range(20 * len(x)):
            done = np.abs(r).sum() <= enough
            if done:
                break
            if hess is not None:
                product = np.dot(bent, p)
            elif hessp is not None:
                product, asked = np.asarray(hessp(np.copy(x), p, *args), dtype=float), asked + 1
            else:
                here = watched.gradient(x)
                product = (watched.gradient(x + watched.step * p) - here) / watched.step
            curved = np.dot(p, product)
            done = curved <= 3 * _TINY
            if done:
                if curved < 0 and i == 0:
                    d = square / -curved * -slope
                break
            share = square / curved
            d, r = d + share * p, r + share * product
            last, square = square, np.dot(r, r)
            p = -r + square / last * p
        g = slope
        if not done:
            return ended(3, "Warning: CG iterations didn't converge. The Hessian is not positive definite.")
        found = wolfe(watched, x, d, f, g, before, 50)
        if found is None:
            return ended(2, "Warning: " + _MESSAGES[2])
        before = f
        s, f, _ = found
        x = x + s * d
        steps += 1
        _report(callback, x, f)
        moved = np.abs(s * d).sum()
    return ended(3, _MESSAGES[3]) if math.isnan(f) or math.isnan(moved) else ended(0, _MESSAGES[0])


def powell(fun, x, args, limits, callback, given):
    o = _options(given, {"xtol": 1e-4, "ftol": 1e-4, "maxiter": None, "maxfev": None, "direc": None, "return_all": False}, "Powell")
    if o["return_all"]:
        raise NotImplementedError("scipy.optimize.minimize(method='Powell') with return_all")
    n, most, calls_most = len(x), o["maxiter"], o["maxfev"]
    if most is None and calls_most is None:
        most = calls_most = n * 1000
    most = (np.inf if np.isfinite(calls_most) else n * 1000) if most is None else most
    calls_most = (np.inf if np.isfinite(most) else n * 1000) if calls_most is None else calls_most
    ways, calls = np.eye(n) if o["direc"] is None else np.array(o["direc"], dtype=float), 0
    if limits is not None and (np.any(limits[0] > x) or np.any(x > limits[1])):
        warnings.warn("Initial guess is not within the specified bounds", OptimizeWarning, stacklevel=4)

    def value(at):
        nonlocal calls
        if calls >= calls_most:
            raise _Stopped
        calls += 1
        return _value(fun, at, args)

    f, start, steps = value(x), x.copy(), 0
    try:
        while True:
            first, largest, drop = f, 0, 0.0
            for i in range(n):
                last = f
                f, x, _ = _along(value, x, ways[i], o["xtol"] * 100, limits, f)
                if last - f > drop:
                    largest, drop = i, last - f
            steps += 1
            _report(callback, x, f)
            if 2.0 * (first - f) <= o["ftol"] * (abs(first) + abs(f)) + 1e-20 or calls >= calls_most or steps >= most:
                break
            if math.isnan(first) and math.isnan(f):
                break
            way, start = x - start, x.copy()
            far = 1 if limits is None else _room(x, way, *limits)[1]
            beyond = value(x + min(far, 1) * way)
            if first > beyond and 2.0 * (first + beyond - 2.0 * f) * (first - f - drop) ** 2 < drop * (first - beyond) ** 2:
                f, x, way = _along(value, x, way, o["xtol"] * 100, limits, f)
                if np.any(way):
                    ways[largest], ways[-1] = ways[-1], way
    except _Stopped:
        pass
    status = 0
    if limits is not None and (np.any(limits[0] > x) or np.any(x > limits[1])):
        status = 4
    elif calls >= calls_most:
        status = 1
    elif steps >= most:
        status = 2
    elif math.isnan(f) or np.isnan(x).any():
        status = 3
    message = (_MESSAGES[0], "Maximum number of function evaluations has been exceeded.", _MESSAGES[1], _MESSAGES[3],
               "The result is outside of the provided bounds.")[status]
    return OptimizeResult(fun=np.float64(f), direc=ways, nit=steps, nfev=calls, status=status, success=status == 0, message=message, x=x)


def _room(x, way, low, high):
    """How far one can go from `x` back and forth without leaving the bounds."""
    moves = way != 0
    a, b = (low[moves] - x[moves]) / way[moves], (high[moves] - x[moves]) / way[moves]
    least, most = np.minimum(a, b).max(initial=-np.inf), np.maximum(a, b).min(initial=np.inf)
    return (float(least), float(most)) if least <= most else (0.0, 0.0)


def _along(value, x, way, tol, limits, f):
    """The least value on a line, its place, and the step that led there."""
    if not np.any(way):
        return f, x, way

    def at(s):
        return value(x + s * way)

    room = (-np.inf, np.inf) if limits is None else _room(x, way, *limits)
    if room == (-np.inf, np.inf):
        found = _brent(at, tol, 0.0, 1.0, True)
        step = found.x * way
    elif math.isfinite(room[0]) and math.isfinite(room[1]):
        found = _between(at, *room, tol / 100)
        step = found.x * way
    else:
        found = _between(lambda t: at(math.tan(t)), math.atan(room[0]), math.atan(room[1]), tol / 100)
        step = math.tan(found.x) * way
    return float(found.fun), x + step, step

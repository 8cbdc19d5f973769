"""L-BFGS-B with bounds: the steps of SciPy's search, with small dense matrices in place of its factored ones."""

import math

import numpy as np

_EPS = 2.220446049250313e-16


class _Curve:
    """What the last steps say about the curvature: B = theta I - W M W'."""

    def __init__(self):
        self.forget()

    def forget(self):
        self.steps, self.turns, self.theta, self.W, self.M = [], [], 1.0, None, None

    def learn(self, s, y, curved):
        self.steps, self.turns = [*self.steps[-9:], s], [*self.turns[-9:], y]
        self.theta = float(y @ y) / curved
        S, Y = np.stack(self.steps, axis=1), np.stack(self.turns, axis=1)
        inner = S.T @ Y
        low = np.tril(inner, -1)
        self.W = np.concatenate([Y, self.theta * S], axis=1)
        self.M = np.linalg.inv(np.block([[-np.diag(np.diagonal(inner)), low.T], [low, self.theta * (S.T @ S)]]))


def _cauchy(x, g, low, high, curve):
    """The first minimum along the projected gradient, the part of W that leads there, and which numbers stay free."""
    n, theta, W, M = len(x), curve.theta, curve.W, curve.M
    held = (x <= low) & (g >= 0) | (x >= high) & (g <= 0) | (g == 0) & (np.isfinite(low) | np.isfinite(high))
    d = np.where(held, 0.0, -g)
    ends = np.full(n, np.inf)
    for i in range(n):
        edge = low[i] if d[i] < 0 else high[i]
        if d[i] and np.isfinite(edge):
            ends[i] = (edge - x[i]) / d[i]
    there, free = x.copy(), ~held
    order = [i for i in sorted(range(n), key=lambda i: float(ends[i])) if ends[i] < np.inf]
    unbounded = any(d[i] and ends[i] == np.inf for i in range(n))
    if not np.any(d):
        return there, None, free
    f1 = -float(d @ d)
    f2 = whole = -theta * f1
    p = None if W is None else W.T @ d
    c = None if W is None else np.zeros(len(p))
    if W is not None:
        f2 -= float(p @ (M @ p))
    reach, gone, before = -f1 / f2, 0.0, 0.0
    for left, i in zip(range(len(order) - 1, -1, -1), order):
        dt = float(ends[i]) - before
        if reach < dt:
            break
        gone, before, own = gone + dt, float(ends[i]), float(d[i])
        d[i], free[i] = 0.0, False
        there[i] = high[i] if own > 0 else low[i]
        moved = float(there[i] - x[i])
        if left == 0 and len(order) == n:
            return there, c if c is None else c + dt * p, free
        f1 += dt * f2 + own * own - theta * own * moved
        f2 -= theta * own * own
        if W is not None:
            c = c + dt * p
            row = W[i]
            v = M @ row
            f1 += own * float(c @ v)
            f2 += 2 * own * float(p @ v) - own * own * float(row @ v)
            p = p - own * row
        f2 = max(_EPS * whole, f2)
        reach = -f1 / f2 if left or unbounded else 0.0
    reach = max(reach, 0.0)
    gone += reach
    there = np.where(d != 0, there + gone * d, there)
    return there, c if c is None else c + reach * p, free


def _within(x, g, there, c, free, low, high, curve):
    """From the Cauchy point to the minimum over the numbers that are free, kept inside the bounds."""
    at = np.flatnonzero(free)
    W, M, theta = curve.W[at], curve.M, curve.theta
    r = -theta * (there[at] - x[at]) - g[at] + W @ (M @ c)
    d = np.linalg.solve(theta * np.eye(len(at)) - W @ M @ W.T, r)
    wanted = there[at] + d
    made = there.copy()
    made[at] = np.minimum(np.maximum(wanted, low[at]), high[at])
    if np.array_equal(made[at], wanted) or float((made - x) @ g) <= 0:
        return made
    # The projected step doesn't lead down, so it's cut where it meets the first bound.
    share, met = 1.0, None
    for k, i in enumerate(at.tolist()):
        edge = low[i] if d[k] < 0 else high[i]
        if d[k] and np.isfinite(edge):
            room = float(edge - there[i])
            cut = 0.0 if room * float(d[k]) <= 0 else room / float(d[k]) if abs(float(d[k])) * share > abs(room) else share
            if cut < share:
                share, met = cut, k
    made = there.copy()
    made[at] = there[at] + share * d
    if met is not None:
        made[at[met]] = high[at[met]] if d[met] > 0 else low[at[met]]
    return made


def steep(x, g, low, high):
    """The largest number of the projected gradient."""
    return float(np.abs(np.where(g < 0, np.maximum(x - high, g), np.minimum(x - low, g))).max())


def minimize(function, x, low, high, *, most, gtol, ftol, trials, calls):
    """The place of the minimum, how many steps led there, and the reason for an end before it, or None."""
    from sklearn._lbfgs import _search

    x = np.clip(x, low, high)
    f, g = function(x)
    if steep(x, g, low, high) <= gtol:
        return x, 0, None
    boxed, steps, curve = bool((np.isfinite(low) & np.isfinite(high)).all()), 0, _Curve()
    while True:
        there, c, free = _cauchy(x, g, low, high, curve)
        if free.any() and curve.W is not None:
            there = _within(x, g, there, np.zeros(curve.W.shape[1]) if c is None else c, free, low, high, curve)
        d = there - x
        limit = 1e10 if steps else 1.0
        for i in range(len(x)) if steps else ():
            edge = low[i] if d[i] < 0 else high[i]
            if d[i] and np.isfinite(edge):
                room = float(edge - x[i])
                if room * float(d[i]) <= 0:
                    limit = 0.0
                elif abs(float(d[i])) * limit > abs(room):
                    limit = room / float(d[i])
        slope, found = float(g @ d), {}

        def at(stp):
            found["at"] = there.copy() if stp == 1.0 else np.clip(x + stp * d, low, high)
            found["f"], found["g"] = function(found["at"])
            return found["f"], float(found["g"] @ d)

        stp = min(1.0 / math.sqrt(float(d @ d)), limit) if steps == 0 and not boxed else 1.0
        stp = _search(at, min(stp, limit), f, slope, trials, most=limit) if slope < 0 and limit > 0 else None
        if stp is None:
            if curve.W is None:
                return x, steps, "ABNORMAL: "
            curve.forget()
            continue
        old, before = g, f
        x, f, g = found["at"], found["f"], found["g"]
        steps += 1
        if steep(x, g, low, high) <= gtol or before - f <= ftol * max(abs(before), abs(f), 1.0):
            return x, steps, None
        if steps >= most:
            return x, steps, "STOP: TOTAL NO. OF ITERATIONS REACHED LIMIT"
        if calls():
            return x, steps, "STOP: TOTAL NO. OF F,G EVALUATIONS EXCEEDS LIMIT"
        y, s = g - old, stp * d
        curved = float(y @ d) * stp
        if curved > _EPS * -slope * stp:
            curve.learn(s, y, curved)

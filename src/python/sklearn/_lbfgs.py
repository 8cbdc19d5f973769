"""The search of SciPy's L-BFGS-B without bounds, step by step: it ends where scikit-learn's does."""

import math

import numpy as np


def _step(s, stp, fp, dp, least, most):
    """MINPACK's choice of the next step in a line search. `s`: the best step, the other end, whether the minimum is between."""
    (x, fx, dx), (y, fy, dy), inside = s
    opposite = dp * math.copysign(1.0, dx) < 0 if dx else False
    if fp > fx:
        theta = 3.0 * (fx - fp) / (stp - x) + dx + dp
        scale = max(abs(theta), abs(dx), abs(dp))
        gamma = scale * math.sqrt((theta / scale) ** 2 - dx / scale * (dp / scale)) * (-1 if stp < x else 1)
        cubic = x + (gamma - dx + theta) / (gamma - dx + gamma + dp) * (stp - x)
        square = x + dx / ((fx - fp) / (stp - x) + dx) / 2.0 * (stp - x)
        new = cubic if abs(cubic - x) <= abs(square - x) else cubic + (square - cubic) / 2.0
        inside = True
    elif opposite:
        theta = 3.0 * (fx - fp) / (stp - x) + dx + dp
        scale = max(abs(theta), abs(dx), abs(dp))
        gamma = scale * math.sqrt((theta / scale) ** 2 - dx / scale * (dp / scale)) * (-1 if stp > x else 1)
        cubic = stp + (gamma - dp + theta) / (gamma - dp + gamma + dx) * (x - stp)
        square = stp + dp / (dp - dx) * (x - stp)
        new = cubic if abs(cubic - stp) > abs(square - stp) else square
        inside = True
    elif abs(dp) < abs(dx):
        theta = 3.0 * (fx - fp) / (stp - x) + dx + dp
        scale = max(abs(theta), abs(dx), abs(dp))
        gamma = scale * math.sqrt(max(0.0, (theta / scale) ** 2 - dx / scale * (dp / scale))) * (-1 if stp > x else 1)
        r = (gamma - dp + theta) / (gamma + (dx - dp) + gamma)
        cubic = stp + r * (x - stp) if r < 0 and gamma != 0 else most if stp > x else least
        square = stp + dp / (dp - dx) * (x - stp)
        if inside:
            new = cubic if abs(cubic - stp) < abs(square - stp) else square
            edge = stp + 0.66 * (y - stp)
            new = min(edge, new) if stp > x else max(edge, new)
        else:
            new = min(max(cubic if abs(cubic - stp) > abs(square - stp) else square, least), most)
    elif inside:
        theta = 3.0 * (fp - fy) / (y - stp) + dy + dp
        scale = max(abs(theta), abs(dy), abs(dp))
        gamma = scale * math.sqrt((theta / scale) ** 2 - dy / scale * (dp / scale)) * (-1 if stp > y else 1)
        new = stp + (gamma - dp + theta) / (gamma - dp + gamma + dy) * (y - stp)
    else:
        new = most if stp > x else least
    if fp > fx:
        return [(x, fx, dx), (stp, fp, dp), inside], new
    return [(stp, fp, dp), (x, fx, dx) if opposite else (y, fy, dy), inside], new


def _search(at, stp, f0, d0, trials, c1=1e-3, most=1e10, wide=0.1, whole=False, flat=0.9):
    """A step along a line that lowers the value and flattens the slope enough; None if there's none."""
    test = c1 * d0
    s, early = [(0.0, f0, d0), (0.0, f0, d0), False], True
    width, before = most, 2 * most
    low, high = 0.0, stp + 4.0 * stp
    for _ in range(trials):
        f, d = at(stp)
        limit = f0 + stp * test
        early = early and not (f <= limit and d >= 0)
        if f <= limit and abs(d) <= flat * -d0:
            return stp
        if s[2] and (stp <= low or stp >= high or high - low <= wide * high) or stp == most and f <= limit and d <= test:
            return None if whole else stp
        if early and f <= s[0][1] and f > limit:
            tilted = [(p, fp - p * test, dp - test) for p, fp, dp in s[:2]]
            tilted, new = _step([*tilted, s[2]], stp, f - stp * test, d - test, low, high)
            s = [*((p, fp + p * test, dp + test) for p, fp, dp in tilted[:2]), tilted[2]]
        else:
            s, new = _step(s, stp, f, d, low, high)
        stp, x, y = new, s[0][0], s[1][0]
        if s[2]:
            if abs(y - x) >= 0.66 * before:
                stp = x + 0.5 * (y - x)
            before, width = width, abs(y - x)
            low, high = min(x, y), max(x, y)
        else:
            low, high = stp + 1.1 * (stp - x), stp + 4.0 * (stp - x)
        stp = min(max(stp, 0.0), most)
        if s[2] and (stp <= low or stp >= high or high - low <= wide * high):
            stp = x
    return None


def minimize(function, x, *, most, gtol, ftol, trials=50):
    """The place of the minimum, how many steps led there, and the reason for an end before it, or None."""
    x = np.array(x, dtype=float)
    f, g = function(x)
    pairs, theta = [], 1.0
    if not g.size or float(np.abs(g).max()) <= gtol:
        return x, 0, None
    steps = 0
    while True:
        d = -g
        shares = []
        for s, y, curved in reversed(pairs):
            shares.append(float(s @ d) / curved)
            d = d - shares[-1] * y
        d = d / theta
        for (s, y, curved), share in zip(pairs, reversed(shares)):
            d = d + (share - float(y @ d) / curved) * s
        slope, found = float(g @ d), {}

        def at(stp):
            found["at"] = x + stp * d if stp != 1.0 else x + d
            found["f"], found["g"] = function(found["at"])
            return found["f"], float(found["g"] @ d)

        stp = min(1.0 / float(np.sqrt(d @ d)), 1e10) if steps == 0 else 1.0
        stp = _search(at, stp, f, slope, trials) if slope < 0 else None
        if stp is None:
            if not pairs:
                return x, steps, "ABNORMAL: "
            pairs, theta = [], 1.0
            continue
        old, before = g, f
        x, f, g = found["at"], found["f"], found["g"]
        steps += 1
        if steps >= most:
            return x, steps, "STOP: TOTAL NO. OF ITERATIONS REACHED LIMIT"
        if float(np.abs(g).max()) <= gtol or before - f <= ftol * max(abs(before), abs(f), 1.0):
            return x, steps, None
        y, s = g - old, stp * d
        curved = float(y @ s)
        if curved > np.finfo(float).eps * -slope * stp:
            pairs = [*pairs[-9:], (s, y, curved)]
            theta = float(y @ y) / curved

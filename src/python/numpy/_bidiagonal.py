"""Singular values of small square matrices in the steps that LAPACK takes, so that vectors have the same signs as NumPy's."""

import math

_EPS = 2.0**-53
_TOLERANCE = max(10.0, min(100.0, _EPS**-0.125)) * _EPS


def _reflection(alpha, rest):
    """What a Householder reflection makes of a vector's first element, its factor, and the rest of its vector."""
    norm = math.hypot(*rest) if rest else 0.0
    if norm == 0:
        return alpha, 0.0, rest
    beta = -math.copysign(math.hypot(alpha, norm), alpha)
    return beta, (beta - alpha) / beta, [x / (alpha - beta) for x in rest]


def _reflect_rows(a, tau, v, first):
    """`a` with rows from `first` on reflected."""
    if tau:
        for j in range(len(a[0])):
            s = tau * sum(x * a[first + k][j] for k, x in enumerate(v))
            for k, x in enumerate(v):
                a[first + k][j] -= s * x


def _transposed(a):
    return [list(row) for row in zip(*a)]


def _rotation(f, g):
    if g == 0:
        return 1.0, 0.0, f
    if f == 0:
        return 0.0, math.copysign(1.0, g), abs(g)
    d = math.sqrt(f * f + g * g)
    r = math.copysign(d, f)
    return abs(f) / d, g / r, r


def _turned(rows, i, c, s):
    """Two neighboring rows, rotated."""
    a, b = rows[i], rows[i + 1]
    rows[i], rows[i + 1] = [c * x + s * y for x, y in zip(a, b)], [c * y - s * x for x, y in zip(a, b)]


def _pair(f, g, h):
    """The smaller singular value of [[f, g], [0, h]]."""
    fa, ga, ha = abs(f), abs(g), abs(h)
    low, high = min(fa, ha), max(fa, ha)
    if low == 0:
        return 0.0
    if ga < high:
        a, b, c = 1 + low / high, (high - low) / high, (ga / high) ** 2
        return low * (2 / (math.sqrt(a * a + c) + math.sqrt(b * b + c)))
    c = high / ga
    if c == 0:
        return low * high / ga
    a, b = 1 + low / high, (high - low) / high
    return 2 * (low * (1 / (math.sqrt(1 + (a * c) ** 2) + math.sqrt(1 + (b * c) ** 2)))) * c


def _two(f, g, h):
    """The singular values of [[f, g], [0, h]], and the rotations to the right and to the left."""
    ft, ht, fa, ha = f, h, abs(f), abs(h)
    largest, swap = 1, ha > fa
    if swap:
        largest, ft, ht, fa, ha = 3, ht, ft, ha, fa
    gt, ga = g, abs(g)
    if ga == 0:
        low, high, cl, cr, sl, sr = ha, fa, 1.0, 1.0, 0.0, 0.0
    else:
        small = True
        if ga > fa:
            largest = 2
            if fa / ga < _EPS:
                small = False
                high, low = ga, fa / (ga / ha) if ha > 1 else fa / ga * ha
                cl, sl, sr, cr = 1.0, ht / gt, 1.0, ft / gt
        if small:
            d = fa - ha
            share = 1.0 if d == fa else d / fa
            m = gt / ft
            t = 2 - share
            s = math.sqrt(t * t + m * m)
            r = abs(m) if share == 0 else math.sqrt(share * share + m * m)
            a = 0.5 * (s + r)
            low, high = ha / a, fa * a
            if m * m == 0:
                if share == 0:
                    t = math.copysign(2.0, ft) * math.copysign(1.0, gt)
                else:
                    t = gt / math.copysign(d, ft) + m / t
            else:
                t = (m / (s + t) + m / (r + share)) * (1 + a)
            n = math.sqrt(t * t + 4)
            cr, sr = 2 / n, t / n
            cl = (cr + sr * m) / a
            sl = ht / ft * sr / a
    if swap:
        cl, sl, cr, sr = sr, cr, sl, cl
    one = lambda x: math.copysign(1.0, x)
    sign = one(cr) * one(cl) * one(f) if largest == 1 else one(sr) * one(cl) * one(g) if largest == 2 else one(sr) * one(sl) * one(h)
    return math.copysign(low, sign * one(f) * one(h)), math.copysign(high, sign), sr, cr, sl, cl


def _diagonal(d, e, right, left):
    """Makes a bidiagonal matrix diagonal; the rows of `right` and `left` are rotated along."""
    n, m, idir, before = len(d), len(d), 0, (-1, -1)
    least = mu = abs(d[0])
    for i in range(1, n):
        if least == 0:
            break
        mu = abs(d[i]) * (mu / (mu + abs(e[i - 1])))
        least = min(least, mu)
    small = max(_TOLERANCE * least / math.sqrt(n), 6 * (n * (n * 2.2250738585072014e-308)))
    for _ in range(6 * n * n + 100):
        if m <= 1:
            break
        # The block from `low` to `m`, counted from 1, that no zero divides.
        high, low = abs(d[m - 1]), 0
        for k in range(m - 1, 0, -1):
            if abs(e[k - 1]) <= small:
                e[k - 1], low = 0.0, k
                break
            high = max(high, abs(d[k - 1]), abs(e[k - 1]))
        if low == m - 1:
            m -= 1
            continue
        low += 1
        if low == m - 1:
            d[m - 1], d[m - 2], sr, cr, sl, cl = _two(d[m - 2], e[m - 2], d[m - 1])
            e[m - 2] = 0.0
            _turned(right, m - 2, cr, sr)
            _turned(left, m - 2, cl, sl)
            m -= 2
            continue
        if low > before[1] or m < before[0]:
            idir = 1 if abs(d[low - 1]) >= abs(d[m - 1]) else 2
        down = idir == 1
        end = (m - 2, m - 1) if down else (low - 1, low - 1)
        if abs(e[end[0]]) <= _TOLERANCE * abs(d[end[1]]):
            e[end[0]] = 0.0
            continue
        mu = smallest = abs(d[low - 1] if down else d[m - 1])
        zero = False
        for k in range(low - 1, m - 1) if down else range(m - 2, low - 2, -1):
            if abs(e[k]) <= _TOLERANCE * mu:
                e[k], zero = 0.0, True
                break
            mu = abs(d[k + 1] if down else d[k]) * (mu / (mu + abs(e[k])))
            smallest = min(smallest, mu)
        if zero:
            continue
        before = (low, m)
        shift = 0.0
        if n * _TOLERANCE * (smallest / high) > max(_EPS, 0.01 * _TOLERANCE):
            at, shift = (abs(d[low - 1]), _pair(d[m - 2], e[m - 2], d[m - 1])) if down else (
                abs(d[m - 1]), _pair(d[low - 1], e[low - 1], d[low]))
            if at > 0 and (shift / at) ** 2 < _EPS:
                shift = 0.0
        (_chase if down else _chase_up)(d, e, right, left, low - 1, m - 1, shift)
        at = m - 2 if down else low - 1
        if abs(e[at]) <= small:
            e[at] = 0.0


def _chase(d, e, right, left, low, high, shift):
    if shift == 0:
        c = old = 1.0
        s = old_s = 0.0
        for i in range(low, high):
            c, s, r = _rotation(d[i] * c, e[i])
            if i > low:
                e[i - 1] = old_s * r
            old, old_s, d[i] = _rotation(old * r, d[i + 1] * s)
            _turned(right, i, c, s)
            _turned(left, i, old, old_s)
        h = d[high] * c
        d[high], e[high - 1] = h * old, h * old_s
        return
    f, g = (abs(d[low]) - shift) * (math.copysign(1.0, d[low]) + shift / d[low]), e[low]
    for i in range(low, high):
        c, s, r = _rotation(f, g)
        if i > low:
            e[i - 1] = r
        f, e[i] = c * d[i] + s * e[i], c * e[i] - s * d[i]
        g, d[i + 1] = s * d[i + 1], c * d[i + 1]
        _turned(right, i, c, s)
        c, s, r = _rotation(f, g)
        d[i] = r
        f, d[i + 1] = c * e[i] + s * d[i + 1], c * d[i + 1] - s * e[i]
        if i < high - 1:
            g, e[i + 1] = s * e[i + 1], c * e[i + 1]
        _turned(left, i, c, s)
    e[high - 1] = f


def _chase_up(d, e, right, left, low, high, shift):
    if shift == 0:
        c = old = 1.0
        s = old_s = 0.0
        for i in range(high, low, -1):
            c, s, r = _rotation(d[i] * c, e[i - 1])
            if i < high:
                e[i] = old_s * r
            old, old_s, d[i] = _rotation(old * r, d[i - 1] * s)
            _turned(right, i - 1, old, -old_s)
            _turned(left, i - 1, c, -s)
        h = d[low] * c
        d[low], e[low] = h * old, h * old_s
        return
    f, g = (abs(d[high]) - shift) * (math.copysign(1.0, d[high]) + shift / d[high]), e[high - 1]
    for i in range(high, low, -1):
        c, s, r = _rotation(f, g)
        if i < high:
            e[i] = r
        f, e[i - 1] = c * d[i] + s * e[i - 1], c * e[i - 1] - s * d[i]
        g, d[i - 1] = s * d[i - 1], c * d[i - 1]
        _turned(left, i - 1, c, -s)
        c, s, r = _rotation(f, g)
        d[i] = r
        f, d[i - 1] = c * e[i - 1] + s * d[i - 1], c * d[i - 1] - s * e[i - 1]
        if i > low + 1:
            g, e[i - 2] = s * e[i - 2], c * e[i - 2]
        _turned(right, i - 1, c, -s)
    e[low] = f


def factors(rows):
    """U, the singular values and V' of a square matrix, as lists."""
    n = len(rows)
    a = [list(row) for row in rows]
    d, e, lefts, rights = [0.0] * n, [0.0] * (n - 1), [], []
    for i in range(n):
        d[i], tau, v = _reflection(a[i][i], [a[k][i] for k in range(i + 1, n)])
        _reflect_rows(a, tau, [1.0, *v], i)
        lefts.append((tau, [1.0, *v]))
        if i < n - 1:
            e[i], tau, v = _reflection(a[i][i + 1], a[i][i + 2 :])
            turned = _transposed(a)
            _reflect_rows(turned, tau, [1.0, *v], i + 1)
            a = _transposed(turned)
            rights.append((tau, [1.0, *v]))
    if n == 1:
        return [[math.copysign(1.0, d[0])]], [abs(d[0])], [[1.0]]
    unit = lambda: [[float(i == j) for j in range(n)] for i in range(n)]
    right, left = unit(), unit()
    _diagonal(d, e, right, left)
    for i in range(n):
        if d[i] < 0 or d[i] == 0 and math.copysign(1.0, d[i]) < 0:
            d[i], right[i] = -d[i], [-x for x in right[i]]
    order = sorted(range(n), key=lambda i: -d[i])
    d, right, left = [d[i] for i in order], [right[i] for i in order], [left[i] for i in order]
    u, v = _transposed(left), _transposed(right)
    for i in range(n - 1, -1, -1):
        _reflect_rows(u, *lefts[i], i)
        if i < n - 1:
            _reflect_rows(v, *rights[i], i + 1)
    return u, d, _transposed(v)

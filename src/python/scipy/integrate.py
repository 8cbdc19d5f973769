"""Areas below curves, and differential equations."""

import math
import warnings

import numpy as np
from scipy import lacking
from scipy._search import OptimizeResult


class IntegrationWarning(UserWarning):
    pass


# ---- samples ---------------------------------------------------------------------------------------------------------


def trapezoid(y, x=None, dx=1.0, axis=-1):
    return np.trapezoid(y, x, dx, axis)


def cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=None):
    y = np.moveaxis(np.asarray(y, dtype=float), axis, -1)
    if initial is not None and initial != 0:
        raise ValueError("`initial` must be `None` or `0`.")
    d = dx if x is None else np.diff(np.asarray(x, dtype=float))
    made = np.cumsum(d * (y[..., 1:] + y[..., :-1]) / 2.0, axis=-1)
    if initial is not None:
        made = np.concatenate([np.zeros((*made.shape[:-1], 1)), made], axis=-1)
    return np.moveaxis(made, -1, axis)


def simpson(y, x=None, *, dx=1.0, axis=-1):
    """Parabolas through the samples; with an even number of them the last stretch has Cartwright's correction."""
    y = np.moveaxis(np.asarray(y, dtype=float), axis, -1)
    n = y.shape[-1]
    h = np.full(n - 1, float(dx)) if x is None else np.diff(np.asarray(x, dtype=float))
    if h.ndim != 1:
        raise NotImplementedError("scipy.integrate.simpson(x=) of several rows")
    if n == 2:
        return 0.5 * h[0] * (y[..., 0] + y[..., 1])
    last = n if n % 2 else n - 1
    a, b = h[:last - 1:2], h[1:last - 1:2]
    ratio = a / b
    made = ((a + b) / 6 * (y[..., :last - 2:2] * (2 - 1 / ratio) + y[..., 1:last - 1:2] * ((a + b) * (a + b) / (a * b))
                           + y[..., 2:last:2] * (2 - ratio))).sum(axis=-1)
    if last != n:
        p, q = h[-2], h[-1]
        made = made + (2 * q * q + 3 * p * q) / (6 * (p + q)) * y[..., -1] + (q * q + 3 * q * p) / (6 * p) * y[..., -2] \
            - q ** 3 / (6 * p * (p + q)) * y[..., -3]
    return made


# ---- functions -------------------------------------------------------------------------------------------------------

_X21 = (0.995657163025808080735527280689003, 0.973906528517171720077964012084452, 0.930157491355708226001207180059508,
        0.865063366688984510732096688423493, 0.780817726586416897063717578345042, 0.679409568299024406234327365114874,
        0.562757134668604683339000099272694, 0.433395394129247190799265943165784, 0.294392862701460198131126603103866,
        0.14887433898163121088482600112972, 0.0)
_K21 = (0.011694638867371874278064396062192, 0.03255816230796472747881897245938964, 0.05475589657435199603138130024458018,
        0.07503967481091995276704314091619, 0.093125454583697605535065465083366, 0.109387158802297641899210590325805,
        0.123491976262065851077958109585166, 0.134709217311473325928054001771707, 0.142775938577060080797094273138717,
        0.147739104901338491374841515972068, 0.149445554002916905664936468389821)
_G10 = (0.066671344308688137593568809893332, 0.149451349150580593145863397657697, 0.219086362515982043995534934228163,
        0.269266719309996355091226921569469, 0.295524224714752870173815619188769)
_X15 = (0.991455371120812639206854697526329, 0.949107912342758524526189684047851, 0.864864423359769072789712788640926,
        0.741531185599394439863864773280788, 0.58608723546769113029414483825873, 0.405845151377397166906606412076961,
        0.207784955007898467600689403773245, 0.0)
_K15 = (0.022935322010529224963732008058970, 0.063092092629978553290700663189204, 0.104790010322250183839876322541518,
        0.140653259715525918745189590510238, 0.16900472663926790282829543264106, 0.190350578064785409913256402421014,
        0.204432940075298892414161999234649, 0.209482141084727828012999174891714)
_G7 = (0.129484966168869693270611432679082, 0.27970539148927666790146777142378, 0.381830050505118944950369775488975,
       0.417959183673469387755102040816327)


def _rule(values, at, nodes, outer, inner, half):
    """Kronrod's and Gauss's sums, and how far they may be off."""
    center = values(at)
    n = len(nodes) - 1
    pairs = [(values(at - half * x), values(at + half * x)) for x in nodes[:-1]]
    kronrod = outer[-1] * center
    gauss = inner[-1] * center if n % 2 else 0.0
    size = abs(kronrod)
    for i in [*range(1, n, 2), *range(0, n, 2)]:
        low, high = pairs[i]
        kronrod += outer[i] * (low + high)
        size += outer[i] * (abs(low) + abs(high))
        if i % 2:
            gauss += inner[i // 2] * (low + high)
    middle = kronrod * 0.5
    spread = outer[-1] * abs(center - middle) + sum(k * (abs(a - middle) + abs(b - middle)) for k, (a, b) in zip(outer, pairs))
    result, size, spread = kronrod * half, size * abs(half), spread * abs(half)
    error = abs((kronrod - gauss) * half)
    if spread and error:
        error = spread * min(1.0, (200 * error / spread) ** 1.5)
    if size > 2.2250738585072014e-308 / (50 * 2.220446049250313e-16):
        error = max(50 * 2.220446049250313e-16 * size, error)
    return result, error, size, spread


def quad(func, a, b, args=(), full_output=0, epsabs=1.49e-8, epsrel=1.49e-8, limit=50, points=None, weight=None, wvar=None, wopts=None,
         maxp1=50, limlst=50, complex_func=False):
    """The area below a function, and how far it may be off: QUADPACK's rules."""
    if full_output or points is not None or weight is not None or complex_func:
        raise NotImplementedError("scipy.integrate.quad with full_output, points, weight or complex_func")
    args = args if isinstance(args, tuple) else (args,)
    f = lambda x: float(func(x, *args))
    a, b = float(a), float(b)
    if a == b:
        return 0.0, 0.0
    sign = 1
    if b < a:
        a, b, sign = b, a, -1
    if math.isinf(a) or math.isinf(b):
        both = math.isinf(a) and math.isinf(b)
        way, start = (-1, b) if not both and math.isinf(a) else (1, 0.0 if both else a)

        def values(t):
            x = start + way * (1 - t) / t
            made = f(x) + (f(-x) if both else 0)
            return made / t / t

        rule = lambda low, high: _rule(values, 0.5 * (low + high), _X15, _K15, _G7, 0.5 * (high - low))
        low, high = 0.0, 1.0
    else:
        rule = lambda low, high: _rule(f, 0.5 * (low + high), _X21, _K21, _G10, 0.5 * (high - low))
        low, high = a, b
    result, error, trouble = _adaptive(rule, low, high, epsabs, epsrel, limit)
    if trouble:
        warnings.warn(_TROUBLES[trouble].format(limit), IntegrationWarning, stacklevel=2)
    return sign * result, error


_TROUBLES = {
    1: "The maximum number of subdivisions ({}) has been achieved.\n  If increasing the limit yields no improvement it is advised to "
       "analyze \n  the integrand in order to determine the difficulties.  If the position of a \n  local difficulty can be determined "
       "(singularity, discontinuity) one will \n  probably gain from splitting up the interval and calling the integrator \n  on the "
       "subranges.  Perhaps a special-purpose integrator should be used.",
    2: "The occurrence of roundoff error is detected, which prevents \n  the requested tolerance from being achieved.  "
       "The error may be \n  underestimated.",
    3: "Extremely bad integrand behavior occurs at some points of the\n  integration interval.",
    4: "The algorithm does not converge.  Roundoff error is detected\n  in the extrapolation table.  It is assumed that the requested "
       "tolerance\n  cannot be achieved, and that the returned result (if full_output = 1) is \n  the best which can be obtained.",
    5: "The integral is probably divergent, or slowly convergent.",
}
_EPS, _TINY, _HUGE = 2.220446049250313e-16, 2.2250738585072014e-308, 1.7976931348623157e308


class _Epsilon:
    """Wynn's epsilon algorithm: the limit of a sequence from its first terms. Entries count from 1, as in QUADPACK's DQELG."""

    def __init__(self, first):
        self.table, self.count, self.last, self.calls = [0.0] * 60, 2, [0.0] * 3, 0
        self.table[1] = first

    def extended(self, term):
        """The limit and its error, with one more term."""
        self.count += 1
        self.table[self.count] = term
        self.calls += 1
        table, n = self.table, self.count
        error, result = _HUGE, term
        if n < 3:
            return result, max(error, 5 * _EPS * abs(result))
        table[n + 2], table[n] = table[n], _HUGE
        new, number, k = (n - 1) // 2, n, n
        for i in range(1, new + 1):
            res, e0, e1 = table[k + 2], table[k - 2], table[k - 1]
            e2 = res
            delta2, delta3 = e2 - e1, e1 - e0
            near2 = abs(delta2) <= max(abs(e2), abs(e1)) * _EPS
            near3 = abs(delta3) <= max(abs(e1), abs(e0)) * _EPS
            if near2 and near3:
                return res, max(abs(delta2) + abs(delta3), 5 * _EPS * abs(res))
            e3, table[k] = table[k], e1
            delta1 = e1 - e3
            if near2 or near3 or abs(delta1) <= max(abs(e1), abs(e3)) * _EPS:
                n = 2 * i - 1
                break
            slope = 1 / delta1 + 1 / delta2 - 1 / delta3
            if abs(slope * e1) <= 1e-4:
                n = 2 * i - 1
                break
            res = e1 + 1 / slope
            table[k] = res
            k -= 2
            off = abs(delta2) + abs(res - e2) + abs(delta3)
            if off <= error:
                error, result = off, res
        n = 49 if n == 50 else n
        at = 2 if number % 2 == 0 else 1
        for _ in range(new + 1):
            table[at] = table[at + 2]
            at += 2
        if number != n:
            table[1:n + 1] = table[number - n + 1:number + 1]
        self.count = n
        if self.calls < 4:
            self.last[self.calls - 1], error = result, _HUGE
        else:
            error = sum(abs(result - x) for x in self.last)
            self.last = [*self.last[1:], result]
        return result, max(error, 5 * _EPS * abs(result))


def _adaptive(rule, low, high, epsabs, epsrel, limit):
    """The area, its error and what went wrong, in the steps of QUADPACK's DQAGS: it halves the part with the largest error, and
    extrapolates where halving alone takes too long."""
    result, error, size, spread = rule(low, high)
    bound = max(epsabs, epsrel * abs(result))
    trouble = 2 if error <= 100 * _EPS * size and error > bound else 1 if limit == 1 else 0
    if trouble or error <= bound and error != spread or error == 0:
        return result, error, trouble
    positive = abs(result) >= (1 - 50 * _EPS) * size
    parts = [(low, high, result, error)]
    order, worst, rank = [0], 0, 1
    area, off, epsilon, error = result, error, _Epsilon(result), _HUGE
    failed, waiting = 0, 0
    extrapolates = hopeless = False
    round1 = round2 = round3 = 0
    small = larger = test = correction = 0.0
    for last in range(2, limit + 1):
        p, q, old, gone = parts[worst]
        middle = 0.5 * (p + q)
        one, two = rule(p, middle), rule(middle, q)
        both, wrong = one[0] + two[0], one[1] + two[1]
        off += wrong - gone
        area += both - old
        if one[3] != one[1] and two[3] != two[1]:
            if abs(old - both) <= 1e-5 * abs(both) and wrong >= 0.99 * gone:
                round1, round2 = (round1, round2 + 1) if extrapolates else (round1 + 1, round2)
            if last > 10 and wrong > gone:
                round3 += 1
        bound = max(epsabs, epsrel * abs(area))
        if round1 + round2 >= 10 or round3 >= 20:
            trouble = 2
        if round2 >= 5:
            failed = 3
        if last == limit:
            trouble = 1
        if max(abs(p), abs(q)) <= (1 + 100 * _EPS) * (abs(middle) + 1000 * _TINY):
            trouble = 4
        halves = [(p, middle, *one[:2]), (middle, q, *two[:2])]
        if two[1] > one[1]:
            halves.reverse()
        parts[worst] = halves[0]
        parts.append(halves[1])
        # The part with the largest error of those that are still to be halved.
        while rank > 1 and parts[worst][3] > parts[order[rank - 2]][3]:
            rank -= 1
        order = sorted(range(len(parts)), key=lambda i: -parts[i][3])
        worst = order[rank - 1]
        if off <= bound:
            return sum(x[2] for x in parts), off, trouble - (trouble > 2)
        if trouble:
            break
        if last == 2:
            small, larger, test = 0.375 * abs(high - low), off, bound
            epsilon.table[2] = area
            continue
        if hopeless:
            continue
        larger -= gone
        if abs(middle - p) > small:
            larger += wrong
        if not extrapolates:
            if abs(parts[worst][1] - parts[worst][0]) > small:
                continue
            extrapolates, rank = True, 2
        if failed != 3 and larger > test:
            end = limit + 3 - last if last > 2 + limit // 2 else last
            wide = False
            for _ in range(rank, end + 1):
                worst = order[rank - 1]
                if abs(parts[worst][1] - parts[worst][0]) > small:
                    wide = True
                    break
                rank += 1
            if wide:
                continue
        limit_of, away = epsilon.extended(area)
        waiting += 1
        if waiting > 5 and error < 1e-3 * off:
            trouble = 5
        if away < error:
            waiting, error, result, correction = 0, away, limit_of, larger
            test = max(epsabs, epsrel * abs(limit_of))
            if error <= test:
                break
        if epsilon.count == 1:
            hopeless = True
        if trouble == 5:
            break
        worst, rank, extrapolates = order[0], 1, False
        small *= 0.5
        larger = off
    summed = error == _HUGE
    if not summed:
        done = False
        if trouble + failed:
            error += correction if failed == 3 else 0
            trouble = trouble or 3
            if result != 0 and area != 0:
                summed = error / abs(result) > off / abs(area)
            else:
                summed, done = error > off, area == 0
        if not summed and not done and (positive or max(abs(result), abs(area)) > 0.01 * size):
            if area == 0 or not 0.01 <= result / area <= 100 or off > abs(area):
                trouble = 6
    if summed:
        result, error = sum(x[2] for x in parts), off
    return result, error, trouble - (trouble > 2)


def dblquad(func, a, b, gfun, hfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    low, high = (g if callable(g) else (lambda x, v=g: v) for g in (gfun, hfun))
    inner = lambda x: quad(lambda y: func(y, x, *args), low(x), high(x), epsabs=epsabs, epsrel=epsrel)[0]
    return quad(inner, a, b, epsabs=epsabs, epsrel=epsrel)


def odeint(func, y0, t, args=(), Dfun=None, col_deriv=0, full_output=0, ml=None, mu=None, rtol=None, atol=None, tcrit=None, h0=0.0,
           hmax=0.0, hmin=0.0, ixpr=0, mxstep=0, mxhnil=0, mxordn=12, mxords=5, printmessg=0, tfirst=False):
    """How a system develops. SciPy's LSODA isn't here: Runge and Kutta's rule of order 5 is, ten times as exact as LSODA is asked to
    be, so the last digits differ. `Dfun` isn't needed."""
    if full_output or tcrit is not None or ixpr or printmessg:
        raise NotImplementedError("scipy.integrate.odeint(full_output=, tcrit=, ixpr=, printmessg=)")
    args = args if isinstance(args, tuple) else (args,)
    slope = (lambda at, y: func(at, y, *args)) if tfirst else (lambda at, y: func(y, at, *args))
    t, y = np.asarray(t, dtype=float), np.atleast_1d(np.asarray(y0, dtype=float))
    if y.ndim > 1:
        raise ValueError("Initial condition y0 must be one-dimensional.")
    shape = np.shape(np.atleast_1d(slope(float(t[0]), y.copy())))
    if shape != y.shape:
        raise RuntimeError(f"The size of the array returned by func ({shape[0]}) does not match the size of y0 ({len(y)}).")
    rtol, atol = (0.1 * (1.49012e-8 if value is None else value) for value in (rtol, atol))
    rows = [y]
    for start, end in zip(t[:-1].tolist(), t[1:].tolist()):
        found = solve_ivp(slope, (start, end), y, rtol=rtol, atol=atol, max_step=hmax or math.inf, **({"first_step": h0} if h0 else {}))
        if not found.success:
            raise RuntimeError(f"scipy.integrate.odeint: {found.message} Stiff systems need LSODA, which isn't part of this scipy")
        y = found.y[:, -1]
        rows.append(y)
    return np.stack(rows)


# ---- differential equations ------------------------------------------------------------------------------------------

_RK45 = dict(order=4, C=(0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1),
             A=((), (1 / 5,), (3 / 40, 9 / 40), (44 / 45, -56 / 15, 32 / 9), (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
                (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656)),
             B=(35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
             E=(-71 / 57600, 0, 71 / 16695, -71 / 1920, 17253 / 339200, -22 / 525, 1 / 40),
             P=((1, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432), (0, 0, 0, 0),
                (0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799),
                (0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072),
                (0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632),
                (0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844),
                (0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423)))
_RK23 = dict(order=2, C=(0, 1 / 2, 3 / 4), A=((), (1 / 2,), (0, 3 / 4)), B=(2 / 9, 1 / 3, 4 / 9), E=(5 / 72, -1 / 12, -1 / 9, 1 / 8),
             P=((1, -4 / 3, 5 / 9), (0, 1, -2 / 3), (0, 4 / 3, -8 / 9), (0, -1, 1)))


class OdeResult(OptimizeResult):
    pass


def _size(x):
    return float(np.linalg.norm(x)) / len(x) ** 0.5


def solve_ivp(fun, t_span, y0, method="RK45", t_eval=None, dense_output=False, events=None, vectorized=False, args=None, **options):
    """How a system develops, by Runge and Kutta's rules of order 5 or 3."""
    if method not in ("RK45", "RK23"):
        raise NotImplementedError(f"scipy.integrate.solve_ivp(method={method!r}): RK45 and RK23 are here")
    if vectorized:
        raise NotImplementedError("scipy.integrate.solve_ivp(vectorized=True)")
    if unknown := [n for n in options if n not in ("rtol", "atol", "max_step", "first_step")]:
        raise NotImplementedError(f"scipy.integrate.solve_ivp({unknown[0]}=)")
    if args is not None:
        given, fun = fun, lambda t, y: given(t, y, *args)
    events = [] if events is None else [events] if callable(events) else list(events)
    watch = [(lambda t, y, event=event: float(np.reshape(event(t, y, *(args or ())), ()))) for event in events]
    rule = _RK45 if method == "RK45" else _RK23
    rtol, atol, most = max(options.get("rtol", 1e-3), 100 * np.finfo(float).eps), options.get("atol", 1e-6), options.get("max_step", math.inf)
    t, end = map(float, t_span)
    y = np.asarray(y0, dtype=float)
    if y.ndim != 1:
        raise ValueError("`y0` must be 1-dimensional.")
    way = np.sign(end - t) if end != t else 1
    calls = 0

    def slope(t, y):
        nonlocal calls
        calls += 1
        return np.asarray(fun(t, y), dtype=float)

    if t_eval is not None:
        t_eval = np.asarray(t_eval)
        if (t_eval < min(t, end)).any() or (t_eval > max(t, end)).any():
            raise ValueError("Values in `t_eval` are not within `t_span`.")
        d = np.diff(t_eval)
        if (d <= 0).any() if end > t else (d >= 0).any():
            raise ValueError("Values in `t_eval` are not properly sorted.")
    f = slope(t, y)
    power = -1 / (rule["order"] + 1)
    h = options.get("first_step")
    if h is None:
        # A first step for which a rule of order one would be right.
        scale = atol + np.abs(y) * rtol
        d0, d1 = _size(y / scale), _size(f / scale)
        first = min(1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1, abs(end - t))
        d2 = _size((slope(t + first * way, y + first * way * f) - f) / scale) / first if first else 0.0
        second = max(1e-6, first * 1e-3) if d1 <= 1e-15 and d2 <= 1e-15 else (0.01 / max(d1, d2)) ** -power
        h = min(100 * first, second, abs(end - t), most)
    times, places, done = ([t], [y], 0) if t_eval is None else ([], [], 0)
    message, status = "The solver successfully reached the end of the integration interval.", 0
    pieces, met, before, known = [], [[] for _ in events], [g(t, y) for g in watch], {}
    C, A, B, E, P = (rule[k] for k in "CABEP")
    B, E, P = np.array(B), np.array(E), np.array(P)
    while way * (t - end) < 0:
        least = 10 * abs(np.nextafter(t, way * math.inf) - t)
        h = min(max(h, least), most)
        refused = False
        while True:
            if h < least:
                message, status = "Required step size is less than spacing between numbers.", -1
                break
            new = t + h * way
            if way * (new - end) > 0:
                new = end
            step = new - t
            h = abs(step)
            K = [f]
            for c, row in zip(C[1:], A[1:]):
                K.append(slope(t + c * step, y + np.dot(np.stack(K).T, np.array(row)) * step))
            there = y + step * np.dot(np.stack(K).T, B)
            K.append(slope(t + step, there))
            K = np.stack(K)
            scale = atol + np.maximum(np.abs(y), np.abs(there)) * rtol
            off = _size(np.dot(K.T, E) * step / scale)
            if off < 1:
                by = 10 if off == 0 else min(10, 0.9 * off ** power)
                h *= min(1, by) if refused else by
                break
            h *= max(0.2, 0.9 * off ** power)
            refused = True
        if status:
            break
        piece = _Piece(t, y, step, np.dot(K.T, P))
        if dense_output:
            pieces.append((new, piece))
        if events:
            after = [g(new, there) for g in watch]
            found = _crossed(events, watch, piece, t, new, before, after, [len(m) for m in met])
            before = after
            for k, at in found:
                met[k].append(at)
            if found and _ends(events[(last := found[-1])[0]], len(met[last[0]])):
                new, status, message = last[1], 1, "A termination event occurred."
                there = piece(new)
        if t_eval is None:
            times.append(new)
            places.append(there)
        else:
            while done < len(t_eval) and way * (float(t_eval[done]) - new) <= 0:
                places.append(piece(float(t_eval[done])))
                times.append(t_eval[done])
                done += 1
        t, y, f = new, there, K[-1]
        if events:
            known.update({at: piece(at) for _, at in found})
        if status:
            break
    return OdeResult(t=np.array(times) if t_eval is None else t_eval[:done], y=np.stack(places).T if places else np.array([]),
                     sol=OdeSolution(pieces, float(t_span[0]), way) if dense_output else None,
                     t_events=[np.array(m) for m in met] if events else None,
                     y_events=[np.array([known[at] for at in m]) for m in met] if events else None,
                     nfev=calls, njev=0, nlu=0, status=status, message=message, success=status >= 0)


class _Piece:
    """The solution within one step."""

    def __init__(self, t, y, step, Q):
        self.t, self.y, self.step, self.Q = t, y, step, Q

    def __call__(self, t):
        x = (t - self.t) / self.step
        return self.y + self.step * np.dot(self.Q, np.cumprod(np.full(self.Q.shape[1], x)))


class OdeSolution:
    """The solution at any time between the first and the last."""

    def __init__(self, pieces, start, way):
        self._pieces, self._way = pieces, way
        self.ts = np.array([start] + [end for end, _ in pieces])
        self.t_min, self.t_max = (start, self.ts[-1]) if way > 0 else (self.ts[-1], start)

    def _one(self, t):
        k = int(np.searchsorted(self._way * self.ts, self._way * t, side="left")) - 1
        return self._pieces[min(max(k, 0), len(self._pieces) - 1)][1](float(t))

    def __call__(self, t):
        return self._one(t) if np.ndim(t) == 0 else np.stack([self._one(at) for at in np.asarray(t).tolist()], 1)


def _ends(event, times):
    """Whether an event ends the solution when it happens for this time."""
    terminal = getattr(event, "terminal", False)
    return bool(terminal) and (terminal is True or times >= terminal)


def _crossed(events, watch, piece, t, new, before, after, counts):
    """The events between two steps, in order of time, up to the first one that ends the solution."""
    from scipy.optimize import brentq

    found = []
    for k, event in enumerate(events):
        direction = getattr(event, "direction", 0)
        up, down = before[k] <= 0 <= after[k], before[k] >= 0 >= after[k]
        if (up and direction >= 0) or (down and direction <= 0):
            if before[k] == after[k] == 0:
                continue
            at = brentq(lambda s: watch[k](s, piece(s)), t, new, xtol=4 * np.finfo(float).eps, rtol=4 * np.finfo(float).eps)
            found.append((k, at))
    found.sort(key=lambda one: one[1], reverse=bool(new < t))
    for i, (k, _) in enumerate(found):
        if _ends(events[k], counts[k] + 1):
            return found[:i + 1]
    return found


__getattr__ = lacking("scipy.integrate")

"""Zeros of systems of equations, in the steps of MINPACK's hybrid method, and nonlinear least squares by trust regions."""

import math
import warnings

import numpy as np

from scipy._search import OptimizeResult, _levenberg

NAMES = ("fsolve", "root", "leastsq", "least_squares")
_EPS = float(np.finfo(float).eps)


def _norm(v):
    return float(np.sqrt((v * v).sum()))


def _rotation(small, large):
    """The cosine and sine of a rotation that turns (large, small) onto the axis of `large`."""
    if abs(large) < abs(small):
        cotangent = large / small
        sine = 0.5 / math.sqrt(0.25 + 0.25 * cotangent * cotangent)
        return sine * cotangent, sine
    tangent = small / large
    cosine = 0.5 / math.sqrt(0.25 + 0.25 * tangent * tangent)
    return cosine, cosine * tangent


def _reflected(J):
    """A QR decomposition by Householder's reflections, as MINPACK signs it."""
    n = len(J)
    Q, R = np.eye(n), J.copy()
    for j in range(n):
        size = _norm(R[j:, j])
        if not size:
            continue
        size = -size if R[j, j] < 0 else size
        v = R[j:, j] / size
        v[0] += 1.0
        R[j:] = R[j:] - np.outer(v, v @ R[j:]) / v[0]
        Q[:, j:] = Q[:, j:] - np.outer(Q[:, j:] @ v, v) / v[0]
    return Q, np.triu(R)


def _dogleg(R, scale, qtf, reach):
    """The step between the gradient's and Newton's that is as long as it may be."""
    n = len(R)
    step = np.zeros(n)
    for j in range(n - 1, -1, -1):
        pivot = float(R[j, j])
        if pivot == 0:
            pivot = _EPS * (float(abs(R[:j + 1, j]).max()) or 1.0)
        step[j] = (qtf[j] - (R[j, j + 1:] @ step[j + 1:] if j + 1 < n else 0.0)) / pivot
    far = _norm(scale * step)
    if far <= reach:
        return step
    down = R.T @ qtf / scale
    steep, cauchy, share = _norm(down), 0.0, reach / far
    if steep:
        down = down / steep / scale
        bent = _norm(R @ down)
        cauchy, share = steep / bent / bent, 0.0
        if cauchy < reach:
            whole, part, near = _norm(qtf), cauchy / reach, reach / far
            t = whole / steep * (whole / far) * part
            t = t - near * part**2 + math.sqrt((t - near) ** 2 + (1 - near**2) * (1 - part**2))
            share = near * (1 - part**2) / t
    return (1 - share) * min(cauchy, reach) * down + share * step


def _updated(Q, R, qtf, u, v):
    """Q, R and Q'f after the outer product of v and u was added to R: rotations take the new entries out again."""
    n = len(R)
    S, v, last = R.T.copy(), v.tolist(), n - 1
    w = np.zeros(n)
    w[last] = S[last, last]

    def turn(j, cosine, sine):
        Q[:, j], Q[:, last] = cosine * Q[:, j] + sine * Q[:, last], cosine * Q[:, last] - sine * Q[:, j]
        qtf[j], qtf[last] = cosine * qtf[j] + sine * qtf[last], cosine * qtf[last] - sine * qtf[j]

    for j in range(n - 2, -1, -1):
        if v[j] == 0:
            continue
        cosine, sine = _rotation(v[j], v[last])
        v[last] = sine * v[j] + cosine * v[last]
        S[j:, j], w[j:] = cosine * S[j:, j] - sine * w[j:], sine * S[j:, j] + cosine * w[j:]
        turn(j, cosine, -sine)
    w = w + v[last] * u
    for j in range(n - 1):
        if w[j] != 0:
            cosine, sine = _rotation(float(w[j]), float(S[j, j]))
            S[j:, j], w[j:] = cosine * S[j:, j] + sine * w[j:], cosine * w[j:] - sine * S[j:, j]
            turn(j, cosine, sine)
    S[last:, last] = w[last:]
    return Q, np.tril(S).T, qtf


def _hybrid(function, x, jac, xtol, limit, factor, step_size, diag):
    """Powell's hybrid method. Returns the place, a status from 1 to 5, and what MINPACK says of it."""
    n = len(x)
    # SciPy calls it twice more than MINPACK, and counts these calls: for the shape of its answer, and before the first step.
    function(x)
    f = function(x)
    size, calls, slopes, first = _norm(f), 3, 0, True
    won = lost = slow = slow_slopes = 0
    scale = None if diag is None else np.asarray(diag, dtype=float)
    while True:
        fresh = True
        if jac is None:
            J = np.empty((n, n))
            for j in range(n):
                h = step_size * abs(float(x[j])) or step_size
                moved = x.copy()
                moved[j] += h
                J[:, j] = (function(moved) - f) / h
            calls += n
        else:
            J = np.array(jac(x), dtype=float)
            slopes += 1
        sizes = np.sqrt((J * J).sum(axis=0))
        if first:
            scale = np.where(sizes == 0, 1.0, sizes) if scale is None else scale
            whole = _norm(scale * x)
            reach = factor * whole or factor
        Q, R = _reflected(J)
        qtf = Q.T @ f
        scale = np.maximum(scale, sizes) if diag is None else scale
        while True:
            step = -_dogleg(R, scale, qtf, reach)
            new, far = x + step, _norm(scale * step)
            reach = min(reach, far) if first else reach
            left = function(new)
            calls += 1
            lower = _norm(left)
            gained = 1 - (lower / size) ** 2 if lower < size else -1.0
            ahead = R @ step + qtf
            hoped = _norm(ahead)
            hoped = 1 - (hoped / size) ** 2 if hoped < size else 0.0
            ratio = gained / hoped if hoped > 0 else 0.0
            if ratio < 0.1:
                won, lost, reach = 0, lost + 1, 0.5 * reach
            else:
                lost, won = 0, won + 1
                if ratio >= 0.5 or won > 1:
                    reach = max(reach, far / 0.5)
                if abs(ratio - 1) <= 0.1:
                    reach = far / 0.5
            if ratio >= 1e-4:
                x, f, size, first = new, left, lower, False
                whole = _norm(scale * x)
            slow = 0 if gained >= 0.001 else slow + 1
            slow_slopes += fresh
            slow_slopes = 0 if gained >= 0.1 else slow_slopes
            status = 1 if reach <= xtol * whole or size == 0 else 2 if calls - 2 >= limit else \
                3 if 0.1 * max(0.1 * reach, far) <= _EPS * whole else 4 if slow_slopes == 5 else 5 if slow == 10 else 0
            if status:
                packed = np.concatenate([R[i, i:] for i in range(n)])
                return x, status, {"nfev": calls, **({"njev": slopes} if jac is not None else {}), "fjac": Q.T.copy(), "r": packed,
                                   "qtf": qtf, "fvec": f}
            if lost == 2:
                break
            turned = Q.T @ left
            v, u = (turned - ahead) / far, scale * (scale * step / far)
            qtf = turned if ratio >= 1e-4 else qtf
            Q, R, qtf = _updated(Q, R, qtf, u, v)
            fresh = False


def _zero(name, func, x0, args, fprime, xtol, maxfev, epsfcn, factor, diag, col_deriv=False):
    x = np.atleast_1d(np.asarray(x0)).astype(float).ravel()
    args = args if isinstance(args, tuple) else (args,)
    shape = np.shape(np.atleast_1d(func(x.copy(), *args)))
    if shape != (len(x),):
        called = getattr(func, "__name__", "<unknown>")
        raise TypeError(f"{name}: there is a mismatch between the input and output shape of the 'func' argument '{called}'."
                        f"Shape should be ({len(x)},) but it is {shape}.")
    function = lambda at: np.atleast_1d(np.asarray(func(at.copy(), *args), dtype=float))
    jac = None if fprime is None else lambda at: np.transpose(fprime(at.copy(), *args)) if col_deriv else fprime(at.copy(), *args)
    limit = maxfev or (100 if fprime is not None else 200) * (len(x) + 1)
    x, status, found = _hybrid(function, x, jac, xtol, limit, factor, math.sqrt(max(epsfcn or 0.0, _EPS)), diag)
    poor = "The iteration is not making good progress, as measured by the \n improvement from the last "
    return x, status, found, {1: "The solution converged.", 2: f"The number of calls to function has reached maxfev = {limit}.",
                              3: f"xtol={xtol:f} is too small, no further improvement in the approximate\n solution is possible.",
                              4: poor + "five Jacobian evaluations.", 5: poor + "ten iterations."}[status]


def fsolve(func, x0, args=(), fprime=None, full_output=0, col_deriv=0, xtol=1.49012e-08, maxfev=0, band=None, epsfcn=None, factor=100,
           diag=None):
    if band is not None:
        raise NotImplementedError("scipy.optimize.fsolve(band=)")
    x, status, found, text = _zero("fsolve", func, x0, args, fprime, xtol, maxfev, epsfcn, factor, diag, col_deriv)
    if full_output:
        return x, found, status, text
    if status != 1:
        warnings.warn(text, RuntimeWarning, stacklevel=2)
    return x


def root(fun, x0, args=(), method="hybr", jac=None, tol=None, callback=None, options=None):
    options = dict(options or {})
    if callable(jac) or jac is None or jac is False:
        jac = jac or None
    else:
        raise NotImplementedError("scipy.optimize.root(jac=True)")
    if method == "lm":
        found = leastsq(fun, x0, args, jac, True, xtol=tol or options.get("xtol", 1.49012e-08), ftol=tol or options.get("ftol", 1.49012e-08))
        x, _, info, text, status = found
        return OptimizeResult(message=text, success=status in (1, 2, 3, 4), status=status, fun=info["fvec"], x=x, method="lm",
                              nfev=info["nfev"])
    if method != "hybr":
        raise NotImplementedError(f"scipy.optimize.root(method={method!r}); 'hybr' and 'lm' are here")
    x, status, found, text = _zero("root", fun, x0, args, jac, tol or options.get("xtol", 1.49012e-08), options.get("maxfev", 0),
                                   options.get("eps"), options.get("factor", 100), options.get("diag"))
    f = found.pop("fvec")
    return OptimizeResult(message=text, success=status == 1, status=status, fun=f, x=x, method="hybr", **found)


def leastsq(func, x0, args=(), Dfun=None, full_output=False, col_deriv=False, ftol=1.49012e-8, xtol=1.49012e-8, gtol=0.0, maxfev=0,
            epsfcn=None, factor=100, diag=None):
    if (ftol, xtol, gtol, epsfcn, factor, diag) != (1.49012e-8, 1.49012e-8, 0.0, None, 100, None) or col_deriv:
        raise NotImplementedError("scipy.optimize.leastsq with tolerances or scales of your own")
    x = np.atleast_1d(np.asarray(x0)).astype(float).ravel()
    args = args if isinstance(args, tuple) else (args,)
    calls = [0]

    def away(at):
        calls[0] += 1
        return np.atleast_1d(np.asarray(func(at.copy(), *args), dtype=float))

    m, n = len(away(x)), len(x)
    if n > m:
        raise TypeError(f"Improper input: func input vector length N={n} must not exceed func output vector length M={m}")
    calls[0] = 0

    def slopes(at, r):
        if Dfun is not None:
            return np.asarray(Dfun(at.copy(), *args), dtype=float)
        made = np.empty((m, n))
        for j in range(n):
            h = 1.4901161193847656e-08 * abs(float(at[j])) or 1.4901161193847656e-08
            moved = at.copy()
            moved[j] += h
            made[:, j] = (away(moved) - r) / h
        return made

    x, r, J = _levenberg(away, slopes, x, 0 if Dfun is not None else n, maxfev or (100 if Dfun is not None else 200) * (n + 1))
    if not full_output:
        return x, 1
    try:
        cov = np.linalg.inv(J.T @ J)
    except np.linalg.LinAlgError:
        cov = None
    return x, cov, {"fvec": r, "nfev": calls[0]}, "Both actual and predicted relative reductions in the sum of squares\n  are at most 0.000000", 1


# ---- least squares ---------------------------------------------------------------------------------------------------


def _soft(z):
    t = 1 + z
    return np.stack([2 * (t**0.5 - 1), t**-0.5, -0.5 * t**-1.5])


def _huber(z):
    near = z <= 1
    far = np.where(near, 1.0, z)
    return np.stack([np.where(near, z, 2 * far**0.5 - 1), np.where(near, 1.0, far**-0.5), np.where(near, 0.0, -0.5 * far**-1.5)])


def _cauchy(z):
    t = 1 + z
    return np.stack([np.log1p(z), 1 / t, -1 / t**2])


def _arctan(z):
    t = 1 + z**2
    return np.stack([np.arctan(z), 1 / t, -2 * z / t**2])


_LOSSES = {"linear": None, "soft_l1": _soft, "huber": _huber, "cauchy": _cauchy, "arctan": _arctan}
_ENDS = {-1: "Improper input parameters status returned from `leastsq`",
         0: "The maximum number of function evaluations is exceeded.", 1: "`gtol` termination condition is satisfied.",
         2: "`ftol` termination condition is satisfied.", 3: "`xtol` termination condition is satisfied.",
         4: "Both `ftol` and `xtol` termination conditions are satisfied."}


def _longest(x, s, low, high):
    """How far a step can go before it meets a bound, and which bounds it meets."""
    away = s != 0
    steps = np.full(len(x), np.inf)
    with np.errstate(over="ignore", invalid="ignore"):
        steps[away] = np.maximum((low - x)[away] / s[away], (high - x)[away] / s[away])
    least = float(steps.min())
    return least, (steps == least) * np.sign(s).astype(int)


def _inside(x, low, high, share):
    """A place strictly between the bounds."""
    x = x.copy()
    at_low, at_high = x <= low, x >= high
    if share == 0:
        x[at_low] = np.nextafter(low[at_low], high[at_low])
        x[at_high] = np.nextafter(high[at_high], low[at_high])
    else:
        at_low, at_high = _near(x, low, high, share)
        x[at_low] = low[at_low] + share * np.maximum(1, abs(low[at_low]))
        x[at_high] = high[at_high] - share * np.maximum(1, abs(high[at_high]))
    tight = (x < low) | (x > high)
    x[tight] = 0.5 * (low[tight] + high[tight])
    return x


def _near(x, low, high, share):
    """Which bounds a place touches, or nearly."""
    from_low, from_high = x - low, high - x
    at_low = np.isfinite(low) & (from_low <= np.minimum(from_high, share * np.maximum(1, abs(low))))
    at_high = np.isfinite(high) & (from_high <= np.minimum(from_low, share * np.maximum(1, abs(high))))
    return at_low, at_high


def _weights(x, g, low, high):
    """Coleman and Li's scaling: how far each number is from the bound that the gradient pulls it to."""
    v, slope = np.ones(len(x)), np.zeros(len(x))
    up, down = (g < 0) & np.isfinite(high), (g > 0) & np.isfinite(low)
    v[up], slope[up] = high[up] - x[up], -1
    v[down], slope[down] = x[down] - low[down], 1
    return v, slope


def _damped(n, m, uf, s, V, reach, weight):
    """The least squares step within the trust region."""
    suf = s * uf
    full = m >= n and float(s[-1]) > _EPS * m * float(s[0])
    if full:
        step = -(V @ (uf / s))
        if _norm(step) <= reach:
            return step, 0.0

    def excess(weight):
        bottom = s**2 + weight
        far = _norm(suf / bottom)
        return far - reach, -float((suf**2 / bottom**3).sum()) / far

    high = _norm(suf) / reach
    low = 0.0
    if full:
        phi, slope = excess(0.0)
        low = -phi / slope
    if weight is None or not full and weight == 0:
        weight = max(0.001 * high, (low * high) ** 0.5)
    for _ in range(10):
        if weight < low or weight > high:
            weight = max(0.001 * high, (low * high) ** 0.5)
        phi, slope = excess(weight)
        high = weight if phi < 0 else high
        ratio = phi / slope
        low = max(low, weight - ratio)
        weight -= (phi + reach) * ratio / reach
        if abs(phi) < 0.01 * reach:
            break
    step = -(V @ (suf / (s**2 + weight)))
    return step * (reach / _norm(step)), weight


def _bend(J, g, s, diag, s0=None):
    """A quadratic along a line: its coefficients from the place s0."""
    v = J @ s
    a = 0.5 * (float(v @ v) + float((s * diag) @ s))
    b = float(g @ s)
    if s0 is None:
        return a, b, 0.0
    u = J @ s0
    return a, b + float(u @ v) + float((s0 * diag) @ s), 0.5 * float(u @ u) + float(g @ s0) + 0.5 * float((s0 * diag) @ s0)


def _lowest(a, b, low, high, c=0.0):
    places = [low, high]
    if a != 0 and low < -0.5 * b / a < high:
        places.append(-0.5 * b / a)
    values = [t * (a * t + b) + c for t in places]
    best = int(np.argmin(values))
    return places[best], values[best]


def _chosen(x, J, diag, g, step, step_h, scale, reach, low, high, share):
    """The best of three steps inside the bounds: the trust region's, the same reflected from a bound, and along the gradient."""
    value = lambda s: 0.5 * (_norm(J @ s) ** 2 + float((s * diag) @ s)) + float(g @ s)
    if np.all((x + step >= low) & (x + step <= high)):
        return step, step_h, -value(step_h)
    length, hits = _longest(x, step, low, high)
    back_h = step_h.copy()
    back_h[hits.astype(bool)] *= -1
    back = scale * back_h
    step, step_h, left_over = step * length, step_h * length, length
    border = x + step
    a, b, c = float(back_h @ back_h), float(step_h @ back_h), float(step_h @ step_h) - reach**2
    root_of = math.sqrt(max(b * b - a * c, 0.0))
    q = -(b + math.copysign(root_of, b))
    to_edge = max(q / a, c / q if q else 0.0)
    to_bound, _ = _longest(border, back, low, high)
    length = min(to_bound, to_edge)
    if length > 0:
        first, last = (1 - share) * left_over / length, share * to_bound if length == to_bound else to_edge
    else:
        first, last = 0, -1
    back_value = np.inf
    if first <= last:
        a, b, c = _bend(J, g, back_h, diag, step_h)
        at, back_value = _lowest(a, b, first, last, c)
        back_h = step_h + back_h * at
        back = back_h * scale
    step, step_h = step * share, step_h * share
    step_value = value(step_h)
    down_h = -g
    down = scale * down_h
    edge = reach / _norm(down_h)
    bound, _ = _longest(x, down, low, high)
    most = share * bound if bound < edge else edge
    a, b, _c = _bend(J, g, down_h, diag)
    at, down_value = _lowest(a, b, 0, most)
    if step_value < back_value and step_value < down_value:
        return step, step_h, -step_value
    if back_value < step_value and back_value < down_value:
        return back, back_h, -back_value
    return down * at, down_h * at, -down_value


def least_squares(fun, x0, jac="2-point", bounds=(-np.inf, np.inf), method="trf", ftol=1e-8, xtol=1e-8, gtol=1e-8, x_scale=None,
                  loss="linear", f_scale=1.0, diff_step=None, tr_solver=None, tr_options=None, jac_sparsity=None, max_nfev=None,
                  verbose=0, args=(), kwargs=None, callback=None, workers=None):
    kwargs = kwargs or {}
    if method not in ("trf", "dogbox", "lm"):
        raise ValueError("`method` must be 'trf', 'dogbox' or 'lm'.")
    given = [name for name, value in (("diff_step", diff_step), ("tr_solver", tr_solver), ("jac_sparsity", jac_sparsity),
                                      ("verbose", verbose), ("callback", callback), ("workers", workers)) if value]
    if given or method == "dogbox" or isinstance(x_scale, str) or jac in ("3-point", "cs") or not isinstance(loss, str):
        raise NotImplementedError(f"scipy.optimize.least_squares({given[0] if given else 'method, x_scale, jac or loss'}=) of this kind")
    if loss not in _LOSSES:
        raise ValueError(f"`loss` must be one of {_LOSSES.keys()} or a callable.")
    x = np.atleast_1d(np.asarray(x0)).astype(float)
    if x.ndim > 1:
        raise ValueError("`x0` must have at most 1 dimension.")
    n = len(x)
    low, high = (np.broadcast_to(np.asarray(b, dtype=float), (n,)).copy() for b in (bounds.lb, bounds.ub)) if hasattr(bounds, "lb") else \
        (np.broadcast_to(np.asarray(b, dtype=float), (n,)).copy() for b in bounds)
    free = np.isneginf(low).all() and np.isposinf(high).all()
    if np.any(low >= high):
        raise ValueError("Each lower bound must be strictly less than each upper bound.")
    if np.any(x < low) or np.any(x > high):
        raise ValueError("`x0` is infeasible.")
    function = lambda at: np.atleast_1d(np.asarray(fun(at.copy(), *args, **kwargs), dtype=float))
    if method == "lm":
        if not free:
            raise ValueError("Method 'lm' doesn't support bounds.")
        if loss != "linear":
            raise ValueError("method='lm' supports only 'linear' loss function.")
        if len(function(x)) < n:
            raise ValueError("Method 'lm' doesn't work when the number of residuals is less than the number of variables.")
        raise NotImplementedError("scipy.optimize.least_squares(method='lm'); 'trf' is here, and leastsq takes MINPACK's steps")
    f = function(x)
    if f.ndim > 1:
        raise ValueError("`fun` must return at most 1-d array_like. f0.shape: " + str(f.shape))
    if not np.all(np.isfinite(f)):
        raise ValueError("Residuals are not finite in the initial point.")
    if not free:
        x = _inside(x, low, high, 1e-10)

    def slopes(at, f):
        if callable(jac):
            return np.atleast_2d(np.asarray(jac(at.copy(), *args, **kwargs), dtype=float))
        h = _EPS**0.5 * np.where(at >= 0, 1.0, -1.0) * np.maximum(1.0, abs(at))
        if not free:
            moved = at + h
            crossed = (moved < low) | (moved > high)
            fits = abs(h) <= np.maximum(at - low, high - at)
            h = np.where(crossed & fits, -h, h)
            room = ~fits & crossed
            h = np.where(room, np.where(high - at >= at - low, high - at, -(at - low)), h)
        J = np.empty((len(f), n))
        for j in range(n):
            moved = at.copy()
            moved[j] += h[j]
            J[:, j] = (function(moved) - f) / (moved[j] - at[j])
        return J

    bent = _LOSSES[loss]

    def lossy(f):
        z = (f / f_scale) ** 2
        rho = bent(z)
        rho[0] *= f_scale**2
        rho[2] /= f_scale**2
        return rho

    def robust(J, f, rho):
        weight = rho[1] + 2 * rho[2] * f**2
        weight = np.where(weight < _EPS, _EPS, weight) ** 0.5
        return J * weight[:, None], f * rho[1] / weight

    J, true_f = slopes(x, f), f
    m = len(f)
    if bent is None:
        cost = 0.5 * float(f @ f)
    else:
        rho = lossy(f)
        cost = 0.5 * float(rho[0].sum())
        J, f = robust(J, f, rho)
    g = J.T @ f
    scale_x = np.broadcast_to(np.asarray(1.0 if x_scale is None else x_scale, dtype=float), (n,))
    v, dv = _weights(x, g, low, high) if not free else (np.ones(n), np.zeros(n))
    v = np.where(dv != 0, v / scale_x, v)
    reach = _norm(x / scale_x / v**0.5) or 1.0
    limit, calls, slope_calls, weight, status = max_nfev or 100 * n, 1, 1, 0.0, None
    while True:
        v, dv = _weights(x, g, low, high) if not free else (np.ones(n), np.zeros(n))
        steep = float(abs(g * v).max())
        if steep < gtol:
            status = 1
        if status is not None or calls == limit:
            break
        v = np.where(dv != 0, v / scale_x, v)
        scale = v**0.5 * scale_x
        diag_h = g * dv * scale_x
        g_h, J_h = scale * g, J * scale
        if free:
            wide, right = J_h, f
        else:
            wide, right = np.concatenate([J_h, np.diag(diag_h**0.5)]), np.concatenate([f, np.zeros(n)])
        U, s, V = np.linalg.svd(wide, full_matrices=False)
        uf, V = U.T @ right, V.T
        share, gained = max(0.995, 1 - steep), -1.0
        while gained <= 0 and calls < limit:
            step_h, weight = _damped(n, m, uf, s, V, reach, weight)
            if free:
                step = scale * step_h
                hoped = -(0.5 * _norm(J_h @ step_h) ** 2 + float(g_h @ step_h))
                new = x + step
            else:
                step, step_h, hoped = _chosen(x, J_h, diag_h, g_h, scale * step_h, step_h, scale, reach, low, high, share)
                new = _inside(x + step, low, high, 0)
            left = function(new)
            calls += 1
            far = _norm(step_h)
            if not np.all(np.isfinite(left)):
                reach = 0.25 * far
                continue
            if bent is None:
                new_cost = 0.5 * float(left @ left)
            else:
                new_rho = lossy(left)
                new_cost = 0.5 * float(new_rho[0].sum())
            gained = cost - new_cost
            within = gained - (0.0 if free else 0.5 * float((step_h * diag_h) @ step_h))
            ratio = within / hoped if hoped > 0 else 1.0 if hoped == within == 0 else 0.0
            before = reach
            reach = 0.25 * far if ratio < 0.25 else reach * 2 if ratio > 0.75 and far > 0.95 * reach else reach
            moved = _norm(step)
            small_f, small_x = gained < ftol * cost and ratio > 0.25, moved < xtol * (xtol + _norm(x))
            status = 4 if small_f and small_x else 2 if small_f else 3 if small_x else None
            if status is not None:
                reach = before
                break
            weight *= before / reach
        if gained > 0:
            x, f, true_f, cost = new, left, left, new_cost
            J = slopes(x, f)
            slope_calls += 1
            if bent is not None:
                J, f = robust(J, f, new_rho)
            g = J.T @ f
    status = 0 if status is None else status
    active = np.zeros(n) if free else _near(x, low, high, xtol)[1].astype(int) - _near(x, low, high, xtol)[0].astype(int)
    return OptimizeResult(message=_ENDS[status], success=status > 0, status=status, fun=true_f, x=x, cost=np.float64(cost), jac=J, grad=g,
                          optimality=np.float64(steep), active_mask=active, nfev=calls, njev=slope_calls)

"""Searches for a minimum, a zero and the parameters of a curve, in the steps that SciPy takes."""

import math
import warnings

import numpy as np

NAMES = ("minimize", "minimize_scalar", "curve_fit", "brentq", "newton", "root_scalar", "linear_sum_assignment", "OptimizeResult",
         "OptimizeWarning", "fmin", "approx_fprime", "check_grad", "Bounds", "rosen", "rosen_der", "rosen_hess")
_STEP = 1.4901161193847656e-08
_FIRST = ("message", "success", "status", "fun", "funl", "x", "xl", "col_ind", "nit", "lower", "upper", "eqlin", "ineqlin", "converged", "flag",
          "function_calls", "iterations", "root")


class OptimizeWarning(UserWarning):
    pass


class OptimizeResult(dict):
    """What a search found, by name."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError as e:
            raise AttributeError(name) from e

    __setattr__ = dict.__setitem__

    def __dir__(self):
        return list(self)

    def __repr__(self):
        return self._shown(0, 1) if self else f"{type(self).__name__}()"

    def _shown(self, left, more):
        names = [n for n in _FIRST if n in self] + [n for n in self if n not in _FIRST]
        wide = max(map(len, names)) + more
        lines = []
        for name in names:
            value = self[name]
            with np.printoptions(linewidth=76 - left - wide - 2, edgeitems=2, threshold=12, formatter={"float_kind": _scientific}):
                text = value._shown(left + wide + 2, 0) if isinstance(value, OptimizeResult) and value else str(value)
            lines.append(f"{name.rjust(wide)}: " + text.replace("\n", "\n" + " " * (wide + 2)))
        return "\n".join(lines)


def _scientific(x):
    if math.isinf(x):
        return "       inf" if x > 0 else "      -inf"
    return "       nan" if math.isnan(x) else f"{x:10.3e}"


def _value(fun, x, args):
    made = np.asarray(fun(np.copy(x), *args))
    if made.size != 1:
        raise ValueError("The user-provided objective function must return a scalar value.")
    return float(made.reshape(-1)[0])


def approx_fprime(xk, f, epsilon=_STEP, *args):
    x = np.asarray(xk, dtype=float).reshape(-1)
    return _Watched(f, args, None, epsilon).gradient(x)


def check_grad(func, grad, x0, *args, epsilon=_STEP, direction="all", rng=None):
    """How far a gradient is from the one that differences give."""
    if direction != "all":
        raise NotImplementedError(f"scipy.optimize.check_grad(direction={direction!r})")
    away = np.asarray(grad(x0, *args)) - approx_fprime(x0, func, epsilon, *args)
    return np.sqrt(np.sum(np.abs(away) ** 2))


class Bounds:
    """The least and the largest value of each number."""

    def __init__(self, lb=-np.inf, ub=np.inf, keep_feasible=False):
        self.lb, self.ub, self.keep_feasible = np.atleast_1d(lb), np.atleast_1d(ub), np.atleast_1d(keep_feasible).astype(bool)

    def __repr__(self):
        end = f", keep_feasible={self.keep_feasible!r})" if np.any(self.keep_feasible) else ")"
        return f"Bounds({self.lb!r}, {self.ub!r}{end}"

    def residual(self, x):
        return x - self.lb, self.ub - x


def _limits(bounds, n):
    """The lower and the upper bounds of `n` numbers."""
    if hasattr(bounds, "lb"):
        low, high = bounds.lb, bounds.ub
    else:
        pairs = [(-np.inf if a is None else a, np.inf if b is None else b) for a, b in bounds]
        low, high = zip(*pairs)
    try:
        low, high = (np.broadcast_to(np.asarray(v, dtype=float), (n,)).copy() for v in (low, high))
    except ValueError:
        raise ValueError("The number of bounds is not compatible with the length of `x0`.") from None
    if np.any(low > high):
        raise ValueError("An upper bound is less than the corresponding lower bound.")
    return low, high


def rosen(x):
    """Rosenbrock's function, whose valley is curved."""
    x = np.asarray(x)
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2.0) ** 2.0 + (1 - x[:-1]) ** 2.0, axis=0)


def rosen_der(x):
    x = np.asarray(x)
    made = np.zeros_like(x)
    a, m, b = x[:-2], x[1:-1], x[2:]
    made[1:-1] = 200 * (m - a**2) - 400 * (b - m**2) * m - 2 * (1 - m)
    made[0] = -400 * x[0] * (x[1] - x[0] ** 2) - 2 * (1 - x[0])
    made[-1] = 200 * (x[-1] - x[-2] ** 2)
    return made


def rosen_hess(x):
    x = np.atleast_1d(x)
    made = np.diag(-400 * x[:-1], 1) - np.diag(400 * x[:-1], -1)
    middle = np.zeros(len(x), dtype=x.dtype)
    middle[0] = 1200 * x[0] ** 2 - 400 * x[1] + 2
    middle[-1] = 200
    middle[1:-1] = 202 + 1200 * x[1:-1] ** 2 - 400 * x[2:]
    return made + np.diag(middle)


class _Watched:
    """A function and its gradient, counted; each place is evaluated once."""

    low = high = None

    def __init__(self, fun, args, jac, step=_STEP):
        self.fun, self.args, self.jac, self.step = fun, args, jac, step
        self.nfev = self.njev = 0
        self.at = self.slope_at = None

    def value(self, x):
        if self.at is None or not np.array_equal(x, self.at):
            self.at, self.nfev = np.copy(x), self.nfev + 1
            if self.jac is True:
                found = self.fun(np.copy(x), *self.args)
                self.last, self.known = float(np.asarray(found[0]).reshape(-1)[0]), np.asarray(found[1], dtype=float).reshape(-1)
            else:
                self.last = _value(self.fun, x, self.args)
        return self.last

    def gradient(self, x):
        if self.slope_at is not None and np.array_equal(x, self.slope_at):
            return self.slope
        f = None if callable(self.jac) else self.value(x)
        self.slope_at, self.slope = np.copy(x), self._slopes(x, f)
        self.njev += 1
        return self.slope

    def _slopes(self, x, f):
        if self.jac is True:
            return self.known
        if callable(self.jac):
            return np.asarray(self.jac(np.copy(x), *self.args), dtype=float).reshape(-1)
        made = np.empty(len(x))
        for i in range(len(x)):
            moved, step = np.copy(x), self.step
            if self.low is not None:
                # A step that would leave the bounds goes the other way, or as far as there is room.
                down, up = x[i] - self.low[i], self.high[i] - x[i]
                if step > up:
                    step = -step if step <= max(down, up) else up if up >= down else -down
            moved[i] += step
            made[i] = (_value(self.fun, moved, self.args) - f) / (moved[i] - x[i])
        self.nfev += len(x)
        return made


def _options(given, known, method):
    made = {**known, **{k: v for k, v in given.items() if k in known}}
    unknown = [k for k in given if k not in known and k != "disp"]
    if unknown:
        warnings.warn(f"Unknown solver options: {', '.join(unknown)}", OptimizeWarning, stacklevel=4)
    return made


def minimize(fun, x0, args=(), method=None, jac=None, hess=None, hessp=None, bounds=None, constraints=(), tol=None, callback=None, options=None):
    """The place at which a function of several numbers is least."""
    x0 = np.atleast_1d(np.asarray(x0))
    if x0.ndim != 1:
        raise ValueError("'x0' must only have one dimension.")
    x0 = x0.astype(float)
    args = args if isinstance(args, tuple) else (args,)
    held = not isinstance(constraints, (tuple, list)) or len(constraints) > 0
    called = (method or ("SLSQP" if held else "BFGS" if bounds is None else "L-BFGS-B")).lower()
    if held and called not in ("slsqp", "cobyla", "cobyqa", "trust-constr"):
        warnings.warn(f"Method {method} cannot handle constraints.", RuntimeWarning, stacklevel=2)
    if bounds is not None and called in ("bfgs", "cg", "newton-cg"):
        warnings.warn(f"Method {method or 'BFGS'} cannot handle bounds.", RuntimeWarning, stacklevel=2)
        bounds = None
    if called not in ("bfgs", "nelder-mead", "l-bfgs-b", "slsqp", "powell", "cg", "newton-cg"):
        if called in ("tnc", "cobyla", "cobyqa", "trust-constr", "dogleg", "trust-ncg", "trust-exact",
                      "trust-krylov"):
            raise NotImplementedError(f"scipy.optimize.minimize(method={method!r}): BFGS, CG, L-BFGS-B, Nelder-Mead, Newton-CG, Powell and "
                                      "SLSQP are here")
        raise ValueError(f"Unknown solver {method}")
    if isinstance(jac, str):
        if jac != "2-point":
            raise NotImplementedError(f"scipy.optimize.minimize(jac={jac!r})")
        jac = None
    if jac is False:
        jac = None
    options = dict(options or {})
    shown = options.pop("disp", False)
    if tol is not None:
        for name in {"bfgs": ["gtol"], "nelder-mead": ["xatol", "fatol"], "l-bfgs-b": ["ftol", "gtol"], "slsqp": ["ftol"],
                     "powell": ["xtol", "ftol"], "cg": ["gtol"], "newton-cg": ["xtol"]}[called]:
            options.setdefault(name, tol)
    if called in ("nelder-mead", "powell"):
        if jac is not None and not callable(jac):
            fun = (lambda f: lambda x, *a: f(x, *a)[0])(fun)
        if called == "powell":
            from ._descent import powell

            made = powell(fun, x0, args, None if bounds is None else _limits(bounds, len(x0)), callback, options)
        else:
            made = _simplex(fun, x0, args, bounds, callback, options)
        if shown:
            _tell(made, RuntimeWarning)
        return made
    watched = _Watched(fun, args, jac, options.pop("eps", 1e-8 if called == "l-bfgs-b" else _STEP))
    if bounds is not None:
        watched.low, watched.high = _limits(bounds, len(x0))
        if np.any(watched.low == watched.high):
            raise NotImplementedError("scipy.optimize.minimize(bounds=) that leave a number one value only")
    if called == "slsqp":
        return _sequential(watched, x0, constraints, callback, options, shown)
    if shown and called == "l-bfgs-b":
        warnings.warn("scipy.optimize: The `disp` and `iprint` options of the L-BFGS-B solver are deprecated and will be removed in SciPy 1.18.0.",
                      DeprecationWarning, stacklevel=2)
    if called == "newton-cg":
        from ._descent import newton

        if jac is None:
            raise ValueError("Jacobian is required for Newton-CG method")
        made = newton(watched, x0, hess, hessp, args, callback, options)
    elif called == "cg":
        from ._descent import conjugate

        made = conjugate(watched, x0, callback, options)
    else:
        made = (_bfgs if called == "bfgs" else _limited)(watched, x0, callback, options)
    if shown and called != "l-bfgs-b":
        _tell(made, OptimizeWarning)
    return made


def _tell(found, warns):
    """Prints what a search found; a search that failed warns."""
    if found.success:
        print(found.message)
    else:
        warnings.warn(found.message, warns, stacklevel=3)
        if warns is RuntimeWarning:
            return
    print(f"         Current function value: {found.fun:f}\n         Iterations: {found.nit:d}\n         Function evaluations: {found.nfev:d}")
    if "njev" in found:
        print(f"         Gradient evaluations: {found.njev:d}")
    if "nhev" in found:
        print(f"         Hessian evaluations: {found.nhev:d}")


def _sequential(watched, x, constraints, callback, given, shown):
    from . import _constrained

    o = _options(given, {"ftol": 1e-6, "maxiter": 100, "iprint": 1, "finite_diff_rel_step": None}, "SLSQP")
    if o["iprint"] != 1 or o["finite_diff_rel_step"] is not None:
        raise NotImplementedError("scipy.optimize.minimize(method='SLSQP') with iprint or finite_diff_rel_step")
    if watched.low is None:
        low, high = np.full(len(x), -np.inf), np.full(len(x), np.inf)
    else:
        low, high = watched.low, watched.high
    x, f, g, steps, weights, mode, message = _constrained.minimize(watched, x, constraints, low, high, o["ftol"], o["maxiter"], watched.step,
                                                                   lambda x, f: _report(callback, x, f))
    if shown:
        print(f"{message}    (Exit mode {mode})\n            Current function value: {f}\n            Iterations: {steps}")
        print(f"            Function evaluations: {watched.nfev}\n            Gradient evaluations: {watched.njev}")
    return OptimizeResult(x=x, fun=f, jac=g, nit=steps, nfev=watched.nfev, njev=watched.njev, status=mode, message=message, success=mode == 0,
                          multipliers=weights)


def _report(callback, x, f):
    if callback is None:
        return
    import inspect

    try:
        named = "intermediate_result" in inspect.signature(callback).parameters
    except (TypeError, ValueError):
        named = False
    callback(intermediate_result=OptimizeResult(x=np.copy(x), fun=f)) if named else callback(np.copy(x))


def _simplex(fun, x0, args, bounds, callback, given):
    o = _options(given, {"maxiter": None, "maxfev": None, "xatol": 1e-4, "fatol": 1e-4, "adaptive": False, "initial_simplex": None}, "Nelder-Mead")
    n = len(x0)
    clip = lambda x: x
    if bounds is not None:
        pairs = [(-np.inf if a is None else a, np.inf if b is None else b) for a, b in bounds] if not hasattr(bounds, "lb") else list(
            zip(np.broadcast_to(bounds.lb, n), np.broadcast_to(bounds.ub, n)))
        low, high = (np.array(v, dtype=float) for v in zip(*pairs))
        clip = lambda x: np.clip(x, low, high)
        if np.any(x0 < low) or np.any(x0 > high):
            warnings.warn("Initial guess is not within the specified bounds", OptimizeWarning, stacklevel=3)
        x0 = clip(x0)
    grow, shrink, small = (1 + 2 / n, 0.75 - 1 / (2 * n), 1 - 1 / n) if o["adaptive"] else (2.0, 0.5, 0.5)
    if o["initial_simplex"] is None:
        places = [np.copy(x0) for _ in range(n + 1)]
        for k in range(n):
            places[k + 1][k] = 1.05 * x0[k] if x0[k] != 0 else 0.00025
    else:
        places = [np.array(p, dtype=float) for p in o["initial_simplex"]]
    most, calls = o["maxiter"], o["maxfev"]
    if most is None and calls is None:
        most = calls = n * 200
    else:
        most, calls = (math.inf if v is None else v for v in (most, calls))
    if bounds is not None:
        places = [clip(np.where(p > high, 2 * high - p, p)) for p in places]
    count = 0

    class _Over(Exception):
        pass

    def at(x):
        nonlocal count
        if count >= calls:
            raise _Over
        count += 1
        return _value(fun, x, args)

    values = [math.inf] * (n + 1)
    try:
        for k in range(n + 1):
            values[k] = at(places[k])
    except _Over:
        pass

    def ordered():
        order = sorted(range(n + 1), key=values.__getitem__)
        return [places[i] for i in order], [values[i] for i in order]

    places, values = ordered()
    steps = 1
    while count < calls and steps < most:
        try:
            if max(np.abs(p - places[0]).max() for p in places[1:]) <= o["xatol"] and max(abs(values[0] - v) for v in values[1:]) <= o["fatol"]:
                break
            middle = np.add.reduce(np.stack(places[:-1]), 0) / n
            last = places[-1]
            there = clip(2 * middle - last)
            f = at(there)
            lower = False
            if f < values[0]:
                far = clip((1 + grow) * middle - grow * last)
                g = at(far)
                places[-1], values[-1] = (far, g) if g < f else (there, f)
            elif f < values[-2]:
                places[-1], values[-1] = there, f
            else:
                outside = f < values[-1]
                near = clip((1 + shrink) * middle - shrink * last if outside else (1 - shrink) * middle + shrink * last)
                g = at(near)
                if g <= f if outside else g < values[-1]:
                    places[-1], values[-1] = near, g
                else:
                    lower = True
            if lower:
                for j in range(1, n + 1):
                    places[j] = clip(places[0] + small * (places[j] - places[0]))
                    values[j] = at(places[j])
            steps += 1
        except _Over:
            pass
        places, values = ordered()
        _report(callback, places[0], values[0])
    status = 1 if count >= calls else 2 if steps >= most else 0
    message = ("Optimization terminated successfully.", "Maximum number of function evaluations has been exceeded.",
               "Maximum number of iterations has been exceeded.")[status]
    return OptimizeResult(fun=np.float64(min(values)), nit=steps, nfev=count, status=status, success=status == 0, message=message, x=places[0],
                          final_simplex=(np.stack(places), np.array(values)))


def _bfgs(watched, x, callback, given):
    from ._descent import wolfe

    o = _options(given, {"gtol": 1e-5, "norm": np.inf, "maxiter": None, "return_all": False, "xrtol": 0, "c1": 1e-4, "c2": 0.9, "finite_diff_rel_step": None},
                 "BFGS")
    if o["norm"] != np.inf or o["return_all"] or o["c1"] != 1e-4 or o["c2"] != 0.9 or o["finite_diff_rel_step"] is not None:
        raise NotImplementedError("scipy.optimize.minimize(method='BFGS') with norm, return_all, c1, c2 or finite_diff_rel_step")
    most = len(x) * 200 if o["maxiter"] is None else o["maxiter"]
    f, g = watched.value(x), watched.gradient(x)
    before, unit = f + np.linalg.norm(g) / 2, np.eye(len(x))
    inverse, steps, status = unit, 0, 0
    while np.abs(g).max() > o["gtol"] and steps < most:
        d = -np.dot(inverse, g)
        taken = wolfe(watched, x, d, f, g, before, 1e100)
        if taken is None:
            status = 2
            break
        before = f
        s, f, new = taken
        moved = s * d
        x, y, g = x + moved, new - g, new
        steps += 1
        _report(callback, x, f)
        if np.abs(g).max() <= o["gtol"] or s * np.abs(d).max() <= o["xrtol"] * (o["xrtol"] + np.abs(x).max()):
            break
        if not math.isfinite(f):
            status = 2
            break
        curved = float(np.dot(y, moved))
        r = 1000.0 if curved == 0 else 1 / curved
        a, b = unit - moved[:, None] * y[None] * r, unit - y[:, None] * moved[None] * r
        inverse = np.dot(a, np.dot(inverse, b)) + r * moved[:, None] * moved[None]
    if status != 2:
        status = 1 if steps >= most else 3 if math.isnan(f) or np.isnan(x).any() or np.isnan(g).any() else 0
    message = ("Optimization terminated successfully.", "Maximum number of iterations has been exceeded.",
               "Desired error not necessarily achieved due to precision loss.", "NaN result encountered.")[status]
    return OptimizeResult(fun=np.float64(f), jac=g, hess_inv=inverse, nfev=watched.nfev, njev=watched.njev, status=status, success=status == 0,
                          message=message, x=x, nit=steps)


def _limited(watched, x, callback, given):
    from sklearn import _lbfgs

    from . import _bounded

    o = _options(given, {"gtol": 1e-5, "ftol": 2.2204460492503131e-09, "maxiter": 15000, "maxfun": 15000, "maxls": 20, "maxcor": 10}, "L-BFGS-B")
    if callback is not None or o["maxcor"] != 10:
        raise NotImplementedError("scipy.optimize.minimize(method='L-BFGS-B') with callback or maxcor")
    both = lambda at: (watched.value(at), watched.gradient(at))
    low, high = watched.low, watched.high
    if low is None:
        x, steps, wrong = _lbfgs.minimize(both, x, most=o["maxiter"], gtol=o["gtol"], ftol=o["ftol"], trials=o["maxls"])
    else:
        x, steps, wrong = _bounded.minimize(both, x, low, high, most=o["maxiter"], gtol=o["gtol"], ftol=o["ftol"], trials=o["maxls"],
                                            calls=lambda: watched.nfev > o["maxfun"])
    f, g = watched.value(x), watched.gradient(x)
    flat = (float(np.abs(g).max()) if low is None else _bounded.steep(x, g, low, high)) <= o["gtol"]
    message = wrong or ("CONVERGENCE: NORM OF PROJECTED GRADIENT <= PGTOL" if flat else "CONVERGENCE: RELATIVE REDUCTION OF F <= FACTR*EPSMCH")
    status = 0 if not wrong else 1 if wrong.startswith("STOP") else 2
    return OptimizeResult(fun=f, jac=g, nfev=watched.nfev, njev=watched.njev, nit=steps, status=status, message=message, x=x, success=status == 0,
                          hess_inv=LbfgsInvHessProduct(len(x)))


class LbfgsInvHessProduct:
    def __init__(self, n):
        self.shape = (n, n)

    def __repr__(self):
        return f"<{self.shape[0]}x{self.shape[1]} LbfgsInvHessProduct with dtype=float64>"

    def todense(self):
        raise NotImplementedError("scipy.optimize: the inverse Hessian of L-BFGS-B isn't kept in this scipy; BFGS has it")


def fmin(func, x0, args=(), xtol=1e-4, ftol=1e-4, maxiter=None, maxfun=None, full_output=0, disp=1, retall=0, callback=None, initial_simplex=None):
    if full_output or retall:
        raise NotImplementedError("scipy.optimize.fmin(full_output=, retall=)")
    found = _simplex(func, np.atleast_1d(np.asarray(x0, dtype=float)), args, None, callback,
                     {"xatol": xtol, "fatol": ftol, "maxiter": maxiter, "maxfev": maxfun, "initial_simplex": initial_simplex})
    if disp:
        _tell(found, RuntimeWarning)
    return found.x


# ---- one number ----------------------------------------------------------------------------------------------------------


def brentq(f, a, b, args=(), xtol=2e-12, rtol=8.881784197001252e-16, maxiter=100, full_output=False, disp=True):
    """The place between `a` and `b` at which a function is zero, by Brent's method."""
    if full_output:
        raise NotImplementedError("scipy.optimize.brentq(full_output=True)")
    return _brentq(f, a, b, args, xtol, rtol, maxiter)[0]


def _brentq(f, a, b, args, xtol, rtol, maxiter):
    args = args if isinstance(args, tuple) else (args,)
    before, now = float(a), float(b)
    at, calls = (lambda x: float(f(x, *args))), 2
    fb, fn = at(before), at(now)
    if fb == 0:
        return before, 0, 2
    if fn == 0:
        return now, 0, 2
    if (fb < 0) == (fn < 0):
        raise ValueError("f(a) and f(b) must have different signs")
    kept = fk = last = step = 0.0
    for i in range(1, maxiter + 1):
        if fb != 0 and fn != 0 and (fb < 0) != (fn < 0):
            kept, fk, last = before, fb, now - before
            step = last
        if abs(fk) < abs(fn):
            before, now, kept = now, kept, now
            fb, fn, fk = fn, fk, fn
        near = (xtol + rtol * abs(now)) / 2
        half = (kept - now) / 2
        if fn == 0 or abs(half) < near:
            return now, i, calls
        if abs(last) > near and abs(fn) < abs(fb):
            if before == kept:
                trial = -fn * (now - before) / (fn - fb)
            else:
                p, q = (fb - fn) / (before - now), (fk - fn) / (kept - now)
                trial = -fn * (fk * q - fb * p) / (q * p * (fk - fb))
            if 2 * abs(trial) < min(abs(last), 3 * abs(half) - near):
                last, step = step, trial
            else:
                last = step = half
        else:
            last = step = half
        before, fb = now, fn
        now += step if abs(step) > near else near if half > 0 else -near
        fn, calls = at(now), calls + 1
    raise RuntimeError(f"Failed to converge after {maxiter} iterations.")


def newton(func, x0, fprime=None, args=(), tol=1.48e-08, maxiter=50, fprime2=None, x1=None, rtol=0.0, full_output=False, disp=True):
    """A place at which a function is zero, by Newton's method or by secants."""
    if full_output or fprime2 is not None or np.size(x0) > 1:
        raise NotImplementedError("scipy.optimize.newton with fprime2, full_output or several starts")
    if tol <= 0:
        raise ValueError(f"tol too small ({tol:g} <= 0)")
    near = lambda a, b: abs(a - b) <= tol + rtol * abs(b)
    x = x0 = np.float64(1.0 * float(x0))
    if fprime is not None:
        for _ in range(maxiter):
            f = func(x, *args)
            if f == 0:
                return x
            slope = fprime(x, *args)
            if slope == 0:
                raise RuntimeError(f"Derivative was zero. Failed to converge after {_ + 1} iterations, value is {x}.")
            new = x - f / slope
            if near(new, x):
                return new
            x = new
    else:
        a = x0
        b = np.float64(x0 * 1.0001 + (1e-4 if x0 >= 0 else -1e-4)) if x1 is None else np.float64(x1)
        fa, fb = func(a, *args), func(b, *args)
        if abs(fb) < abs(fa):
            a, b, fa, fb = b, a, fb, fa
        for i in range(maxiter):
            if fb == fa:
                if b != a:
                    raise RuntimeError(f"Tolerance of {b - a} reached. Failed to converge after {i + 1} iterations, value is {b}.")
                return (b + a) / 2
            x = (-fa / fb * b + a) / (1 - fa / fb) if abs(fb) > abs(fa) else (-fb / fa * a + b) / (1 - fb / fa)
            if near(x, b):
                return x
            a, fa, b = b, fb, x
            fb = func(b, *args)
    raise RuntimeError(f"Failed to converge after {maxiter} iterations, value is {x}.")


class RootResults(OptimizeResult):
    pass


def root_scalar(f, args=(), method=None, bracket=None, fprime=None, fprime2=None, x0=None, x1=None, xtol=None, rtol=None, maxiter=None, options=None):
    if bracket is None or method not in (None, "brentq") or options:
        raise NotImplementedError("scipy.optimize.root_scalar: only bracket= with Brent's method is here")
    x, steps, calls = _brentq(f, *bracket, args, xtol or 2e-12, rtol or 8.881784197001252e-16, maxiter or 100)
    return RootResults(root=x, iterations=steps, function_calls=calls, converged=True, flag="converged", method="brentq")


_GOLD, _REST = 1.618034, 0.3819660


def minimize_scalar(fun, bracket=None, bounds=None, args=(), method=None, tol=None, options=None):
    """The place at which a function of one number is least."""
    method = (method or ("bounded" if bounds is not None else "brent")).lower()
    args = args if isinstance(args, tuple) else (args,)
    if options or method not in ("brent", "bounded"):
        raise NotImplementedError("scipy.optimize.minimize_scalar with options= or method='golden'")
    if bracket is not None and (method == "bounded" or len(bracket) != 2):
        raise NotImplementedError("scipy.optimize.minimize_scalar with a bracket= of three places, or beside bounds=")
    at = lambda x: np.float64(fun(x, *args))
    return _between(at, *bounds, 1e-5 if tol is None else tol) if method == "bounded" else _brent(
        at, 1.48e-8 if tol is None else tol, *(bracket or (0.0, 1.0)))


def _brent(at, tol, a, b, recovers=False):
    # First three places with the lowest value in the middle.
    fa, fb = at(a), at(b)
    if fa < fb:
        a, b, fa, fb = b, a, fb, fa
    c = b + _GOLD * (b - a)
    fc, calls, tries = at(c), 3, 0
    while fc < fb:
        p, q = (b - a) * (fb - fc), (b - c) * (fb - fa)
        v = q - p
        w = b - ((b - c) * q - (b - a) * p) / (2 * (v if abs(v) >= 1e-21 else 1e-21))
        limit = b + 110.0 * (c - b)
        tries += 1
        if tries > 1000:
            raise RuntimeError("No valid bracket was found before the iteration limit was reached.")
        if (w - c) * (b - w) > 0:
            fw, calls = at(w), calls + 1
            if fw < fc:
                a, b, fa, fb = b, w, fb, fw
                break
            if fw > fb:
                c, fc = w, fw
                break
            w = c + _GOLD * (c - b)
            fw, calls = at(w), calls + 1
        elif (w - limit) * (limit - c) >= 0:
            w = limit
            fw, calls = at(w), calls + 1
        elif (w - limit) * (c - w) > 0:
            fw, calls = at(w), calls + 1
            if fw < fc:
                b, c = c, w
                fb, fc = fc, fw
                w = c + _GOLD * (c - b)
                fw, calls = at(w), calls + 1
        else:
            w = c + _GOLD * (c - b)
            fw, calls = at(w), calls + 1
        a, b, c, fa, fb, fc = b, c, w, fb, fc, fw
    if not ((fb < fc and fb <= fa or fb <= fc and fb < fa) and (a < b < c or c < b < a)):
        if not recovers:
            raise RuntimeError("The algorithm terminated without finding a valid bracket. Consider trying different initial points.")
        fx, x = min((fa, a), (fb, b), (fc, c), key=lambda pair: pair[0])
        return OptimizeResult(fun=fx, x=np.float64(x), nit=0, nfev=calls, success=False)
    x = w = v = b
    fx = fw = fv = fb
    low, high = (a, c) if a < c else (c, a)
    deltax = rat = 0.0
    steps = 0
    while steps < 500:
        near = tol * abs(x) + 1e-11
        middle = 0.5 * (low + high)
        if abs(x - middle) < 2 * near - 0.5 * (high - low):
            break
        golden = abs(deltax) <= near
        if not golden:
            r, q = (x - w) * (fx - fv), (x - v) * (fx - fw)
            p, q = (x - v) * q - (x - w) * r, 2 * (q - r)
            p, q = (-p if q > 0 else p), abs(q)
            before, deltax = deltax, rat
            if p > q * (low - x) and p < q * (high - x) and abs(p) < abs(0.5 * q * before):
                rat = p / q
                u = x + rat
                if u - low < 2 * near or high - u < 2 * near:
                    rat = near if middle - x >= 0 else -near
            else:
                golden = True
        if golden:
            deltax = low - x if x >= middle else high - x
            rat = _REST * deltax
        u = x + (rat if abs(rat) >= near else near if rat >= 0 else -near)
        fu, calls = at(u), calls + 1
        if fu > fx:
            low, high = (u, high) if u < x else (low, u)
            if fu <= fw or w == x:
                v, w, fv, fw = w, u, fw, fu
            elif fu <= fv or v == x or v == w:
                v, fv = u, fu
        else:
            low, high = (x, high) if u >= x else (low, x)
            v, w, x, fv, fw, fx = w, x, u, fw, fx, fu
        steps += 1
    return OptimizeResult(fun=fx, x=np.float64(x), nit=steps, nfev=calls, success=True, message=(
        "\nOptimization terminated successfully;\nThe returned value satisfies the termination criteria\n"
        f"(using xtol = {tol} )"))


def _between(at, low, high, tol):
    if low > high:
        raise ValueError("The lower bound exceeds the upper bound.")
    tiny, golden = math.sqrt(2.2e-16), 0.5 * (3.0 - math.sqrt(5.0))
    a, b = low, high
    first = nearest = x = a + golden * (b - a)
    rat = e = 0.0
    fx = at(x)
    calls, f1, f2 = 1, fx, fx
    middle = 0.5 * (a + b)
    near = tiny * abs(x) + tol / 3
    while abs(x - middle) > 2 * near - 0.5 * (b - a):
        plain = True
        if abs(e) > near:
            r, q = (x - nearest) * (fx - f1), (x - first) * (fx - f2)
            p, q = (x - first) * q - (x - nearest) * r, 2 * (q - r)
            p, q = (-p if q > 0 else p), abs(q)
            r, e = e, rat
            if abs(p) < abs(0.5 * q * r) and q * (a - x) < p < q * (b - x):
                rat, plain = p / q, False
                u = x + rat
                if u - a < 2 * near or b - u < 2 * near:
                    rat = near * (np.sign(middle - x) + (middle == x))
        if plain:
            e = a - x if x >= middle else b - x
            rat = golden * e
        u = x + (np.sign(rat) + (rat == 0)) * max(abs(rat), near)
        fu, calls = at(u), calls + 1
        if fu <= fx:
            a, b = (x, b) if u >= x else (a, x)
            first, f1, nearest, f2, x, fx = nearest, f2, x, fx, u, fu
        else:
            a, b = (u, b) if u < x else (a, u)
            if fu <= f2 or nearest == x:
                first, f1, nearest, f2 = nearest, f2, u, fu
            elif fu <= f1 or first == x or first == nearest:
                first, f1 = u, fu
        middle = 0.5 * (a + b)
        near = tiny * abs(x) + tol / 3
        if calls >= 500:
            break
    return OptimizeResult(fun=fx, status=0, success=True, message="Solution found.", x=np.float64(x), nfev=calls, nit=calls)


# ---- curves and pairs ----------------------------------------------------------------------------------------------------


def _levenberg(away, slopes, p, more, limit):
    """MINPACK's steps to the least squares. Returns the place, what is left there, and the slopes that the last step began with."""
    size = lambda v: float(np.sqrt((v * v).sum()))
    near, tiny = 1.49012e-8, np.finfo(float).tiny
    r = away(p)
    f, calls, weight, first, reach, scale = size(r), 1, 0.0, True, 0.0, None
    while True:
        J = slopes(p, r)
        calls += more
        sizes = np.sqrt((J * J).sum(axis=0))
        if first:
            scale = np.where(sizes == 0, 1.0, sizes)
            whole = size(scale * p)
            reach = 100.0 * whole or 100.0
        g = J.T @ r
        if f == 0 or not g.any():
            return p, r, J
        scale = np.maximum(scale, sizes)
        while True:
            weight, step = _damped(J, r, g, scale, reach, weight, tiny)
            new, far = p + step, size(scale * step)
            if first:
                reach = min(reach, far)
            left = away(new)
            calls += 1
            lower = size(left)
            gained = 1 - (lower / f) ** 2 if 0.1 * lower < f else -1.0
            one, two = size(J @ step) / f, math.sqrt(weight) * far / f
            hoped, slope = one * one + 2 * two * two, -(one * one + two * two)
            ratio = gained / hoped if hoped else 0.0
            if ratio <= 0.25:
                by = 0.5 if gained >= 0 else 0.5 * slope / (slope + 0.5 * gained)
                by = 0.1 if 0.1 * lower >= f or by < 0.1 else by
                reach, weight = by * min(reach, far / 0.1), weight / by
            elif weight == 0 or ratio >= 0.75:
                reach, weight = far / 0.5, 0.5 * weight
            if ratio >= 1e-4:
                p, r, f, first = new, left, lower, False
                whole = size(scale * p)
            if abs(gained) <= near and hoped <= near and ratio <= 2 or reach <= near * whole:
                return p, r, J
            if calls >= limit:
                raise RuntimeError(f"Optimal parameters not found: Number of calls to function has reached maxfev = {limit}.")
            if reach <= 2.2e-16 * whole or abs(gained) <= 2.2e-16 and hoped <= 2.2e-16:
                raise RuntimeError("Optimal parameters not found: xtol=0.000000 is too small, no further improvement in the approximate\n"
                                   "  solution is possible.")
            if ratio >= 1e-4:
                break


def _damped(J, r, g, scale, reach, weight, tiny):
    """The weight with which a step is about as long as it may be, and the step."""
    zero = np.zeros(len(scale))

    def solved(weight):
        tall, right = (J, -r) if not weight else (np.concatenate([J, math.sqrt(weight) * np.diag(scale)]), np.concatenate([-r, zero]))
        step = np.linalg.lstsq(tall, right, rcond=None)[0]
        return tall, step, float(np.sqrt(((scale * step) ** 2).sum()))

    def bend(tall, step, far):
        v = np.linalg.solve(np.linalg.qr(tall)[1].T, scale * (scale * step / far))
        return float(v @ v)

    tall, step, far = solved(0)
    excess = far - reach
    if excess <= 0.1 * reach:
        return 0.0, step
    regular = np.linalg.matrix_rank(J) == len(scale)
    low = excess / reach / bend(tall, step, far) if regular else 0.0
    top = float(np.sqrt(((g / scale) ** 2).sum()))
    high = top / reach or tiny / min(reach, 0.1)
    weight = min(max(weight, low), high) or top / far
    for trial in range(10):
        weight = weight or max(tiny, 0.001 * high)
        tall, step, far = solved(weight)
        before, excess = excess, far - reach
        if abs(excess) <= 0.1 * reach or low == 0 and excess <= before < 0 or trial == 9:
            break
        more = excess / reach / bend(tall, step, far)
        if excess > 0:
            low = max(low, weight)
        elif excess < 0:
            high = min(high, weight)
        weight = max(low, weight + more)
    return weight, step


def curve_fit(f, xdata, ydata, p0=None, sigma=None, absolute_sigma=False, check_finite=None, bounds=(-np.inf, np.inf), method=None, jac=None, *,
              full_output=False, nan_policy=None, **kwargs):
    """The parameters with which a curve fits best, by Levenberg and Marquardt's method, and their covariance."""
    if p0 is None:
        import inspect

        count = len(inspect.signature(f).parameters) - 1
        if count < 1:
            raise ValueError("Unable to determine number of fit parameters.")
        n = count
    else:
        p0 = np.atleast_1d(np.asarray(p0, dtype=float))
        n = p0.size
    low, high = (bounds.lb, bounds.ub) if hasattr(bounds, "lb") else bounds
    low, high = (np.broadcast_to(np.asarray(v, dtype=float), (n,)).copy() for v in (low, high))
    if p0 is None:
        # The middle of the bounds, or 1 from the only one.
        below, above = np.isfinite(low), np.isfinite(high)
        p0 = np.ones(n)
        p0[below & above] = 0.5 * (low + high)[below & above]
        p0[below & ~above] = 1 + low[below & ~above]
        p0[~below & above] = -1 + high[~below & above]
    bounded = bool(np.any((low > -np.inf) | (high < np.inf)))
    if method is None:
        method = "trf" if bounded else "lm"
    if method == "lm" and bounded:
        raise ValueError("Method 'lm' only works for unconstrained problems. Use 'trf' or 'dogbox' instead.")
    if nan_policy:
        raise NotImplementedError(f"scipy.optimize.curve_fit(nan_policy={nan_policy!r})")
    if method == "lm" and set(kwargs) - {"maxfev"}:
        raise NotImplementedError(f"scipy.optimize.curve_fit({sorted(set(kwargs) - {'maxfev'})[0]}=) with method='lm'")
    p = p0
    y = np.asarray(ydata, dtype=float)
    x = np.asarray(xdata, dtype=float) if isinstance(xdata, (list, tuple, np.ndarray)) or hasattr(xdata, "__array__") else xdata
    if y.size == 0:
        raise ValueError("`ydata` must not be empty!")
    if check_finite is not False and (not np.isfinite(y).all() or isinstance(x, np.ndarray) and not np.isfinite(x).all()):
        raise ValueError("array must not contain infs or NaNs")
    if y.size != 1 and n > y.size:
        raise TypeError(f"The number of func parameters={n} must not exceed the number of data points={y.size}")
    if sigma is not None:
        sigma = np.asarray(sigma, dtype=float)
        if sigma.size == 1 or sigma.shape == (y.size,):
            weighed = lambda r: r / (sigma if r.ndim == 1 or sigma.ndim == 0 else sigma[:, None])
        elif sigma.shape == (y.size, y.size):
            try:
                half = np.linalg.cholesky(sigma)
            except np.linalg.LinAlgError as e:
                raise ValueError("`sigma` must be positive definite.") from e
            weighed = lambda r: np.linalg.solve(half, r)
        else:
            raise ValueError("`sigma` has incorrect shape.")
    else:
        weighed = lambda r: r
    away = lambda q: weighed(np.asarray(f(x, *q), dtype=float) - y)

    def slopes(q, r):
        if callable(jac):
            return weighed(np.asarray(jac(x, *q), dtype=float))
        made = np.empty((r.size, n))
        for j in range(n):
            h = _STEP * abs(q[j]) or _STEP
            moved = np.copy(q)
            moved[j] += h
            made[:, j] = (away(moved) - r) / h
        return made

    told = ()
    if method == "lm":
        most = kwargs.get("maxfev") or (100 if callable(jac) else 200) * (n + 1)
        if full_output:
            from ._zeros import leastsq

            jacobian = (lambda q: weighed(np.asarray(jac(x, *q), dtype=float))) if callable(jac) else None
            _, _, info, message, end = leastsq(away, p, Dfun=jacobian, full_output=True, maxfev=kwargs.get("maxfev") or 0)
            told = (info, message, end)
        p, r, J = _levenberg(away, slopes, p, 0 if callable(jac) else n, most)
        cost = float(r @ r)
    else:
        from ._zeros import least_squares

        if np.any(low >= high):
            raise ValueError("Each lower bound must be strictly less than each upper bound.")
        if np.any(p < low) or np.any(p > high):
            raise ValueError("Initial guess is outside of provided bounds")
        kwargs["max_nfev"] = kwargs.pop("max_nfev", None) or kwargs.pop("maxfev", None)
        kwargs.pop("maxfev", None)
        given = (lambda q: weighed(np.asarray(jac(x, *q), dtype=float))) if callable(jac) else jac or "2-point"
        found = least_squares(away, p, jac=given, bounds=(low, high), method=method, **kwargs)
        if not found.success:
            raise RuntimeError("Optimal parameters not found: " + found.message)
        p, J, cost, r = found.x, found.jac, 2 * float(found.cost), found.fun
        told = ({"nfev": found.nfev, "fvec": r}, found.message, found.status)
    _, s, V = np.linalg.svd(J, full_matrices=False)
    fits = s > np.finfo(float).eps * max(J.shape) * s[0]
    pcov = (V[fits].T / s[fits] ** 2) @ V[fits]
    wrong = not np.isfinite(pcov).all() or method == "lm" and not fits.all()
    if not wrong and not absolute_sigma:
        wrong = r.size <= n
        pcov = pcov * (cost / (r.size - n)) if not wrong else pcov
    if wrong:
        pcov = np.full((n, n), np.inf)
        warnings.warn("Covariance of the parameters could not be estimated", OptimizeWarning, stacklevel=2)
    return (p, pcov, *told) if full_output else (p, pcov)


def linear_sum_assignment(cost_matrix, maximize=False):
    """The pairs of rows and columns whose costs add up to the least: shortest paths, one row after the other."""
    cost = np.asarray(cost_matrix)
    if cost.ndim != 2:
        raise ValueError(f"expected a matrix (2-D array), got a {cost.ndim} array")
    flipped = cost.shape[1] < cost.shape[0]
    cost = (cost.T if flipped else cost).astype(float) * (-1 if maximize else 1)
    if np.isnan(cost).any() or np.isneginf(cost).any():
        raise ValueError("matrix contains invalid numeric entries")
    table, (rows, columns) = cost.tolist(), cost.shape
    u, v, column_of, row_of = [0.0] * rows, [0.0] * columns, [-1] * rows, [-1] * columns
    for start in range(rows):
        least, shortest, path = 0.0, [math.inf] * columns, [-1] * columns
        left = list(range(columns - 1, -1, -1))
        seen_rows, seen = set(), set()
        i, sink = start, -1
        while sink < 0:
            seen_rows.add(i)
            best, lowest = -1, math.inf
            for at, j in enumerate(left):
                r = least + table[i][j] - u[i] - v[j]
                if r < shortest[j]:
                    shortest[j], path[j] = r, i
                if shortest[j] < lowest or shortest[j] == lowest and row_of[j] < 0:
                    lowest, best = shortest[j], at
            least = lowest
            if least == math.inf:
                raise ValueError("cost matrix is infeasible")
            j = left[best]
            if row_of[j] < 0:
                sink = j
            else:
                i = row_of[j]
            seen.add(j)
            left[best] = left[-1]
            left.pop()
        u[start] += least
        for i in seen_rows - {start}:
            u[i] += least - shortest[column_of[i]]
        for j in seen:
            v[j] -= least - shortest[j]
        j = sink
        while True:
            i = path[j]
            row_of[j] = i
            column_of[i], j = j, column_of[i]
            if i == start:
                break
    if flipped:
        order = sorted(range(rows), key=column_of.__getitem__)
        return np.array([column_of[i] for i in order]), np.array(order)
    return np.arange(rows), np.array(column_of)

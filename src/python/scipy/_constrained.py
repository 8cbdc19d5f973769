"""SLSQP: searches with constraints, each step of which is the minimum of a parabola with straight constraints."""

import numpy as np

NAMES = ("LinearConstraint", "NonlinearConstraint")

_TOLD = {
    0: "Optimization terminated successfully", 2: "More equality constraints than independent variables",
    3: "More than 3*n iterations in LSQ subproblem", 4: "Inequality constraints incompatible", 6: "Singular matrix C in LSQ subproblem",
    8: "Positive directional derivative for linesearch", 9: "Iteration limit reached"}


class LinearConstraint:
    """`lb <= A @ x <= ub`."""

    def __init__(self, A, lb=-np.inf, ub=np.inf, keep_feasible=False):
        self.A, self.keep_feasible = np.atleast_2d(np.asarray(A, dtype=float)), np.atleast_1d(keep_feasible).astype(bool)
        self.lb, self.ub = np.atleast_1d(np.asarray(lb, dtype=float)), np.atleast_1d(np.asarray(ub, dtype=float))

    def residual(self, x):
        made = self.A @ np.asarray(x, dtype=float)
        return made - self.lb, self.ub - made


class NonlinearConstraint:
    """`lb <= fun(x) <= ub`."""

    def __init__(self, fun, lb, ub, jac="2-point", hess=None, keep_feasible=False, finite_diff_rel_step=None, finite_diff_jac_sparsity=None):
        self.fun, self.lb, self.ub, self.jac, self.hess = fun, lb, ub, jac, hess
        self.keep_feasible, self.finite_diff_rel_step, self.finite_diff_jac_sparsity = keep_feasible, finite_diff_rel_step, finite_diff_jac_sparsity


def _parted(one, x):
    """A constraint between bounds as dictionaries, one for what must be equal and one for the rest."""
    linear = isinstance(one, LinearConstraint)
    fun = (lambda x: one.A @ x) if linear else one.fun
    jac = (lambda x: one.A) if linear else one.jac if callable(one.jac) else None
    if not linear and isinstance(one.jac, str) and one.jac != "2-point":
        raise NotImplementedError(f"scipy.optimize.NonlinearConstraint(jac={one.jac!r})")
    size = np.atleast_1d(fun(x)).shape
    low, high = (np.broadcast_to(np.asarray(v, dtype=float), size) for v in (one.lb, one.ub))
    same, below, above = low == high, (low != high) & np.isfinite(low), (low != high) & np.isfinite(high)
    made = []
    values = lambda x: np.asarray(fun(x), dtype=float).reshape(-1)
    rows = lambda x: np.atleast_2d(np.asarray(jac(x), dtype=float))
    if same.any():
        part = {"type": "eq", "fun": lambda x: values(x)[same] - low[same]}
        if jac is not None:
            part["jac"] = lambda x: rows(x)[same]
        made.append(part)
    if below.any() or above.any():
        part = {"type": "ineq", "fun": lambda x: np.concatenate([values(x)[below] - low[below], high[above] - values(x)[above]])}
        if jac is not None:
            part["jac"] = lambda x: np.concatenate([rows(x)[below], -rows(x)[above]])
        made.append(part)
    return made


class _Constraints:
    """What must be zero, then what must not be negative, with slopes."""

    def __init__(self, given, x, low, high, step):
        self.low, self.high, self.step, self.parts = low, high, step, {"eq": [], "ineq": []}
        every = []
        for one in [given] if isinstance(given, (dict, LinearConstraint, NonlinearConstraint)) else given:
            every += _parted(one, x) if isinstance(one, (LinearConstraint, NonlinearConstraint)) else [one]
        for i, one in enumerate(every):
            if not isinstance(one, dict):
                raise TypeError("Constraints must be defined using a dictionary.")
            if "type" not in one:
                raise KeyError(f"Constraint {i} has no type defined.")
            if not hasattr(one["type"], "lower"):
                raise TypeError("Constraint's type must be a string.")
            if one["type"].lower() not in self.parts:
                raise ValueError(f"Unknown constraint type '{one['type']}'.")
            if "fun" not in one:
                raise ValueError(f"Constraint {i} has no function defined.")
            args = one.get("args", ())
            self.parts[one["type"].lower()].append((one["fun"], one.get("jac"), args if isinstance(args, tuple) else (args,)))
        self.equal = sum(len(self._one(f, x, args)) for f, _, args in self.parts["eq"])

    def _one(self, fun, x, args):
        return np.atleast_1d(np.asarray(fun(np.copy(x), *args), dtype=float)).reshape(-1)

    def values(self, x):
        made = [self._one(f, x, args) for f, _, args in self.parts["eq"] + self.parts["ineq"]]
        return np.concatenate(made) if made else np.zeros(0)

    def slopes(self, x):
        made = []
        for fun, jac, args in self.parts["eq"] + self.parts["ineq"]:
            if callable(jac):
                made.append(np.atleast_2d(np.asarray(jac(np.copy(x), *args), dtype=float)))
                continue
            here, columns = self._one(fun, x, args), []
            for i in range(len(x)):
                moved, step = np.copy(x), self.step
                if moved[i] + step > self.high[i]:
                    step = -step
                moved[i] += step
                columns.append((self._one(fun, moved, args) - here) / (moved[i] - x[i]))
            made.append(np.stack(columns, axis=1))
        return np.concatenate(made) if made else np.zeros((0, len(x)))


def _parabola(B, g, A, c, equal):
    """The least of `s B s / 2 + g s` with `A s + c = 0` in the first `equal` rows and `>= 0` in the others, by Goldfarb and Idnani's dual
    search. It returns `s` and the multipliers, or None if the constraints contradict each other."""
    inverse = np.linalg.inv(B)
    s, active, weights = -inverse @ g, [], []
    size = max(1.0, float(np.abs(A).max()) if A.size else 1.0)
    scale = [max(1.0, float(np.abs(row).sum())) for row in A]
    for _ in range(50 * (len(A) + len(s) + 1)):
        off = A @ s + c
        chosen = next((j for j in range(equal) if j not in active), None)
        if chosen is None:
            worst = [(float(off[j]) / scale[j], j) for j in range(equal, len(A)) if j not in active]
            if not worst or min(worst)[0] >= -1e-13 * max(1.0, float(np.abs(s).max()), size):
                break
            chosen = min(worst)[1]
        sign = -1.0 if chosen < equal and off[chosen] > 0 else 1.0
        normal, need, weight = sign * A[chosen], sign * float(off[chosen]), 0.0
        signs = {j: v for j, v, _ in weights}
        while True:
            if active:
                N = np.stack([signs[j] * A[j] for j in active], axis=1)
                half = inverse @ N
                r = np.linalg.solve(N.T @ half, half.T @ normal)
                z = inverse @ (normal - N @ r)
            else:
                r, z = np.zeros(0), inverse @ normal
            rise = float(z @ normal)
            free = rise > 1e-14 * float(normal @ inverse @ normal)
            full = -need / rise if free else np.inf
            part, drop = np.inf, None
            for i, j in enumerate(active):
                if j >= equal and r[i] > 0 and weights[i][2] / r[i] < part:
                    part, drop = weights[i][2] / float(r[i]), i
            t = min(full, part)
            if t == np.inf:
                return None
            weights = [(j, v, w - t * float(r[i])) for i, (j, v, w) in enumerate(weights)]
            weight += t
            if free:
                s = s + t * z
                need += t * rise
            if t == full:
                active.append(chosen)
                weights.append((chosen, sign, weight))
                break
            active.pop(drop)
            weights.pop(drop)
    found = np.zeros(len(A))
    for j, v, w in weights:
        found[j] = v * w
    return s, found


def _step(B, g, A, c, equal, low, high):
    """The step, the multipliers of the constraints, how much of the constraints had to be given up, and a mode."""
    n, m = len(g), len(c)

    def solved(B, g, A, low, high):
        size, rows, more = len(g), [A], [c]
        for bound, sign in ((low, 1.0), (high, -1.0)):
            for i in np.flatnonzero(np.isfinite(bound)).tolist():
                row = np.zeros((1, size))
                row[0, i] = sign
                rows.append(row)
                more.append(np.array([-sign * float(bound[i])]))
        return _parabola(B, g, np.concatenate(rows), np.concatenate(more), equal)

    if equal > n:
        return None, None, 1.0, 2
    if not _singular(A[:equal]):
        made = solved(B, g, A, low, high)
        if made is not None:
            return made[0], made[1][:m], 1.0, 0
    elif equal < n:
        return None, None, 1.0, 6
    # One more number, between 0 and 1, takes back what contradicts, at a price.
    extra = np.where(np.arange(m) < equal, -c, np.maximum(-c, 0.0))
    A = np.concatenate([A, extra[:, None]], axis=1)
    if _singular(A[:equal]):
        return None, None, 1.0, 6
    for price in (1e4, 1e6, 1e8, 1e10, 1e12):
        wide = np.zeros((n + 1, n + 1))
        wide[:n, :n], wide[n, n] = B, price
        made = solved(wide, np.append(g, 0.0), A, np.append(low, 0.0), np.append(high, 1.0))
        if made is not None:
            return made[0][:n], made[1][:m], 1.0 - float(made[0][n]), 0
    return None, None, 1.0, 4


def _singular(rows):
    """Whether one row follows from the others."""
    if not len(rows):
        return False
    left = np.abs(np.diag(np.linalg.qr(rows.T)[1]))
    return len(left) < len(rows) or bool((left < 1e-15 * max(1.0, float(np.abs(rows).max()))).any())


def minimize(watched, x, given, low, high, ftol, maxiter, step, report):
    """What SLSQP finds: the place, the value, the slopes, the iterations, the multipliers and the mode that it ends with."""
    x = np.clip(x, low, high)
    held = _Constraints(given, x, low, high, step)
    f, g, c, A = watched.value(x), watched.gradient(x), held.values(x), held.slopes(x)
    n, m, equal = len(x), len(c), held.equal
    first, B, price, resets, steps = np.arange(m) < equal, np.eye(n), np.zeros(m), 1, 0
    weights, near, mode = np.zeros(m), 10 * ftol, 0
    violated = lambda c: np.maximum(-c, np.where(first, c, 0.0))

    def done(before, s, within):
        return (abs(f - before) < within or float(np.linalg.norm(s)) < within) and float(violated(c).sum()) < within and f == f

    before, told = f, 0
    while True:
        steps += 1
        if steps > maxiter:
            mode = 9
            break
        s, found, share, mode = _step(B, g, A, c, equal, low - x, high - x)
        if mode:
            break
        weights, gone = found, share < 1.0
        bent, start, before = g - A.T @ weights, x, f
        slope = float(g @ s)
        price = np.maximum(np.abs(weights), (price + np.abs(weights)) / 2)
        if abs(slope) + float((np.abs(weights) * np.abs(c)).sum()) < ftol and float(violated(c).sum()) < ftol and not gone and f == f:
            mode = 0
            break
        penalty = float((price * violated(c)).sum())
        fall = slope - penalty * share
        if fall >= 0:
            resets += 1
            if resets > 5:
                mode = 0 if not gone and done(before, s, near) else 8
                break
            B = np.eye(n)
            continue
        level, alpha = f + penalty, 1.0
        for line in range(1, 12):
            fall, s = alpha * fall, s * alpha
            x = np.clip(start + s, low, high)
            f, c = watched.value(x), held.values(x)
            if line == 1:
                told = steps
                report(x, f)
            change = f + float((price * violated(c)).sum()) - level
            if change <= fall / 10 or line > 10:
                break
            alpha = max(fall / (2 * (fall - change)), 0.1)
        moved = s
        if not gone and done(before, s, ftol):
            mode = 0
            break
        g, A = watched.gradient(x), held.slopes(x)
        turn, curved = g - A.T @ weights - bent, B @ moved
        h1, h2 = float(moved @ turn), float(moved @ curved)
        if h1 < 0.2 * h2:
            part = (h2 - 0.2 * h2) / (h2 - h1)
            turn, h1 = part * turn + (1 - part) * curved, 0.2 * h2
        B = B + turn[:, None] * turn[None] / h1 - curved[:, None] * curved[None] / h2
    if told < steps:
        report(x, f)
    return x, f, g, steps, weights, mode, _TOLD[mode]

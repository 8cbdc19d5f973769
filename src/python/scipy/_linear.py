"""Linear programs, by the simplex method; whole numbers by branching."""

import math

import numpy as np
from scipy._search import OptimizeResult

NAMES = ("linprog", "milp", "fmin_slsqp")
_NEAR = 1e-9


class _Tableau:
    """Rows `A x = b` with `x >= 0` and a basis that solves them."""

    def __init__(self, A, b):
        sign = np.where(b < 0, -1.0, 1.0)
        self.rows, self.columns = A.shape
        self.table = np.concatenate([A * sign[:, None], np.eye(self.rows), (b * sign)[:, None]], axis=1)
        self.basis, self.pivots = [self.columns + i for i in range(self.rows)], 0

    def pivot(self, row, column):
        table = self.table
        table[row] = table[row] / table[row, column]
        others = np.array(table[:, column])
        others[row] = 0.0
        self.table = table - others[:, None] * table[row][None]
        self.basis[row] = column
        self.pivots += 1

    def minimize(self, cost, usable):
        """Moves along edges until no edge leads down. False: an edge leads down for ever."""
        still = 0
        while True:
            prices = cost[:-1] - cost[self.basis] @ self.table[:, :-1] if self.rows else cost[:-1]
            down = np.flatnonzero((prices < -_NEAR) & usable)
            if not len(down):
                return True
            # After many steps that don't lead down, the first edge instead of the steepest one ends a circle.
            column = int(down[0] if still > 50 else down[prices[down].argmin()])
            part = self.table[:, column]
            rising = np.flatnonzero(part > _NEAR)
            if not len(rising):
                return False
            ratios = self.table[rising, -1] / part[rising]
            least = float(ratios.min())
            tied = [int(r) for r, ratio in zip(rising, ratios.tolist()) if ratio <= least + 1e-12]
            still = still + 1 if least <= 1e-12 else 0
            self.pivot(min(tied, key=lambda r: self.basis[r]), column)

    def solve(self, cost):
        """0: solved, 2: infeasible, 3: unbounded."""
        count = self.columns + self.rows
        first = np.append(np.where(np.arange(count) < self.columns, 0.0, 1.0), 0.0)
        self.minimize(first, np.ones(count, dtype=bool))
        size = max(1.0, float(np.abs(self.table[:, -1]).max()) if self.rows else 1.0)
        if sum(float(self.table[r, -1]) for r, j in enumerate(self.basis) if j >= self.columns) > 1e-8 * size:
            return 2
        for r, j in enumerate(self.basis):
            if j >= self.columns:
                other = np.flatnonzero(np.abs(self.table[r, :self.columns]) > 1e-9)
                if len(other):
                    self.pivot(r, int(other[0]))
        usable = np.arange(count) < self.columns
        return 0 if self.minimize(np.concatenate([cost, np.zeros(self.rows + 1)]), usable) else 3


def _solved(c, A_ub, b_ub, A_eq, b_eq, low, high):
    """The status, the place, the steps, and the prices of both kinds of rows."""
    n = len(c)
    if (low > high).any():
        return 2, None, 0, None, None
    # Each number is its lower bound and more, or its upper bound and less, or the difference of two that are positive.
    free = ~np.isfinite(low) & ~np.isfinite(high)
    sign = np.where(np.isfinite(low) | free, 1.0, -1.0)
    base = np.where(np.isfinite(low), low, np.where(free, 0.0, high))
    both = np.flatnonzero(np.isfinite(low) & np.isfinite(high))
    split = np.flatnonzero(free)
    ub, eq, more = len(b_ub), len(b_eq), len(both)
    moved = np.concatenate([A_ub, A_eq, np.eye(n)[both]]) if n else np.zeros((ub + eq, 0))
    right = np.concatenate([b_ub - A_ub @ base, b_eq - A_eq @ base, (high - low)[both]])
    table = np.concatenate([moved * sign, -moved[:, split]], axis=1)
    slack = np.zeros((len(table), ub + more))
    for i in range(ub):
        slack[i, i] = 1.0
    for i in range(more):
        slack[ub + eq + i, ub + i] = 1.0
    whole = np.concatenate([table, slack], axis=1)
    cost = np.concatenate([c * sign, -c[split], np.zeros(ub + more)])
    found = _Tableau(whole, right)
    status = found.solve(cost)
    if status:
        return status, None, found.pivots, None, None
    values = np.zeros(found.columns + found.rows)
    values[found.basis] = found.table[:, -1]
    x = base + sign * values[:n]
    x[split] -= values[n:n + len(split)]
    wide = np.concatenate([whole, np.diag(np.where(right < 0, -1.0, 1.0))], axis=1)
    basic = wide[:, found.basis]
    prices = np.linalg.solve(basic.T, np.append(cost, np.zeros(found.rows))[found.basis]) if found.rows else np.zeros(0)
    return 0, x, found.pivots, prices[:ub], prices[ub:ub + eq]


def _whole(c, rows, low, high, whole):
    """Branches: a number that should be whole is rounded down in one branch and up in the other."""
    best, waiting, nodes = None, [(low, high)], 0
    while waiting:
        low, high = waiting.pop()
        status, x, *_ = _solved(c, *rows, low, high)
        nodes += 1
        if status == 3:
            return 3, None, nodes
        if status or best is not None and float(c @ x) >= best[0] - 1e-9 * max(1.0, abs(best[0])):
            continue
        parts = np.where(whole, np.abs(x - np.round(x)), 0.0)
        at = int(parts.argmax())
        if parts[at] < 1e-7:
            x = np.where(whole, np.round(x), x)
            best = float(c @ x), x
            continue
        down, up = np.array(high), np.array(low)
        down[at], up[at] = math.floor(x[at]), math.ceil(x[at])
        halves = [(low, down), (up, high)]
        # The nearer branch is searched first.
        waiting += halves if x[at] - math.floor(x[at]) > 0.5 else halves[::-1]
    return (2, None, nodes) if best is None else (0, best[1], nodes)


def _matrix(A, b, n, kind):
    if A is None:
        return np.zeros((0, n)), np.zeros(0)
    A = np.asarray(A.toarray() if hasattr(A, "toarray") else A, dtype=float)
    if A.ndim != 2:
        A = np.atleast_2d(A)
    if A.shape[1] != n:
        raise ValueError(f"Invalid input for linprog: A_{kind} must have exactly two dimensions, and the number of columns in A_{kind} must be equal to the "
                         "size of c")
    b = np.asarray([] if b is None else b, dtype=float).reshape(-1)
    if len(b) != len(A):
        raise ValueError(f"Invalid input for linprog: b_{kind} must be a 1-D array; b_{kind} must not have more than one non-singleton dimension and the "
                         f"number of rows in A_{kind} must equal the number of values in b_{kind}")
    return A, b


def _ends(bounds, n):
    if bounds is None:
        bounds = (0, None)
    if hasattr(bounds, "lb"):
        pairs = list(zip(np.broadcast_to(bounds.lb, (n,)).tolist(), np.broadcast_to(bounds.ub, (n,)).tolist()))
    else:
        pairs = list(bounds)
        if len(pairs) == 2 and not any(hasattr(p, "__len__") for p in pairs):
            pairs = [tuple(pairs)] * n
        elif len(pairs) == 1 and n != 1:
            pairs = [tuple(pairs[0])] * n
    if len(pairs) != n or any(len(p) != 2 for p in pairs):
        raise ValueError("Invalid input for linprog: unable to interpret bounds with this dimension tuple: "
                         f"{np.shape(pairs)}.")
    low = np.array([-np.inf if a is None else float(a) for a, _ in pairs])
    return low, np.array([np.inf if b is None else float(b) for _, b in pairs])


_STATES = {0: "Optimization terminated successfully. (HiGHS Status 7: Optimal)",
           2: "The problem is infeasible. (HiGHS Status 8: model_status is Infeasible; primal_status is None)",
           3: "The problem is unbounded. (HiGHS Status 10: model_status is Unbounded; primal_status is Feasible)"}


def linprog(c, A_ub=None, b_ub=None, A_eq=None, b_eq=None, bounds=(0, None), method="highs", callback=None, options=None, x0=None, integrality=None):
    """The least of `c @ x` where `A_ub @ x <= b_ub`, `A_eq @ x == b_eq` and `x` is between its bounds."""
    if method not in ("highs", "highs-ds", "highs-ipm"):
        if method in ("simplex", "revised simplex", "interior-point"):
            raise NotImplementedError(f"scipy.optimize.linprog(method={method!r}): the deprecated methods aren't here, 'highs' is")
        raise ValueError(f"Unknown solver '{method}'")
    if callback is not None:
        raise NotImplementedError("HiGHS solvers do not support the callback interface.")
    if x0 is not None:
        raise NotImplementedError("scipy.optimize.linprog(x0=)")
    # Tolerances and presolving don't change what is found; a limit would.
    for name in ("disp", "maxiter", "time_limit", "mip_rel_gap"):
        if (options or {}).get(name):
            raise NotImplementedError(f"scipy.optimize.linprog(options={{'{name}': …}})")
    c = np.asarray(c, dtype=float).reshape(-1)
    if not np.isfinite(c).all():
        raise ValueError("Invalid input for linprog: c must not contain values inf, nan, or None")
    n = len(c)
    A_ub, b_ub = _matrix(A_ub, b_ub, n, "ub")
    A_eq, b_eq = _matrix(A_eq, b_eq, n, "eq")
    low, high = _ends(bounds, n)
    rows = A_ub, b_ub, A_eq, b_eq
    kinds = None if integrality is None else np.broadcast_to(np.asarray(integrality), (n,))
    more = {"mip_node_count": 0, "mip_dual_bound": 0.0, "mip_gap": 0.0}
    if kinds is not None and kinds.any():
        if (kinds > 1).any():
            raise NotImplementedError("scipy.optimize.linprog(integrality=) of 2 or 3")
        status, x, nodes = _whole(c, rows, low, high, kinds == 1)
        steps, upper, equal, reduced = -1, np.zeros(len(b_ub)), np.zeros(len(b_eq)), np.zeros(n)
        if not status:
            more = {"mip_node_count": nodes, "mip_dual_bound": float(c @ x), "mip_gap": 0.0}
    else:
        status, x, steps, upper, equal = _solved(c, *rows, low, high)
        if not status:
            reduced = c - A_ub.T @ upper - A_eq.T @ equal
            reduced[np.abs(reduced) < 1e-12 * max(1.0, float(np.abs(c).max()) if n else 1.0)] = 0.0
            upper = np.where(np.abs(upper) < 1e-14, -0.0, upper)
    pair = lambda residual, marginals: OptimizeResult(residual=residual, marginals=marginals)
    if status:
        more = {}
        parts = [pair(None, None) for _ in range(4)]
    else:
        parts = [pair(x - low, np.maximum(reduced, 0.0)), pair(high - x, np.minimum(reduced, 0.0)), pair(b_eq - A_eq @ x, equal),
                 pair(b_ub - A_ub @ x, upper)]
    return OptimizeResult(x=x, fun=None if status else float(c @ x), nit=steps, status=status, success=status == 0, message=_STATES[status],
                          lower=parts[0], upper=parts[1], eqlin=parts[2], ineqlin=parts[3], **more)


def milp(c, *, integrality=None, bounds=None, constraints=None, options=None):
    """`linprog` with constraints between two bounds, and with whole numbers."""
    c = np.asarray(c, dtype=float).reshape(-1)
    n = len(c)
    if options:
        raise NotImplementedError("scipy.optimize.milp(options=)")
    above, over, same, level = [np.zeros((0, n))], [np.zeros(0)], [np.zeros((0, n))], [np.zeros(0)]
    for one in [] if constraints is None else constraints if isinstance(constraints, list) else [constraints]:
        A, low, high = (one.A, one.lb, one.ub) if hasattr(one, "A") else one
        A = np.atleast_2d(np.asarray(A.toarray() if hasattr(A, "toarray") else A, dtype=float))
        low, high = (np.broadcast_to(np.asarray(v, dtype=float), (len(A),)) for v in (low, high))
        equal = low == high
        same.append(A[equal])
        level.append(low[equal])
        for mask, side, sign in ((~equal & np.isfinite(high), high, 1.0), (~equal & np.isfinite(low), low, -1.0)):
            above.append(sign * A[mask])
            over.append(sign * side[mask])
    rows = np.concatenate(above), np.concatenate(over), np.concatenate(same), np.concatenate(level)
    low, high = _ends(bounds, n)
    kinds = np.broadcast_to(np.asarray(0 if integrality is None else integrality), (n,))
    if (kinds > 1).any():
        raise NotImplementedError("scipy.optimize.milp(integrality=) of 2 or 3")
    status, x, nodes = _whole(c, rows, low, high, kinds == 1)
    fun = None if status else float(c @ x)
    return OptimizeResult(status=status, message=_STATES[status], success=status == 0, x=x, fun=fun,
                          mip_node_count=None if status else nodes, mip_dual_bound=fun, mip_gap=None if status else 0.0)


def fmin_slsqp(func, x0, eqcons=(), f_eqcons=None, ieqcons=(), f_ieqcons=None, bounds=(), fprime=None, fprime_eqcons=None, fprime_ieqcons=None, args=(),
               iter=100, acc=1e-6, iprint=1, disp=None, full_output=0, epsilon=1.4901161193847656e-08, callback=None):
    from scipy._search import minimize

    if iprint > 1:
        raise NotImplementedError("scipy.optimize.fmin_slsqp(iprint=2)")
    held = [{"type": kind, "fun": one, "args": args} for kind, several in (("eq", eqcons), ("ineq", ieqcons)) for one in several]
    held += [{"type": kind, "fun": one, "jac": slope, "args": args}
             for kind, one, slope in (("eq", f_eqcons, fprime_eqcons), ("ineq", f_ieqcons, fprime_ieqcons)) if one]
    found = minimize(func, x0, args, "SLSQP", fprime, bounds=bounds or None, constraints=held, callback=callback,
                     options={"maxiter": iter, "ftol": acc, "eps": epsilon, "disp": bool(iprint if disp is None else disp)})
    return (found.x, found.fun, found.nit, found.status, found.message) if full_output else found.x

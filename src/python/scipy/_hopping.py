"""Searches that start at many places, fixed points, and least squares without negative numbers."""

import math

import numpy as np

from ._evolution import _source
from ._search import OptimizeResult, fmin, minimize

NAMES = ("basinhopping", "brute", "fixed_point", "nnls")


class _Steps:
    """Random steps. Their size follows the share of steps that were accepted."""

    def __init__(self, draw, size, taken, interval, target, factor):
        self.draw, self.taken, self.interval, self.target, self.factor = draw, taken, interval, target, factor
        self.stepsize, self.count, self.accepted = size, 0, 0

    def __call__(self, x):
        self.count += 1
        if self.count % self.interval == 0:
            of = self if self.taken is None else self.taken
            if hasattr(of, "stepsize"):
                of.stepsize *= 1 / self.factor if self.accepted / self.count > self.target else self.factor
        if self.taken is not None:
            return self.taken(x)
        return x + self.draw.uniform(-self.stepsize, self.stepsize, x.shape)


def basinhopping(func, x0, niter=100, T=1.0, stepsize=0.5, minimizer_kwargs=None, take_step=None, accept_test=None, callback=None, interval=50,
                 disp=False, niter_success=None, rng=None, *, target_accept_rate=0.5, stepwise_factor=0.9, seed=None):
    """The least of the minima that are found from places a random step away from each other."""
    for name, value in (("target_accept_rate", target_accept_rate), ("stepwise_factor", stepwise_factor)):
        if not 0 < value < 1:
            raise ValueError(f"{name} has to be in range (0, 1)")
    if disp:
        raise NotImplementedError("scipy.optimize.basinhopping(disp=True)")
    draw = _source(rng, seed)
    steps = _Steps(draw, stepsize, take_step, interval, target_accept_rate, stepwise_factor)
    search = lambda x: minimize(func, x, **(minimizer_kwargs or {}))
    found = search(np.array(x0, dtype=float).reshape(-1))
    best, here, failures = found, found, int(not found.success)
    counts = {name: found[name] for name in ("nfev", "njev", "nhev") if name in found}
    if callable(callback):
        callback(best.x, best.fun, True)
    message, since, done = "requested number of basinhopping iterations completed successfully", 0, 0
    for _ in range(niter):
        found = search(steps(np.copy(here.x)))
        failures += not found.success
        for name in counts:
            counts[name] += found.get(name, 0)
        tested = True if accept_test is None else accept_test(f_new=found.fun, x_new=found.x, f_old=here.fun, x_old=here.x)
        if tested is None:
            raise ValueError("accept_tests must return True, False, or 'force accept'")
        if isinstance(tested, str):
            taken = tested == "force accept"
        else:
            # A number is drawn in each step, so that the next ones don't depend on the test.
            likely = math.exp(min(0.0, -float(found.fun - here.fun) / T)) if T else float(found.fun <= here.fun)
            taken = likely >= draw.uniform() and bool(found.success or not here.success) and bool(tested)
        steps.accepted += taken
        done, since = done + 1, since + 1
        if taken:
            here = found
            if found.success and (found.fun < best.fun or not best.success):
                best, since = found, 0
        if callable(callback) and callback(found.x, found.fun, taken):
            message = "callback function requested stop early byreturning True"
            break
        if niter_success is not None and since > niter_success:
            message = "success condition satisfied"
            break
    return OptimizeResult(minimization_failures=failures, **counts, lowest_optimization_result=best, x=np.copy(best.x), fun=best.fun,
                          message=[message], nit=done, success=best.success)


def brute(func, ranges, args=(), Ns=20, full_output=0, finish=fmin, disp=False, workers=1):
    """The place of a grid at which a function is least, and the minimum near it."""
    if len(ranges) > 40:
        raise ValueError("Brute Force not possible with more than 40 variables.")
    args = args if isinstance(args, tuple) else (args,)
    lines = []
    for one in ranges:
        if not isinstance(one, slice):
            one = tuple(one) if len(one) == 3 else (one[0], one[1], complex(Ns))
            one = slice(*one)
        step = 1 if one.step is None else one.step
        lines.append(np.linspace(one.start, one.stop, int(abs(step))) if isinstance(step, complex) else np.arange(one.start, one.stop, step))
    grid = np.stack(np.meshgrid(*lines, indexing="ij"))
    places = grid.reshape(len(lines), -1).T
    values = np.array([float(np.squeeze(func(np.squeeze(place), *args))) for place in places])
    at = int(np.argmin(values))
    place, least = places[at], values[at]
    if len(lines) == 1:
        place, grid = place[0], grid[0]
    if callable(finish):
        if finish is not fmin:
            raise NotImplementedError("scipy.optimize.brute(finish=): fmin and None are here")
        found = minimize(func, place, args=args, method="Nelder-Mead")
        place, least = found.x, found.fun
    return (place, least, grid, values.reshape([len(line) for line in lines])) if full_output else place


def fixed_point(func, x0, args=(), xtol=1e-8, maxiter=500, method="del2"):
    """The number that a function returns unchanged."""
    if method not in ("del2", "iteration"):
        raise KeyError(method)
    here = np.asarray(x0, dtype=float)
    for _ in range(maxiter):
        first = np.asarray(func(here, *args))
        place = first
        if method == "del2":
            second = np.asarray(func(first, *args))
            bend = second - 2.0 * first + here
            still = bend == 0
            place = np.where(still, second, here - (first - here) ** 2 / np.where(still, 1.0, bend))
        away = np.where(here == 0, place, (place - here) / np.where(here == 0, 1.0, here))
        if (np.abs(away) < xtol).all():
            return place[()]
        here = place
    raise RuntimeError(f"Failed to converge after {maxiter} iterations, value is {here}")


def nnls(A, b, *, maxiter=None):
    """Least squares without negative numbers: columns join one after the other, and leave when their number falls below zero."""
    A, b = np.asarray(A, dtype=float), np.asarray(b, dtype=float)
    if A.ndim != 2:
        raise ValueError(f"Expected a two-dimensional array (matrix), but the shape of A is {A.shape}")
    b = b.reshape(-1)
    if len(b) != len(A):
        raise ValueError(f"Incompatible dimensions. The first dimension of A is {len(A)}, while the shape of b is {b.shape}")
    n = A.shape[1]
    x, inside = np.zeros(n), np.zeros(n, dtype=bool)
    small = 10 * max(A.shape) * np.finfo(float).eps * float(np.abs(A).sum(axis=0).max(initial=0.0))
    left = maxiter or 3 * n
    gain = A.T @ (b - A @ x)
    while not inside.all() and float(gain[~inside].max()) > small:
        inside[int(np.argmax(np.where(inside, -np.inf, gain)))] = True
        while True:
            left -= 1
            if left < 0:
                raise RuntimeError("Maximum number of iterations reached.")
            wanted = np.zeros(n)
            wanted[inside] = np.linalg.lstsq(A[:, inside], b, rcond=None)[0]
            low = inside & (wanted <= 0)
            if not low.any():
                break
            x = x + float((x[low] / (x[low] - wanted[low])).min()) * (wanted - x)
            inside &= x > small
            x[~inside] = 0.0
        x = wanted
        gain = A.T @ (b - A @ x)
    return x, float(np.linalg.norm(A @ x - b))

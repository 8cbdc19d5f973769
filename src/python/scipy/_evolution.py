"""Differential evolution: a search with a population, in the steps and with the random numbers of SciPy's."""

import inspect

import numpy as np

from ._search import Bounds, OptimizeResult, _limits, _value, minimize

NAMES = ("differential_evolution",)
_WAYS = {
    "best1": lambda P, s, c, r: P[0] + s * (P[r[0]] - P[r[1]]),
    "rand1": lambda P, s, c, r: P[r[0]] + s * (P[r[1]] - P[r[2]]),
    "randtobest1": lambda P, s, c, r: P[r[0]] + s * (P[0] - P[r[0]]) + s * (P[r[1]] - P[r[2]]),
    "currenttobest1": lambda P, s, c, r: P[c] + s * (P[0] - P[c] + P[r[0]] - P[r[1]]),
    "best2": lambda P, s, c, r: P[0] + s * (P[r[0]] + P[r[1]] - P[r[2]] - P[r[3]]),
    "rand2": lambda P, s, c, r: P[r[0]] + s * (P[r[1]] + P[r[2]] - P[r[3]] - P[r[4]]),
}


def _source(rng, seed):
    if hasattr(rng, "random") or hasattr(seed, "random"):
        return rng if seed is None else seed
    if seed is not None:
        return np.random.RandomState(seed)
    return np.random.default_rng(rng)


def differential_evolution(func, bounds, args=(), strategy="best1bin", maxiter=1000, popsize=15, tol=0.01, mutation=(0.5, 1), recombination=0.7,
                           rng=None, callback=None, disp=False, polish=True, init="latinhypercube", atol=0, updating="immediate", workers=1,
                           constraints=(), x0=None, *, integrality=None, vectorized=False, seed=None):
    """The place in a box at which a function is least, found with a population of places."""
    refused = {"constraints": not isinstance(constraints, tuple) or bool(constraints), "integrality": integrality is not None,
               "vectorized": vectorized, "workers": workers != 1, "updating": updating != "immediate", "init": init != "latinhypercube",
               "polish": callable(polish), "strategy": callable(strategy)}
    if any(refused.values()):
        raise NotImplementedError(f"scipy.optimize.differential_evolution({', '.join(n for n, bad in refused.items() if bad)}=)")
    way, kind = strategy[:-3], strategy[-3:]
    if way not in _WAYS or kind not in ("bin", "exp"):
        raise ValueError("Please select a valid mutation strategy")
    low, high = _limits(bounds, len(bounds.lb) if hasattr(bounds, "lb") else len(bounds))
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        raise ValueError("bounds should be a sequence containing finite real valued (min, max) pairs for each value in x")
    args = args if isinstance(args, tuple) else (args,)
    width, random = len(low), _source(rng, seed)
    count = max(5, popsize * max(1, width - int((low == high).sum())))
    middle, wide = 0.5 * (low + high), np.abs(low - high)
    pick = random.randint if hasattr(random, "randint") else random.integers

    def value(x):
        return _value(func, x, args)

    spread = random.uniform(size=(count, width)) / count + np.linspace(0.0, 1.0, count, endpoint=False)[:, None]
    P = np.zeros((count, width))
    for j in range(width):
        P[:, j] = spread[random.permutation(count), j]
    if x0 is not None:
        first = (np.asarray(x0, dtype=float) - middle) / wide + 0.5
        if ((first > 1.0) | (first < 0.0)).any():
            raise ValueError("Some entries in x0 lay outside the specified bounds")
        P[0] = first
    scaled = lambda trial: middle + (trial - 0.5) * wide
    values = np.array([value(scaled(p)) for p in P])
    calls, steps, success, message = count, 0, True, "Optimization terminated successfully."

    def promote():
        best = int(np.argmin(values))
        values[[0, best]] = values[[best, 0]]
        P[[0, best]] = P[[best, 0]]

    promote()
    numbers, ranges = np.arange(count), mutation if hasattr(mutation, "__len__") else None
    share = mutation

    def found():
        return OptimizeResult(x=scaled(P[0]), fun=np.float64(values[0]), nfev=calls, nit=steps, message=message, success=success,
                              population=scaled(P), population_energies=values)

    for steps in range(1, maxiter + 1):
        if ranges is not None:
            share = random.uniform(min(ranges), max(ranges))
        for c in range(count):
            fill = int(pick(width))
            random.shuffle(numbers)
            others = [i for i in numbers[:6].tolist() if i != c][:5]
            made = _WAYS[way](P, share, c, others)
            crossed = random.uniform(size=width) < recombination
            if kind == "bin":
                crossed[fill] = True
                trial = np.where(crossed, made, P[c])
            else:
                trial, crossed[0] = P[c].copy(), True
                for i in range(width):
                    if not crossed[i]:
                        break
                    trial[fill] = made[fill]
                    fill = (fill + 1) % width
            outside = (trial > 1) | (trial < 0)
            if outside.any():
                trial[outside] = random.uniform(size=int(outside.sum()))
            f = value(scaled(trial))
            calls += 1
            if f <= values[c]:
                P[c], values[c] = trial, f
                if f <= values[0]:
                    promote()
        if disp:
            print(f"differential_evolution step {steps}: f(x)= {values[0]}")
        if callback is not None and _told(callback, found(), tol, values):
            success, message = False, "callback function requested stop early"
            break
        if np.isfinite(values).all() and values.std() <= atol + tol * abs(values.mean()):
            break
    else:
        success, message = False, "Maximum number of iterations has been exceeded."
    made = found()
    if polish:
        if disp:
            print("Polishing solution with 'L-BFGS-B'")
        last = minimize(func, made.x.copy(), args, method="L-BFGS-B", bounds=Bounds(low, high))
        made.nfev += last.nfev
        if last.fun < made.fun and last.success and np.all(last.x <= high) and np.all(low <= last.x):
            made.fun, made.x, made.jac = last.fun, last.x, last.jac
            values[0], P[0] = last.fun, (last.x - middle) / wide + 0.5
    return made


def _told(callback, found, tol, values):
    """Whether the function that is told of each step asks for the end."""
    away = values.std() / (abs(values.mean()) + np.finfo(float).eps) if np.isfinite(values).all() else np.inf
    found.convergence = tol / (away + np.finfo(float).eps)
    try:
        if "intermediate_result" in inspect.signature(callback).parameters:
            return bool(callback(intermediate_result=found))
        return bool(callback(np.copy(found.x), convergence=found.convergence))
    except StopIteration:
        return True

"""Differential evolution with SciPy's random numbers."""

import numpy as np
from scipy.optimize import Bounds, differential_evolution, rosen


def bumps(v, height=10):
    return height * len(v) + (v**2 - height * np.cos(2 * np.pi * v)).sum()


found = differential_evolution(rosen, [(-2, 2)] * 2, seed=1, maxiter=15, popsize=5)
print(found.x.round(5), round(float(found.fun), 6), found.nit, found.nfev, found.message, found.success, sorted(found))
print(found.population.shape, found.population[:2].round(4), found.population_energies[:3].round(4))
for options in ({"rng": 3}, {"seed": np.random.RandomState(0), "strategy": "rand1exp"}, {"rng": np.random.default_rng(5), "strategy": "currenttobest1bin"},
                {"seed": 2, "mutation": 0.7, "polish": False, "x0": [1, 1]}, {"rng": 4, "strategy": "rand2bin"}, {"rng": 4, "strategy": "best2exp"},
                {"rng": 1, "strategy": "randtobest1bin"}):
    found = differential_evolution(bumps, Bounds([-5, -5], [5, 4]), popsize=4, maxiter=6, **options)
    print(found.x.round(4), round(float(found.fun), 4), found.nit, found.nfev, found.message)
seen = []
found = differential_evolution(bumps, [(-3, 3)], args=(2,), rng=7, callback=lambda xk, convergence: seen.append(xk) or len(seen) > 3, disp=True, popsize=5)
print(found.message, found.success, len(seen), found.x.round(4))
for wrong in ({"strategy": "worst1bin"}, {"x0": [9, 9]}, {"bounds": [(0, np.inf), (0, 1)]}):
    try:
        differential_evolution(rosen, **{"bounds": [(0, 1), (0, 1)], **wrong})
    except ValueError as e:
        print(e)

"""Searches along lines: Powell's, conjugate gradients and Newton's."""

import warnings

import numpy as np
from scipy.optimize import minimize, rosen, rosen_der, rosen_hess

warnings.simplefilter("ignore")
start = [1.3, 0.7, 0.8, 1.9, 1.2]
print(minimize(rosen, start, method="CG", jac=rosen_der))
print(minimize(rosen, [0, 0], method="CG", tol=1e-8))
print(minimize(rosen, start, method="Powell", tol=1e-8))
print(minimize(rosen, [0, 0], method="Powell"))
for options in ({}, {"hess": rosen_hess}, {"hessp": lambda x, p: rosen_hess(x) @ p}):
    print(minimize(rosen, start, method="Newton-CG", jac=rosen_der, **options))
print(minimize(rosen, start, method="BFGS", jac=rosen_der, tol=1e-8))


def hill(v):
    return (v[0] - 1) ** 2 + (v[1] - 2.5) ** 2 + np.sin(3 * v[0]) * 0.3


print(minimize(hill, (0.5, 0), method="Powell", bounds=[(0, 0.8), (0, None)]))
print(minimize(hill, (0.5, 0), method="Powell", bounds=[(0, 2), (-1, 4)], options={"maxiter": 1}))
print(minimize(lambda v: 3.0, (0.5, 1.0), method="Powell"))
found = minimize(lambda v: ((v - 3) ** 2).sum() + abs(v[0]), np.ones(3), method="CG", options={"disp": True, "maxiter": 5})
print(found.x.round(4), found.nit, found.message)
places = []
minimize(rosen, [2, 2], method="Newton-CG", jac=rosen_der, callback=places.append, options={"disp": True, "xtol": 1e-6})
print(len(places), places[-1].round(5))
try:
    minimize(rosen, [0, 0], method="Newton-CG")
except ValueError as e:
    print(e)
print(minimize(lambda v, a: ((v - a) ** 2).sum() ** 2, [5.0, -3], args=(2,), method="Powell").x.round(3))
print(minimize(lambda v: (np.cosh(v - 1).sum(), np.sinh(v - 1)), [3.0, 4], method="CG", jac=True).x.round(5))

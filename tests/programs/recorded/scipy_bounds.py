"""Curves and minima within bounds."""

import numpy as np
from scipy.optimize import Bounds, check_grad, curve_fit, minimize, rosen, rosen_der, rosen_hess


def tried(function):
    try:
        print(function())
    except Exception as e:
        print(type(e).__name__, e)


x = np.linspace(0, 4, 25)
data = 2.5 * np.exp(-1.3 * x) + 0.5 + 0.05 * np.random.default_rng(0).normal(size=25)


def f(x, a, b, c):
    return a * np.exp(-b * x) + c


print(*curve_fit(f, x, data, bounds=(0, [3.0, 1.0, 0.5])), sep="\n")
print(curve_fit(f, x, data, bounds=([0, 0, 0], np.inf), p0=[2, 1, 1])[0], curve_fit(f, x, data, method="trf")[0])
print(curve_fit(f, x, data, bounds=Bounds([0, 0, 0], [3, 3, 3]), sigma=np.full(25, 0.05), absolute_sigma=True)[1])
*_, info, message, end = curve_fit(f, x, data, bounds=(0, 5), full_output=True)
print(sorted(info), info["nfev"], message, end)
*_, info, message, end = curve_fit(f, x, data, full_output=True)
print(info["nfev"], message, end)
print(curve_fit(f, x, data, sigma=np.diag(np.linspace(0.01, 0.1, 25)))[0])
tried(lambda: curve_fit(f, x, data, p0=[9, 9, 9], bounds=(0, 3)))
tried(lambda: curve_fit(f, x, data, bounds=(3, 0)))
tried(lambda: curve_fit(f, x, data, method="lm", bounds=(0, 3)))
tried(lambda: curve_fit(f, x[:2], data[:2]))

start = [1.3, 0.7]
for found in (minimize(rosen, start, method="L-BFGS-B", bounds=[(0, 0.8), (None, 0.5)]),
              minimize(rosen, start, jac=rosen_der, bounds=Bounds([0, 0], [0.9, 2])),
              minimize(lambda x: (x - 3) ** 2, [0.0], bounds=[(0, 2)]),
              minimize(rosen, [1.3, 0.7, 0.8, 1.9], jac=rosen_der, bounds=[(0, 0.9), (None, None), (0.2, None), (0, 1)]),
              minimize(lambda v: ((v - np.arange(5)) ** 2).sum() + v[0] * v[4], np.ones(5), bounds=[(0.5, 3)] * 5)):
    print(found.x.round(5), found.nit, found.nfev, found.message, found.success)
print(minimize(rosen, start, method="Nelder-Mead", bounds=[(0, 2), (0, 2)]).nfev)
tried(lambda: minimize(rosen, start, bounds=[(1, 0), (0, 1)]))
print(rosen([1, 2, 3]), rosen_der(np.array([1.0, 2, 3])), rosen_hess(np.array([1.0, 2, 3])), check_grad(rosen, rosen_der, [1, 2]) < 1e-4)

"""Zeros of systems, least squares and differential equations."""

import numpy as np, scipy
from scipy import optimize
from scipy import integrate
from scipy import interpolate
from scipy import stats
from scipy import special
from scipy import linalg
from scipy import sparse
from scipy import signal
from scipy import ndimage
from scipy import spatial
from scipy import cluster
from scipy import fft
from scipy import constants
from scipy.optimize import least_squares
from scipy.optimize import fsolve
from scipy.optimize import root
from scipy.optimize import minimize
from scipy.optimize import curve_fit
from scipy.optimize import linprog
from scipy.optimize import minimize_scalar
from scipy.optimize import differential_evolution
from scipy.optimize import fmin
from scipy.optimize import approx_fprime
r = least_squares(lambda x: [x[0] - 1, 10 * (x[1] - x[0] ** 2)], [2.0, 2.0])
print(repr(r.x))
print(repr(r.cost))
print(repr(r.nfev))
print(repr(r.status))
print(repr(r.message))
print(repr(r.success))
print(repr(r.optimality))
print(repr(r))
print(repr(least_squares(lambda x: x ** 2 - 2, [1.0], bounds=(0, 3)).x))
print(repr(least_squares(lambda x: np.array([x[0] + x[1] - 3, x[0] - x[1], 5 - x[0]]), [0, 0], loss='soft_l1').x))
print(repr(fsolve(lambda x: x ** 2 - 2, 1.0)))
print(repr(fsolve(lambda x: [x[0] * np.cos(x[1]) - 4, x[1] * x[0] - x[1] - 5], [1, 1])))
print(repr(fsolve(lambda x: x ** 2 - 2, 1.0, full_output=True)))
print(repr(root(lambda x: [x[0] ** 2 + x[1] - 3, x[0] - x[1]], [1, 1])))
print(repr(root(lambda x: x + 2 * np.cos(x), 0.3).x))
print(repr(root(lambda x: x + 2 * np.cos(x), 0.3, method='lm').x))
print(repr(minimize(lambda x: (x[0] - 1) ** 2 + (x[1] - 2.5) ** 2, (2, 0), method='Nelder-Mead').x))
print(repr(minimize_scalar(lambda x: (x - 2) * x * (x + 2) ** 2)))
print(repr(minimize_scalar(lambda x: (x - 2) ** 2, bounds=(0, 1), method='bounded').x))
print(repr(curve_fit(lambda x, a, b: a * np.exp(-b * x), np.linspace(0, 4, 10), 2.5 * np.exp(-1.3 * np.linspace(0, 4, 10)))))
print(repr(curve_fit(lambda x, a, b: a * x + b, [0, 1, 2], [1, 3, 5.1], sigma=[1, 1, 2.0], absolute_sigma=True)))
print(repr(fmin(lambda x: (x[0] - 1) ** 2, [0.0])))
print(repr(fmin(lambda x: (x[0] - 1) ** 2, [0.0], disp=False)))
print(repr(optimize.brentq(lambda x: x ** 2 - 2, 0, 2)))
print(repr(optimize.bisect(lambda x: x ** 2 - 2, 0, 2)))
print(repr(optimize.newton(lambda x: x ** 2 - 2, 1)))
print(repr(optimize.root_scalar(lambda x: x ** 2 - 2, bracket=[0, 2])))
print(repr(approx_fprime([1.0, 2.0], lambda x: (x ** 2).sum(), 1e-08)))
print(repr(integrate.odeint(lambda y, t: -2 * y, 1.0, np.linspace(0, 1, 4))))
print(repr(integrate.odeint(lambda y, t, b, c: [y[1], -b * y[1] - c * np.sin(y[0])], [np.pi - 0.1, 0.0], np.linspace(0, 3, 4), args=(0.25, 5.0))))
sol = integrate.solve_ivp(lambda t, y: -0.5 * y, [0, 4], [2, 4], t_eval=[0, 1, 2])
print(repr(sol))
print(repr(integrate.solve_ivp(lambda t, y: [y[1], -9.8], [0, 5], [10, 0], events=lambda t, y: y[0]).t_events))
print(repr(integrate.solve_ivp(lambda t, y: -y, [0, 1], [1.0], dense_output=True).sol(0.5)))

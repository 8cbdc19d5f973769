"""Searches for minima and zeros, curves that fit, splines, areas and differential equations."""

import numpy as np
from scipy.integrate import cumulative_trapezoid, dblquad, quad, simpson, solve_ivp, trapezoid
from scipy.interpolate import CubicSpline, interp1d
from scipy.optimize import brentq, curve_fit, linear_sum_assignment, minimize, minimize_scalar, newton, root_scalar
from scipy.spatial import KDTree, distance_matrix


def rosen(x):
    return sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def slope(x):
    g = np.zeros_like(x)
    g[:-1] += -400 * x[:-1] * (x[1:] - x[:-1] ** 2) - 2 * (1 - x[:-1])
    g[1:] += 200 * (x[1:] - x[:-1] ** 2)
    return g


r = minimize(rosen, [1.3, 0.7, 0.8], method="Nelder-Mead")
print(r.x, r.fun, r.nit, r.nfev, r.message, r.success)
print(minimize(rosen, [1.3, 0.7, 0.8], jac=slope))
r = minimize(lambda x: (x[0] - 1) ** 2 + (x[1] - 2.5) ** 2, (2, 0), method="L-BFGS-B")
print(r.x.round(5), r.nit, r.nfev, r.njev, r.message)
print(minimize_scalar(lambda x: np.cos(x) + 0.1 * x).x.round(6), minimize_scalar(lambda x: (x - 2) ** 2, bounds=(0, 1), method="bounded").x.round(6))
print(brentq(lambda x: x**3 - 2, 0, 2), newton(lambda x: x**2 - 2, 1.0), root_scalar(lambda x: x**2 - 2, bracket=[0, 2]).root)
rng = np.random.RandomState(0)
for shape in [(5, 5), (4, 7), (8, 3)]:
    cost = rng.randint(0, 9, shape)
    print(linear_sum_assignment(cost), linear_sum_assignment(cost, maximize=True))

x = np.linspace(0, 4, 50)
y = 2.5 * np.exp(-1.3 * x) + 0.5 + 0.05 * rng.randn(50)
curve = lambda x, a, b, c: a * np.exp(-b * x) + c  # noqa: E731
for options in ({}, dict(p0=[1, 1, 1], sigma=np.full(50, 0.05), absolute_sigma=True)):
    p, cov = curve_fit(curve, x, y, **options)
    print(p.round(6), np.sqrt(np.diag(cov)).round(6))

x, y = np.arange(10.0), np.sin(np.arange(10.0))
print(interp1d(x, y)([0.1, 8.9]).round(8), interp1d(x, y, kind="cubic")([2.5, 7.7]).round(8), interp1d(x, y, kind="nearest")([2.4, 2.6]).round(8))
print(interp1d(x, y, fill_value="extrapolate")([11.0]).round(8), interp1d(x, y, bounds_error=False)([11.0]))
try:
    interp1d(x, y)(11.0)
except ValueError as error:
    print(error)
for ends in ("not-a-knot", "natural", "clamped"):
    s = CubicSpline(x, y, bc_type=ends)
    print(s([0.5, 7.7]).round(8), s(2.5, 1).round(8), s.derivative()(1.5).round(8), s.integrate(0, 3).round(8))

print(quad(lambda x: x**2, 0, 1), quad(np.sin, 0, 10), quad(lambda x: 1 / (1 + x * x), 0, np.inf))
print(trapezoid([1, 2, 3], dx=0.5), simpson([1, 2, 3, 4], x=[0, 1, 2, 3]), cumulative_trapezoid([1, 2, 3], initial=0))
print(round(dblquad(lambda y, x: x * y, 0, 1, 0, 2)[0], 10))
s = solve_ivp(lambda t, y: [-0.5 * y[0]], [0, 10], [2.0], t_eval=[0, 1, 5, 10])
print(s.t, s.y.round(8), s.nfev, s.status, s.message)
s = solve_ivp(lambda t, y: [y[1], -y[0]], (0, 6), [0, 1], rtol=1e-8, atol=1e-8)
print(len(s.t), s.y[:, -1].round(8))

X = np.random.RandomState(0).rand(50, 3)
t = KDTree(X)
print(t.query(X[:3] + 0.01, k=3), t.query(X[0]), t.query_ball_point(X[:2], 0.3), len(t.query_pairs(0.2)))
print(distance_matrix(X[:2], X[:3]))

found = minimize_scalar(lambda x: (x - 1.3) ** 2 + 0.1 * np.sin(5 * x), bracket=(-2, 2))
print(f"{found.x:.6f} {found.fun:.6f}", found.nit, found.nfev)

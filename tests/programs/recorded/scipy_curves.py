"""Curves through points and near them: splines, polynomials, grids and radial functions."""
import warnings

import numpy as np
warnings.simplefilter("always")
from scipy.interpolate import BSpline, make_interp_spline, make_lsq_spline, splrep, splev, splint, sproot, UnivariateSpline, InterpolatedUnivariateSpline, LSQUnivariateSpline, RectBivariateSpline, CubicSpline, CubicHermiteSpline, PchipInterpolator, Akima1DInterpolator, BarycentricInterpolator, KroghInterpolator, barycentric_interpolate, pchip_interpolate, lagrange, RegularGridInterpolator, interpn, RBFInterpolator, griddata, interp1d
np.set_printoptions(precision=6, suppress=True)
def show(*a):
    print(*[np.round(np.asarray(v, dtype=float), 6).tolist() if not isinstance(v, (str,tuple)) else v for v in a])
rng = np.random.RandomState(0)
x = np.linspace(0, 10, 11); y = np.cos(x**2/9.0)
tck = splrep(x, y)
show(tck[0], tck[1], tck[2])
xs = np.linspace(-0.5, 10.5, 12)
show(splev(xs, tck), splev(xs, tck, der=1), splev(xs, tck, der=2), splev(xs, tck, ext=1), splev(xs, tck, ext=3))
show(splint(0, 5, tck), splint(-1, 20, tck), sproot(tck))
for k in (1,2,3,4,5):
    t = splrep(x, y, k=k); show(t[0], splev(xs, t))
xn = np.linspace(0, 2*np.pi, 40); yn = np.sin(xn) + 0.1*rng.randn(40)
for s in (0.05, 0.2, 0.4, 1, 5, None):
    t, fp, ier, msg = splrep(xn, yn, s=s, full_output=1)
    show(t[0], t[1], fp, ier)
t = splrep(xn, yn, w=np.full(40, 10.0)); show(t[0], t[1])
t = splrep(xn, yn, t=[1,2,3,4,5]); show(t[0], t[1])
for s in (None, 0.3, 0.5, 0):
    for k in (3, 4, 2):
        u = UnivariateSpline(xn, yn, s=s, k=k); show(u.get_knots(), u.get_coeffs(), u.get_residual(), u(xs), u.integral(0, 3))
u = UnivariateSpline(xn, yn, s=0.4)
show(u.roots(), u.derivatives(1.5), u.derivative()(xs), u.antiderivative()(xs))
u.set_smoothing_factor(0.6); show(u(xs))
u = InterpolatedUnivariateSpline(x, y); show(u(xs), u.roots(), u(xs, nu=1), u(xs, ext=1), u(xs, ext='const'))
u = LSQUnivariateSpline(xn, yn, [1,3,5]); show(u(xs), u.get_residual(), u.get_coeffs())
b = make_interp_spline(x, y); show(b.t, b.c, b.k, b(xs), b(xs, 1), b.derivative()(xs), b.antiderivative()(xs), b.integrate(0, 3))
for bc in ("natural", "clamped", ([(1, 0.5)], [(2, 0.0)])):
    b = make_interp_spline(x, y, bc_type=bc); show(b.t, b(xs))
for k in (0,1,2,4,5):
    b = make_interp_spline(x, y, k=k); show(b.t, b(xs))
b = BSpline([0,1,2,3,4,5,6], [-1,2,0,-1], 2)
show(b(2.5), b([0.5, 3.3]), b(7.0, extrapolate=False))
bb = BSpline.basis_element([0,1,2,3,4]); show(bb.t, bb.c, bb(np.linspace(0,4,9)))
show(BSpline.design_matrix(np.array([2.,3.,2.5]), np.arange(8.), 2).toarray())
b = make_lsq_spline(xn, yn, np.r_[(0,)*4, [1,2,4], (xn[-1],)*4]); show(b.c)
for c in (CubicSpline(x, y), CubicSpline(x, y, bc_type='natural'), PchipInterpolator(x, y), Akima1DInterpolator(x, y), Akima1DInterpolator(x, y, method="makima")):
    show(c(xs), c.derivative()(xs), c.roots(), c.solve(0.5), c.integrate(0.5, 3), c.c)
th = 2*np.pi*np.linspace(0,1,5); yy = np.c_[np.cos(th), np.sin(th)]; yy[-1] = yy[0]
cs = CubicSpline(th, yy, bc_type='periodic'); show(cs([0.3, 7, -2]), cs(th[1:], 1), cs.c)
show(CubicHermiteSpline([0,1,2],[0,1,0],[1,0,-1])([0.5,1.5]))
for kind in ("quadratic","slinear","zero","cubic",2,5,"previous"):
    f = interp1d(x, y, kind=kind); show(f(np.linspace(0.2, 9.7, 7)))
f = interp1d(x, y, kind="quadratic", fill_value="extrapolate"); show(f([-1, 11]))
p = lagrange([0,1,2],[0,1,8]); print(p)
show(p.coef)
show(BarycentricInterpolator(x, y)(xs[1:-1]), KroghInterpolator(x, y)(xs[1:-1]), KroghInterpolator(x,y).derivative([1.5]), barycentric_interpolate(x,y,[2.5]), pchip_interpolate(x,y,[2.5],der=1))
gx, gy = np.arange(4.0), np.linspace(0,1,5); gz = np.sin(gx)[:,None]*np.cos(gy)
r = RegularGridInterpolator((gx,gy), gz); show(r([[0.5,0.3],[2.2,0.9]]), r((1.5, 0.5)), r(([0.5,1.5],[0.2,0.4])), r([[0.5,0.3]], method="nearest"))
r = RegularGridInterpolator((gx,gy), gz, bounds_error=False, fill_value=None); show(r([[5,0.3]]))
show(interpn((gx,gy), gz, [[1.5,0.5]]))
s = RectBivariateSpline(np.linspace(0,3,6), np.linspace(0,1,5), np.sin(np.linspace(0,3,6))[:,None]*np.linspace(0,1,5)**2)
show(s([0.5,1.5],[0.2,0.7]), s.ev(0.5,0.2), s([1.],[0.5],dx=1), s.integral(0,1,0,1))
P = rng.rand(30,2); d = np.sin(6*P[:,0]) + P[:,1]
for kernel in ("thin_plate_spline","linear","cubic","quintic"):
    show(RBFInterpolator(P, d, kernel=kernel)(rng.rand(4,2)))
show(RBFInterpolator(P, d, kernel="gaussian", epsilon=3)(P[:3]+0.01), RBFInterpolator(P, d, smoothing=0.1)(P[:3]))
show(griddata(P, d, (np.array([[0.2,0.4]]), np.array([[0.3,0.9]])), method="nearest"), griddata(np.arange(5.), np.arange(5.)**2, [0.5, 7.0]))
for call in (lambda: CubicSpline([0,1],[1]), lambda: make_interp_spline([0,0,1],[1,2,3]), lambda: splrep([0,1],[1,2]), lambda: UnivariateSpline([0,2,1,3,4],[1,2,3,4,5]), lambda: interp1d([0,1],[0,1],kind="cubic"),
             lambda: InterpolatedUnivariateSpline([0,0,1,3],[1,2,3,4]), lambda: BSpline([0,1,2],[1],2), lambda: RegularGridInterpolator((gx,gy), gz)([[9,9]]), lambda: PchipInterpolator([0,2,1],[1,2,3]), lambda: interp1d([0,1],[0,1],kind="foo"), lambda: interp1d([0,1],[0,1],kind="quadratic"),
             lambda: BSpline(np.arange(5.),[1,2],2)):
    try:
        call()
        print("ok")
    except Exception as e:
        print(type(e).__name__, e)
print(UnivariateSpline.__name__, type(interp1d(x,y)).__name__)

"""Minima with constraints (SLSQP), and what a search prints."""
import numpy as np
from scipy.optimize import minimize, LinearConstraint, NonlinearConstraint, Bounds
def f(x):
    return (x[0]-1)**2+(x[1]-2.5)**2

cons = ({'type':'ineq','fun':lambda x: x[0]-2*x[1]+2},{'type':'ineq','fun':lambda x:-x[0]-2*x[1]+6},{'type':'ineq','fun':lambda x:-x[0]+2*x[1]+2})
print(minimize(f, (2,0), method='SLSQP', bounds=((0,None),(0,None)), constraints=cons))
print(minimize(lambda x: x[0]**2+x[1]**2, [1,1], constraints={'type':'eq','fun':lambda x:x[0]+x[1]-1}))
def func(x, sign=1.0):
    return sign*(2*x[0]*x[1] + 2*x[0] - x[0]**2 - 2*x[1]**2)

def deriv(x, sign=1.0):
    return np.array([sign*(-2*x[0] + 2*x[1] + 2), sign*(2*x[0] - 4*x[1])])

cons = ({'type': 'eq','fun': lambda x: np.array([x[0]**3 - x[1]]), 'jac': lambda x: np.array([3.0*(x[0]**2.0), -1.0])},
        {'type': 'ineq','fun': lambda x: np.array([x[1] - 1]), 'jac': lambda x: np.array([0.0, 1.0])})
print(minimize(func, [-1.0,1.0], args=(-1.0,), jac=deriv, constraints=cons, method='SLSQP', options={'disp': True}))
print(minimize(func, [-1.0,1.0], args=(-1.0,), jac=deriv, method='SLSQP', options={'disp': True}))
# HS071
def obj(x):
    return x[0]*x[3]*(x[0]+x[1]+x[2])+x[2]

r = minimize(obj, [1,5,5,1], bounds=[(1,5)]*4, constraints=[{'type':'ineq','fun':lambda x: np.prod(x)-25},{'type':'eq','fun':lambda x: np.sum(x**2)-40}])
print(r)
# portfolio
rng = np.random.RandomState(0)
R = rng.randn(100,5)*0.02+0.001*np.arange(5)
mu = R.mean(0)
S = np.cov(R.T)
n=5
def vol(w):
    return np.sqrt(w@S@w)

r = minimize(vol, np.full(n,1/n), bounds=[(0,1)]*n, constraints=[{'type':'eq','fun':lambda w: w.sum()-1}], method="SLSQP")
print(r)
r = minimize(lambda w: -(w@mu)/vol(w), np.full(n,1/n), bounds=[(0,1)]*n, constraints=[{'type':'eq','fun':lambda w: w.sum()-1}])
print(r.x.round(5), r.fun, r.nit, r.nfev, r.message)
for target in np.linspace(mu.min(), mu.max(), 5)[1:-1]:
    r = minimize(vol, np.full(n,1/n), bounds=[(0,1)]*n, constraints=[{'type':'eq','fun':lambda w: w.sum()-1},{'type':'eq','fun':lambda w,t: w@mu-t,'args':(target,)}])
    print(r.x.round(4), round(float(r.fun),6), r.nit, r.nfev, r.njev, r.status)
def rosen(x):
    return sum(100.0*(x[1:]-x[:-1]**2.0)**2.0 + (1-x[:-1])**2.0)

for x0 in ([1.3,0.7,0.8,1.9,1.2],[0.5,0],[-1.2,1.0]):
    r = minimize(rosen, x0, method="SLSQP")
    print(r.x.round(3), r.nit, r.nfev, r.njev, r.message)
r = minimize(rosen, [0.5,0], method="SLSQP", bounds=Bounds([0,-0.5],[1.0,2.0]), constraints=[LinearConstraint([[1,2],[2,1]],[-np.inf,1],[1,1]), NonlinearConstraint(lambda x: [x[0]**2+x[1], x[0]**2-x[1]], -np.inf, 1)], options={'ftol':1e-9,'disp':True})
print(r)
print(minimize(f, (2,0), constraints=[{'type':'ineq','fun':lambda x: x[0]-5},{'type':'ineq','fun':lambda x: 2-x[0]}], method='SLSQP'))
print(minimize(f, (2,0), method='SLSQP', options={'maxiter':1}).message)
print(minimize(lambda x: x[0]**2+x[1]**2+x[0]*x[1], [3.,4.], tol=1e-3, method='SLSQP', callback=lambda x: print('cb', x.round(5))).nit)
for c in ({'fun':f},{'type':'foo','fun':f},{'type':'eq'},):
    try:
        minimize(f,(0,0),constraints=c)
    except Exception as e:
        print(type(e).__name__, e)
try:
    minimize(f,(0,0),bounds=[(3,1),(0,1)], method='SLSQP')
except Exception as e:
    print(type(e).__name__, e)
print(minimize(f, (2,0), constraints=[{'type':'eq','fun':lambda x: x[0]-1},{'type':'eq','fun':lambda x: 2*x[0]-2}], method='SLSQP').message)
print(minimize(f, (2,0), constraints=[{'type':'eq','fun':lambda x: [x[0]-1, x[1], x[0]+x[1]]}], method='SLSQP').message)
for m in ("nelder-mead","BFGS","L-BFGS-B"):
    r = minimize(rosen, [1.3,0.7], method=m, options={'disp':True})
    print(r.nit)
r = minimize(rosen, [1.3,0.7], method="nelder-mead", options={'disp':True,'maxiter':3})
r = minimize(rosen, [1.3,0.7], method="bfgs", options={'disp':True,'maxiter':3})

"""Linear programs: places, values, prices and errors."""
import numpy as np
from scipy.optimize import linprog, milp, LinearConstraint, Bounds
def go(*a, **k):
    r = linprog(*a, **k)
    t = str(r).split("\n")
    print("\n".join(l for l in t if " nit:" not in l))
go([-1,4],A_ub=[[-3,1],[1,2]],b_ub=[6,4],bounds=[(None,None),(-3,None)])
go([-3,-5],A_ub=[[1,0],[0,2],[3,2]],b_ub=[4,12,18])
go([1,2,3],A_eq=[[1,1,1]],b_eq=[10],bounds=[(0,4),(1,None),(0,5)])
go([-1,4],A_ub=[[-3,1],[1,2]],b_ub=[6,4],A_eq=[[1,1]],b_eq=[-100], bounds=[(0,None),(-3,None)])
go([2,3],A_ub=[[-1,-1],[-2,-1]],b_ub=[-4,-5],method="highs")
# transport
c=[4,6,8,5,3,7]
A_ub=[[1,1,1,0,0,0],[0,0,0,1,1,1]]
b=[100,150]
A_eq=np.hstack([np.eye(3),np.eye(3)])
be=[80,90,60]
go(c,A_ub=A_ub,b_ub=b,A_eq=A_eq,b_eq=be)
go([0.6,0.35],A_ub=[[-5,-7],[-4,-2],[-2,-1]],b_ub=[-8,-15,-3])
rng=np.random.RandomState(0)
w=rng.randint(1,30,10)
v=rng.randint(1,30,10)
r=milp(-v,integrality=np.ones(10),bounds=Bounds(0,1),constraints=LinearConstraint([w],-np.inf,60))
print(r.x, r.fun, r.message, r.success, r.status)
r=linprog(-v,A_ub=[w],b_ub=[60],bounds=(0,1))
print(r.x.round(4), r.fun)
for seed in range(6):
    rng=np.random.RandomState(seed)
    A=rng.rand(6,5)
    bb=rng.rand(6)+1
    cc=-rng.rand(5)
    r=linprog(cc,A_ub=A,b_ub=bb)
    print(r.x.round(5), round(r.fun,6), r.ineqlin.marginals.round(5)+0, r.lower.marginals.round(5))
    r=linprog(rng.randn(5),A_ub=A,b_ub=bb,A_eq=rng.rand(2,5),b_eq=[1,1],bounds=(-2,2))
    print(r.status, None if r.x is None else r.x.round(5), r.fun if r.fun is None else round(r.fun,6), r.eqlin.marginals)
try:
    linprog([1,2],A_ub=[[1,2,3]],b_ub=[1])
except Exception as e:
    print(type(e).__name__, e)
try:
    linprog([1,2],A_ub=[[1,2]],b_ub=[1,2])
except Exception as e:
    print(type(e).__name__, e)
try:
    linprog([1,2],bounds=[(0,1)]*3)
except Exception as e:
    print(type(e).__name__, e)

"""Which functions need retain_graph for a second backward pass, and which changes in place are refused."""
import torch
c=torch.ones(3)*2
def t(n,f):
    w=torch.ones(3,requires_grad=True)
    try:
        y=f(w).sum(); y.backward(); y.backward(); print(n,'twice ok', w.grad.tolist())
    except Exception as e: print(n, type(e).__name__, str(e)[:90])
def a(w): x=w.clone(); x[torch.tensor([0])]=c[:1]; return x
def b(w): x=w.clone(); x[x>5]=0; return x
def d(w): x=w.clone(); x[0]=0; return x
def e(w): x=w.clone(); x[torch.tensor([0])]=0; return x
def g(w): x=c.clone(); x[torch.tensor([0])]=w[:1]; return x
def h(w): return w.index_put((torch.tensor([0]),),c[:1])
def i(w): y=w*2; y.mul_(y); return y
def j(w): y=w*2; y.add_(y); return y
def k(w): y=w*2; y.div_(y); return y
def l(w): y=w*2; y.mul_(y[:1]); return y
def m(w): y=w*2; z=y*y; y.add_(1); return z
def n(w): y=w*2; y[1:].mul_(y[:-1]); return y
def o(w): y=w*2; y.sub_(y.detach()); return y
def p(w): y=w*2; y.mul_(y.detach()); return y
def r(w): y=w*2; y.pow_(2); return y
def s(w): return 2*w
def u(w): return w.float()*torch.tensor(2.)
def v(w): return w.scatter_add(0,torch.tensor([0]),c[:1])
def x(w): return w.mul(torch.tensor(3))
def y(w): return w.double()*2
def z(w): z=torch.arange(4.); z[1:].mul_(z[:-1]); return w
def A(w): z=torch.arange(4.); z[1:]+=z[:-1]; return w
def B(w): z=torch.arange(4.); z[1:].copy_(z[:-1]); return z.sum()*w
def C(w): z=torch.arange(4.).view(2,2); z+=z.t(); return w
def D(w): z=torch.arange(4.).view(2,2); z.add_(z[0]); return w
def E(w): z=torch.arange(4.); z+=z; return z.sum()+w
def F(w): z=torch.arange(4.); z[::2].add_(z[1::2]); return z.sum()+w
def G(w): z=torch.arange(6.); z[:4:2].add_(z[2::2]); return z.sum()+w
def H(w): z=torch.arange(4.); torch.where(z>1,z,z,out=z); return w
def K(w): z=torch.arange(4.); z[1:].masked_fill_(z[:-1]>0,3.); return w
def M(w): z=torch.arange(4.); z[1:].copy_(z[1:]); return w
def N(w): z=torch.arange(4.); z[:1].add_(z[3:]); return z.sum()+w
def O(w): z=torch.arange(16.).view(4,4); z[1:,1:]+=z[:-1,:-1]; return z.sum()+w
def P(w): z=torch.arange(16.).view(4,4); z[:,1:]+=z[:,:-1]; return z.sum()+w
def Q(w): z=torch.arange(16.).view(4,4); z[1]+=z[0]; z[:,0]+=z[:,1]; return z.sum()+w
for f in [a,b,d,e,g,h,i,j,k,l,m,n,o,p,r,s,u,v,x,y,z,A,B,C,D,E,F,G,H,K,M,N,O,P,Q]: t(f.__name__,f)

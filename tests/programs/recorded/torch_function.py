"""Classes derived from `Tensor`, classes that only act like tensors, and modes."""
import torch, torch.nn.functional as F, functools
from torch.overrides import TorchFunctionMode
class P(torch.Tensor): pass
p = torch.arange(4.).reshape(2,2).as_subclass(P)
print(type(p), p)
for s in ["p+1","1-p","p.sum()","p.max(0)","p[0]","F.relu(p)","torch.cat([p,torch.ones(2,2)])","torch.ones(2,2)+p","p.T","p.shape","p.split(1)","torch.einsum('ij,jk->ik',p,p)","p.grad","p.new_zeros(2)","torch.zeros_like(p)","p.to(torch.float64)","F.cross_entropy(p, torch.tensor([0,1]))","p.unique(return_counts=True)","list(p)","p.requires_grad_().mul(2)","p.clone().detach()", "torch.nn.Linear(2,2)(p).shape","p.numpy()","p.detach().numpy()","torch.stack(list(p))","p.data","(p>1).any()","p@p","torch.nn.Sequential(torch.nn.Linear(2,3),torch.nn.ReLU(),torch.nn.LayerNorm(3))(p).shape"]:
    try:
        r=eval(s); print(s, type(r).__name__, [type(x).__name__ for x in r] if isinstance(r,(tuple,list)) else '', r if not 'Linear' in s else '')
    except Exception as e: print(s, type(e).__name__, e)
class M(torch.Tensor):
    @staticmethod
    def __new__(cls, x, extra, *a, **k): return super().__new__(cls, x, *a, **k)
    def __init__(self, x, extra): self.extra=extra
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if kwargs is None: kwargs={}
        r = super().__torch_function__(func, types, args, kwargs)
        if isinstance(r, cls) and args and isinstance(args[0], cls) and hasattr(args[0],'extra'): r.extra = args[0].extra
        return r
m=M([1.,2.],'meta'); print(m, m.extra, (m*2).extra, (m*2))
H={}
def implements(f):
    def d(g): H[f]=functools.wraps(f)(g); return g
    return d
class Diag:
    def __init__(self,n,v): self._n,self._v=n,v
    def __repr__(self): return f"Diag(N={self._n}, value={self._v})"
    def tensor(self): return self._v*torch.eye(self._n)
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if kwargs is None: kwargs={}
        if func not in H or not all(issubclass(t,(torch.Tensor,Diag)) for t in types): return NotImplemented
        return H[func](*args,**kwargs)
@implements(torch.mean)
def mean(i): return float(i._v)/i._n
def ensure(d): return d.tensor() if isinstance(d,Diag) else d
@implements(torch.add)
def add(a,b):
    return Diag(a._n,a._v+b._v) if isinstance(a,Diag) and isinstance(b,Diag) else torch.add(ensure(a),ensure(b))
@implements(torch.split)
def split(a,n,dim=0): return "split",n,dim
@implements(torch.stack)
def stack(a,dim=0): return 'stack',dim
d=Diag(5,2)
print(torch.mean(d), torch.add(d,d), torch.add(torch.eye(5),d).shape, torch.split(d,2), torch.stack([d,d],dim=1))
for f in [lambda: torch.mul(d,3), lambda: torch.add(d, 1)]:
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
class Log(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        print("mode", func.__name__, [t.__name__ for t in types], len(args), kwargs)
        return func(*args, **(kwargs or {}))
with Log():
    a=torch.ones(2,3)
    b=(a*2).sum(dim=1)
    F.softmax(a,dim=1)
    a.shape
    torch.randn(2)
    p+1
print('out')
class Cpu(TorchFunctionMode):
    def __init__(self, dt): super().__init__(); self.dt=dt
    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs=kwargs or {}
        if func in (torch.zeros, torch.ones): kwargs.setdefault('dtype', self.dt)
        return func(*args, **kwargs)
with Cpu(torch.float64):
    print(torch.zeros(2).dtype)
    with Log(): print(torch.ones(2).dtype)
print(torch.zeros(2).dtype)
q=torch.nn.Parameter(torch.ones(2)); print(type(q+1), q, type(q.data))
class PP(torch.nn.Parameter): pass
print(type(PP(torch.ones(2))+1), PP(torch.ones(2)))
try:
    r=torch.nn.Parameter(torch.ones(2).as_subclass(P)); print(type(r), isinstance(r,torch.nn.Parameter), r.requires_grad)
    l=torch.nn.Linear(2,2); l.weight=torch.nn.Parameter(torch.ones(2,2).as_subclass(P)); print([type(w).__name__ for w in l.parameters()])
except Exception as e: print(type(e).__name__, e)
w=torch.ones(2,requires_grad=True).as_subclass(P); print(w, w.is_leaf)
(w*3).sum().backward()
with torch._C.DisableTorchFunctionSubclass(): print(type(p+1))
from torch.overrides import is_tensor_like, resolve_name, has_torch_function, handle_torch_function
print(is_tensor_like(d), is_tensor_like(3), has_torch_function((p,)), has_torch_function((1,)), resolve_name(torch.add), resolve_name(torch.Tensor.add))
a=torch.ones(2,2); v=a[:]; v.requires_grad_()
try: v.add_(1)
except Exception as e: print(type(e).__name__, e)

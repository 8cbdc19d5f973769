"""Changes in place of views whose history does not allow them."""
import torch
def t(n,f):
    try: r=f(); print(n, r.detach().reshape(-1).tolist() if isinstance(r,torch.Tensor) else r)
    except Exception as e: print(n, type(e).__name__, e)
w=torch.ones(4,requires_grad=True)
def H(): return w*2
for name,f in {
 'unbind':lambda h:h.unbind(0)[1],'split':lambda h:h.split(2)[1],'chunk':lambda h:h.chunk(2)[1],'tensor_split':lambda h:h.tensor_split(2)[1],'hsplit':lambda h:h.hsplit(2)[1],
 'split_with_sizes':lambda h:h.split([1,3])[1],'iter':lambda h:list(h)[2],'view':lambda h:h.view(2,2),'select':lambda h:h[0],'slice':lambda h:h[1:],
 'unfold':lambda h:h.unfold(0,2,2),'T':lambda h:h.view(2,2).T,'expand1':lambda h:h.expand(4),'detach':lambda h:h.detach(),'alias':lambda h:h[...],'unsafe_split':lambda h:h.unsafe_split(2)[0],'unsafe_chunk':lambda h:h.unsafe_chunk(2)[0],
 'diag':lambda h:h.view(2,2).diagonal(),'split of chunk view':lambda h:h.chunk(2)[0][0],'chunk of view':lambda h:h.view(2,2).chunk(2)[0], 'real':lambda h: torch.view_as_complex(h.view(2,2)).real, 'vsplit':lambda h:h.view(2,2).vsplit(2)[0],'dsplit':lambda h:h.view(1,2,2).dsplit(2)[0],'meshgrid':lambda h: torch.meshgrid(h,h,indexing='ij')[0],'broadcast_tensors':lambda h: torch.broadcast_tensors(h,h)[0],'atleast':lambda h: torch.atleast_2d(h),'nested':lambda h:h.chunk(2)[0].view(2,1),
}.items():
    def g():
        h=H(); v=f(h); v.mul_(3); return h
    t(name, g)
def g():
    h=H(); a,b=h.chunk(2); h.mul_(2); return a.grad_fn
t('indirect grad_fn', g)
def g():
    h=H(); a,b=h.chunk(2); h.mul_(2); return a*2
t('indirect use', g)
def g():
    h=H(); a,b=h.chunk(2); h.mul_(2); return a.requires_grad
t('indirect rg', g)
def g():
    h=H(); a,b=h.chunk(2); h.mul_(2); return str(a)
t('indirect print', g)
def g():
    h=H(); a,b=h.chunk(2); a[0]=1; return h
t('setitem', g)
def g():
    h=H(); a,b=h.chunk(2)
    a+=1
    return h
t('iadd', g)
def g():
    h=H()
    for r in h: r.zero_()
    return h
t('loop', g)
def g():
    x=torch.zeros(4)
    for r in x: r.fill_(1)
    return x
t('plain loop', g)
def g():
    x=torch.zeros(4); a,b=x.chunk(2); a.mul_(w[:2]); return x
t('plain with grad', g)
def g():
    x=torch.zeros(4); a,b=x.chunk(2); a.copy_(w[:2]); return x
t('plain copy', g)
def g():
    x=torch.zeros(4)
    with torch.no_grad(): v=x[:2]
    v.copy_(w[:2]); return x
t('no_grad view of plain', g)
def g():
    h=H(); a,b=h.chunk(2)
    with torch.no_grad(): a.mul_(2)
    return h
t('no_grad inplace', g)
def g():
    h=H(); a,b=h.chunk(2)
    with torch.no_grad(): a.mul_(2)
    return a.grad_fn
t('no_grad inplace then grad_fn', g)
def g():
    a,b=w.chunk(2); a.mul_(2)
t('leaf chunk', g)
def g():
    h=H(); a,b=h.chunk(2); return torch.relu_(a)
t('relu_', g)
def g():
    h=H(); a,b=h.chunk(2); torch.add(a,1,out=a)
t('out', g)
class I(torch.autograd.Function):
    @staticmethod
    def forward(ctx,x): return x.view(2,2)
    @staticmethod
    def backward(ctx,g): return g.view(4)
def g():
    y=I.apply(H()); y.mul_(2); return y
t('custom view', g)
class J(torch.autograd.Function):
    @staticmethod
    def forward(ctx,x): return x
    @staticmethod
    def backward(ctx,g): return g
def g():
    y=J.apply(H()); y.mul_(2); return y
t('custom same', g)
class K(torch.autograd.Function):
    @staticmethod
    def forward(ctx,x): return x[0], x[1]
    @staticmethod
    def backward(ctx,a,b): return torch.stack([a,b])
def g():
    y,z=K.apply(torch.ones(2,2,requires_grad=True)*1); z.mul_(2); return y
t('custom two views', g)

"""Which views require a gradient, and which of them may be changed in place."""
import torch


def t(n, f):
    try:
        print(n, f())
    except Exception as e:
        print(n, type(e).__name__, e)


w=torch.ones(2,requires_grad=True)
with torch.no_grad(): v=w[:]
t(1,lambda: v.add_(1)); 
t(2,lambda: v.add_(torch.ones(2,requires_grad=True)))
a=torch.ones(2,2); v=a[:]; v.requires_grad_()
t(3,lambda: v.add_(1)); t(4,lambda: v[0].add_(1))
t(5,lambda: w[0].add_(1)); t(6,lambda: w.add_(1))
a=torch.ones(2,2); v=a[0]; t(7,lambda: v.add_(w)); print(a.is_leaf, v.is_leaf); t(8,lambda: a[1].mul_(2)); t(9,lambda: v.mul_(2))
d=w.detach(); t(10, lambda: d.add_(1)); d=w.detach(); d.requires_grad_(); t(11, lambda: d[0].mul_(1)); t(12, lambda: d.mul_(1))
x=w.data; x.requires_grad_(); t(13, lambda: x.mul_(1))
with torch.no_grad(): v=w[:]; u=v[0]
print(v.requires_grad, v.is_leaf, v, u.requires_grad, v.grad_fn)
a=torch.zeros(2); v=a[:]; a.requires_grad_(); print(v.requires_grad, v, v.grad_fn, v.is_leaf); t(20, lambda: v.add_(1))
h=w*2
with torch.no_grad(): v=h[:]
print(v.requires_grad, v.grad_fn); t(21, lambda: v.add_(1)); t(22,lambda: v[0].add_(1))
with torch.no_grad(): v=w[:]; v.add_(1); v[0]=3
print(w); 
with torch.inference_mode(): v=h[:]
t(23, lambda: v.add_(1))
a,b=h.unbind(0); t(24, lambda: a.add_(1))
a,b=h.split(1); t(25, lambda: a.add_(1))

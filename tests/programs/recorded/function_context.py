"""Functions of a program: their node is the `ctx` of forward and backward, what they save is checked, and what they return has to fit."""

import torch
class Sq(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x); ctx.k = 3
        return x*x
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        print("in backward", type(ctx).__name__, ctx.k, x.requires_grad, ctx.needs_input_grad, ctx.name() )
        return 2*x*g
x = torch.tensor([1.,2.], requires_grad=True)
y = Sq.apply(x)
print(type(y.grad_fn).__name__, y.grad_fn.name(), y.grad_fn.k, y.grad_fn.saved_tensors, y.grad_fn.needs_input_grad)
print(y.grad_fn.saved_tensors[0] is x)
print(repr(y.grad_fn).split(' object')[0], type(y.grad_fn).__module__, type(y.grad_fn).__mro__[1].__name__)
s = y.sum(); s.backward(retain_graph=True)
s.backward()
try: s.backward()
except RuntimeError as e: print(e)
try: y.grad_fn.saved_tensors
except RuntimeError as e: print(e)
y = Sq.apply(x)
with torch.no_grad(): x.mul_(2)
try: y.sum().backward()
except RuntimeError as e: print(e)
y = Sq.apply(x)
with torch.no_grad(): x.mul_(2)
try: y.grad_fn.saved_tensors
except RuntimeError as e: print(e)
class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp(); ctx.save_for_backward(y); ctx.shape = x.shape
        return y
    @staticmethod
    def backward(ctx, g):
        y, = ctx.saved_tensors
        print(y.requires_grad, y.grad_fn is not None)
        return g*y
x = torch.tensor([1.,2.], requires_grad=True)
y = Exp.apply(x)
print(y.grad_fn.saved_tensors[0] is y, torch.equal(y.grad_fn.saved_tensors[0], y))
g, = torch.autograd.grad(y.sum(), x, create_graph=True)
print(g, g.requires_grad)
print(torch.autograd.grad(g.sum(), x))
y = Exp.apply(x)
y2 = y.mul_(2)
try: y2.sum().backward()
except RuntimeError as e: print(e)
with torch.autograd.graph.saved_tensors_hooks(lambda t: (print("pack", tuple(t.shape)), t)[1], lambda t: (print("unpack"), t)[1]):
    y = Exp.apply(x)
    z = y*y
z.sum().backward()
print(x.grad)
y = x.exp()
print(y.grad_fn._saved_result is y, y.grad_fn._saved_result.equal(y))
y = x.pow(2); print(y.grad_fn._saved_self is x)
y.sum().backward()
try: y.grad_fn._saved_self
except RuntimeError as e: print(e)
class Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b, n):
        ctx.save_for_backward(a, None, b); ctx.n = n
        ctx.mark_non_differentiable((m := (a > b)))
        return a*b*n, m
    @staticmethod
    def backward(ctx, g, gm):
        a, none, b = ctx.saved_tensors
        print(none, gm)
        return g*b*ctx.n, g*a*ctx.n, None
a = torch.tensor([1.,2.],requires_grad=True); b = torch.tensor([3.,1.])
y, m = Two.apply(a, b, 2)
print(m, m.requires_grad, y.grad_fn.needs_input_grad, y.grad_fn.next_functions[0][0].name(), y.grad_fn.next_functions[1])
y.sum().backward(); print(a.grad, b.grad)
class Save(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        t = a*2
        ctx.save_for_backward(t)   # intermediate
        return t+1
    @staticmethod
    def backward(ctx, g):
        t, = ctx.saved_tensors
        print(t, t.requires_grad)
        return g*t
y = Save.apply(a); y.sum().backward(); print(a.grad)
class Bad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a): return a*2
    @staticmethod
    def backward(ctx, g): return g.sum()
for bad in ["g.sum()", "(g, g)", "torch.ones(3)", "5", "None", "g.double()", "[g]"]:
    class B(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a): return a*2
        @staticmethod
        def backward(ctx, g): return eval(bad)
    try:
        a.grad = None
        B.apply(a).sum().backward(); print(bad, a.grad)
    except Exception as e: print(bad, type(e).__name__, e)
class Dirty(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a): ctx.mark_dirty(a); a.add_(1); return a
    @staticmethod
    def backward(ctx, g): return g
b = a*1
c = Dirty.apply(b); print(c is b, b.grad_fn.name(), b._version)
c.sum().backward()
try: Dirty.apply(a)
except Exception as e: print(type(e).__name__, e)
class St(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a): ctx.save_for_backward([a]); return a
    @staticmethod
    def backward(ctx, g): return g
try: St.apply(a)
except Exception as e: print(type(e).__name__, e)
class Sv(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a): ctx.save_for_backward(3); return a*1
    @staticmethod
    def backward(ctx, g): return g
try: Sv.apply(a)
except Exception as e: print(type(e).__name__, e)
try: print(torch.autograd.Function.apply(a))
except Exception as e: print(type(e).__name__, e)
class Non(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a): return 5, a*2, "x"
    @staticmethod
    def backward(ctx, *g): print(g); return g[1]
r = Non.apply(a); print(r[0], r[2], r[1].grad_fn.name()); r[1].sum().backward()
ctx = r[1].grad_fn

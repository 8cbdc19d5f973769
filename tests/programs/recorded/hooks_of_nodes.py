"""Hooks of nodes and tensors: their order, what they may return, and what nodes have saved."""

import torch
x = torch.tensor([1.,2.], requires_grad=True)
y = x*3; z = y.exp()
h = z.grad_fn.register_hook(lambda gi, go: print("post", gi, go))
p = z.grad_fn.register_prehook(lambda go: (print("pre", go), (go[0]*2,))[1])
z.register_hook(lambda g: print("tensor", g))
z.retain_grad()
z.sum().backward(retain_graph=True)
print(x.grad, z.grad)
h.remove(); p.remove(); x.grad=None
z.sum().backward(retain_graph=True); print(x.grad)
acc = y.grad_fn.next_functions[0][0]
print(type(acc).__name__, acc.variable is x)
acc.register_hook(lambda gi, go: print("acc", gi, go))
acc.register_prehook(lambda go: print("acc pre", go))
y.grad_fn.register_hook(lambda gi, go: (gi[0]*10,)+gi[1:])
x.grad=None
z.sum().backward(retain_graph=True); print(x.grad)
print(z.grad_fn == z.grad_fn)
print(torch.autograd.grad(z.sum(), x))
try: y.grad_fn.register_hook(3)
except Exception as e: print(type(e).__name__, e)
w = x*x
w.grad_fn.register_hook(lambda gi, go: 5)
try: w.sum().backward()
except Exception as e: print(type(e).__name__, e)
w = x*x
w.grad_fn.register_hook(lambda gi, go: (gi[0],))
try: w.sum().backward()
except Exception as e: print(type(e).__name__, e)
w = x*x
w.grad_fn.register_hook(lambda gi, go: (gi[0], None))
try: w.sum().backward(); print(x.grad)
except Exception as e: print(type(e).__name__, e)
w = x*x
w.grad_fn.register_hook(lambda gi, go: (gi[0], gi[1].sum()))
try: w.sum().backward(); print(x.grad)
except Exception as e: print(type(e).__name__, e)
w = x*x
w.grad_fn.register_prehook(lambda go: go[0])
try: w.sum().backward(); print(x.grad)
except Exception as e: print(type(e).__name__, e)
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a): return a*2
    @staticmethod
    def backward(ctx, g): return g*2
f = F.apply(x)
f.grad_fn.register_hook(lambda gi, go: print("F", gi, go))
f.sum().backward()
print(isinstance(f.grad_fn, torch.autograd.graph.Node), isinstance(f.grad_fn, F), isinstance(y.grad_fn, torch.autograd.graph.Node))
print(y.grad_fn._sequence_nr() < z.grad_fn._sequence_nr())
x = torch.tensor([1.,2.], requires_grad=True)
def tryhook(f, on):
    y = x*3
    t = y if on == "y" else x
    h = t.register_hook(f)
    x.grad=None
    try: y.sum().backward(); print(x.grad)
    except Exception as e: print(type(e).__name__, e)
    h.remove()
for on in "yx":
    tryhook(lambda g: 5, on)
    tryhook(lambda g: g.double(), on)
    tryhook(lambda g: g.sum(), on)
    tryhook(lambda g: (g,), on)
    tryhook(lambda g: g[None], on)
    tryhook(lambda g: [g], on)
    tryhook(lambda g: g*2, on)
    def named(g): return g.int()
    tryhook(named, on)
    class C:
        def __call__(self, g): return g.reshape(1,2)
    tryhook(C(), on)
h = x.register_hook(lambda g: (print("leaf hook", g), g*2)[1])
print(torch.autograd.grad((x*3).sum(), x))
y = x*3
y.register_hook(lambda g: print("y", g))
print(torch.autograd.grad(y.sum(), y))
print(torch.autograd.grad(y.sum(), [x, y]))
y = x*3; y.sum().backward(inputs=[x]); print(x.grad)
x.register_post_accumulate_grad_hook(lambda t: print("post", t.grad))
x.grad=None
y = x*3; y.sum().backward(inputs=[x])
print(torch.autograd.grad((x*3).sum(), x))
x.register_hook(lambda g: print("second", g))
(x*3).sum().backward()
h.remove()
(x*3).sum().backward()
z = torch.tensor([1.], requires_grad=True)
y = z*1
y.register_hook(lambda g: g*3)
y.retain_grad()
y.register_hook(lambda g: g*5)
y.backward(); print(y.grad, z.grad)
m = torch.nn.Linear(2,1)
m.weight.register_hook(lambda g: g*0)
m(torch.ones(1,2)).sum().backward(); print(m.weight.grad, m.bias.grad)
a = torch.tensor([1.], requires_grad=True)
y = a.sin()
y.grad_fn._raw_saved_self.register_hooks(lambda t: (print("p"), t.numpy(force=True))[1], lambda n: (print("u"), torch.from_numpy(n))[1])
print(y.grad_fn._saved_self)
y.backward()
try: y.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t)
except Exception as e: print(type(e).__name__, e)
y = a.exp()
try:
    y.grad_fn._raw_saved_result.register_hooks(lambda t: t.clone(), lambda t: t)
    y.grad_fn._raw_saved_result.register_hooks(lambda t: t.clone(), lambda t: t)
except Exception as e: print(type(e).__name__, e)
y = a*2
try: print(y.grad_fn._saved_self); y.grad_fn._raw_saved_self.register_hooks(lambda t: t.clone(), lambda t: t)
except Exception as e: print(type(e).__name__, e)
try: y.grad_fn.foo
except Exception as e: print(type(e).__name__, e)
def saved(**made):
    for name, y in made.items():
        f = y.grad_fn
        names = [n for n in dir(f) if n.startswith("_saved_") and isinstance(getattr(f, n), torch.Tensor)]
        print(name, [(n[7:], getattr(f, n).tolist()) for n in names])
v, w = torch.tensor([1., 2.], requires_grad=True), torch.tensor([3., 4.], requires_grad=True)
m, c = torch.tensor([[1., 2.], [3., 5.]], requires_grad=True), torch.tensor([[1., 0.], [2., 2.]])
saved(product=v * w, half=v * c[1], other=c[1] * v, quotient=v / w, quotient_of=c[1] / v, exp=v.exp(), log=v.log(), sqrt=v.sqrt(),
      relu=v.relu(), sigmoid=v.sigmoid(), softmax=v.softmax(0), mm=m @ c, mv=m @ c[0], dot=v.dot(w),
      linear=torch.nn.functional.linear(m, c, v), norm=v.norm(), std=v.std(), var=v.var(), max=m.max(0)[0], sort=v.sort()[0],
      where=torch.where(v > 1, v, w), masked=v.masked_fill(v > 1, 0), inverse=m.inverse(),
      mse=torch.nn.functional.mse_loss(v, w), embedding=torch.nn.functional.embedding(torch.tensor([1]), m),
      gelu=torch.nn.functional.gelu(v), square=v ** 2, conv=torch.nn.functional.conv1d(m[None], c[None]),
      maximum=torch.maximum(v, w), atan2=torch.atan2(v, w), bmm=torch.bmm(m[None], c[None]), other_mm=c @ m)
h = (m * 1).detach().requires_grad_() * 2
y = h @ c          # c needs no gradient, so h isn't saved and may be changed
h.mul_(0)
y.sum().backward()

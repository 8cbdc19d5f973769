# What a function sees inside torch.func's transforms: printed tensors, numbers read from them, and what is refused.
import copy

import torch
import torch.autograd.forward_ad as forward_ad
from torch.func import functional_call, grad, hessian, jacfwd, jacrev, jvp, vjp, vmap

x = torch.tensor([1.0, 2.0, 3.0])
w = torch.tensor([4.0, 5.0, 6.0], requires_grad=True)
rows = torch.arange(6.0).reshape(2, 3)


def attempt(name, f):
    try:
        print(name, "->", f())
    except Exception as e:
        print(name, "!!", type(e).__name__, str(e))


def loss(t):
    print("given", t)
    print("outside", x, w)
    y = t * w
    print("made", y, torch.zeros(2), torch.arange(3), t > 1.5)
    s = y.sum()
    print(f"read {s:.2f} {s.item()} {len(t)} {t.tolist()}")
    if s > 10:
        print("large", t.argmax(), t.detach())
    with torch.no_grad():
        print("no_grad", t * 2)
    return s


def quiet(t):
    print(t, t + x)
    return (t * x).sum()


print("== grad")
attempt("grad", lambda: grad(loss)(x))
attempt("grad of a leaf", lambda: grad(loss)(w))
attempt("jacrev", lambda: jacrev(quiet)(x))
attempt("vjp", lambda: vjp(quiet, x)[0])
attempt("jvp", lambda: jvp(quiet, (x,), (torch.ones(3),)))
attempt("jacfwd", lambda: jacfwd(quiet)(x))
attempt("hessian", lambda: hessian(lambda t: quiet(t) ** 2)(x))
attempt("list", lambda: grad(lambda t: (print(list(t), torch.max(t, 0)), t.sum())[1])(x))
print("== nested")
attempt("grad of grad", lambda: grad(lambda s: grad(quiet)(x * s).sum())(torch.tensor(2.0)))
attempt("vmap of grad", lambda: vmap(grad(quiet))(rows))
attempt("grad of vmap", lambda: grad(lambda r: vmap(quiet)(r).sum())(rows))
attempt("vmap of vmap", lambda: vmap(vmap(lambda a, b: (print(a, b, a * b), a * b)[1], in_dims=(None, 0)), in_dims=(0, None))(x, x))
attempt("columns", lambda: vmap(lambda t: (print(t, t.sum()), t)[1], in_dims=1)(rows))
print("== refused")
for name, f in {
    "retain_grad": lambda t: (t * 2).retain_grad(),
    "requires_grad_": lambda t: t.requires_grad_(),
    "of another": lambda t: torch.zeros(2).requires_grad_(),
    "backward": lambda t: t.sum().backward(),
    "backward of another": lambda t: (w * 2).sum().backward(),
    "functional": lambda t: torch.autograd.functional.jacobian(lambda a: a * 2, t),
    "numpy": lambda t: t.numpy(),
    "numpy of a copy": lambda t: t.detach().numpy(),
    "numpy of a new one": lambda t: torch.zeros(2).numpy(),
    "data_ptr": lambda t: t.data_ptr(),
    "storage": lambda t: t.untyped_storage(),
    "deepcopy": lambda t: copy.deepcopy(t),
}.items():
    attempt("grad " + name, lambda: grad(lambda t: (f(t), t.sum())[1])(x))
    attempt("vmap " + name, lambda: vmap(lambda t: (f(t), t.sum())[1])(rows))
attempt("set data", lambda: vmap(lambda t: setattr(t, "data", x))(rows))
kept = []
vmap(lambda t: (kept.append(t * 2), t)[1])(rows)
attempt("escaped", lambda: kept[0] + 1)
norm = torch.nn.BatchNorm1d(2)
attempt("statistics", lambda: grad(lambda p: functional_call(norm, p, (torch.ones(3, 2),)).sum())(dict(norm.named_parameters())))
attempt("leaf of its own", lambda: grad(lambda t: (torch.ones(3, requires_grad=True) * t).sum())(x))
attempt("random jacfwd", lambda: jacfwd(lambda t: t * torch.rand(3))(x))
attempt("random hessian", lambda: hessian(lambda t: (t * torch.rand(3)).sum())(x))
print("== functions")


class Square(torch.autograd.Function):
    @staticmethod
    def forward(a):
        return a * a

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (a,) = ctx.saved_tensors
        print("backward", g, a)
        return 2 * a * g

    @staticmethod
    def vmap(info, in_dims, a):
        print("vmap", info, in_dims, a)
        return Square.apply(a), in_dims[0]


attempt("grad", lambda: grad(lambda t: Square.apply(t).sum())(x))
attempt("vmap", lambda: vmap(Square.apply)(x))
attempt("jvp", lambda: jvp(Square.apply, (x,), (x,)))
for result in (x, (x, 0, 0), ((x, x), 0), (x, (0, 0))):
    own = type("Own", (Square,), {"vmap": staticmethod(lambda info, in_dims, a, result=result: result)})
    attempt("own vmap", lambda: vmap(own.apply)(x))
both = type("Both", (Square,), {"generate_vmap_rule": True})
attempt("both", lambda: vmap(both.apply)(x))
print("== dual tensors")
with forward_ad.dual_level():
    d = forward_ad.make_dual(x, torch.ones(3))
    print(d, d * 2, (d * x).sum())
    print(f"{d.sum():.2f}", d.detach(), d > 1)
    print(torch.outer(d, d))
    print(forward_ad.make_dual(w, torch.ones(3)))
    print(forward_ad.make_dual(torch.arange(12.0), torch.arange(12.0)))
    print(forward_ad.make_dual(x.double(), x.double()))
print(d)

# What gradcheck says about functions with a mistake, and what hooks for saved tensors, handles and storages do.
import warnings
from collections import OrderedDict

import torch
from torch.autograd import Function, gradcheck, gradgradcheck, graph
from torch.utils.hooks import RemovableHandle, unserializable_hook

warnings.simplefilter("ignore")


def attempt(name, f):
    try:
        print(name, "->", f())
    except Exception as e:
        print(name, "!!", type(e).__name__, str(e))


x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)


class Square(Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a**2

    @staticmethod
    def backward(ctx, g):
        (a,) = ctx.saved_tensors
        return g * a


class Noisy(Square):
    @staticmethod
    def backward(ctx, g):
        (a,) = ctx.saved_tensors
        return g * a * 2 + torch.rand_like(a) * 1e-3


class Constant(Square):
    @staticmethod
    def backward(ctx, g):
        (a,) = ctx.saved_tensors
        return g * a.detach() * 2


torch.manual_seed(0)
attempt("right", lambda: gradcheck(torch.sin, (x,)))
attempt("half", lambda: gradcheck(Square.apply, (x,)))
attempt("half, no error", lambda: gradcheck(Square.apply, (x,), raise_exception=False))
attempt("noisy", lambda: gradcheck(Noisy.apply, (x,)))
attempt("noisy, allowed", lambda: gradcheck(Noisy.apply, (x,), nondet_tol=1e-2, atol=1e-2))
attempt("noisy, no error", lambda: gradcheck(Noisy.apply, (x,), raise_exception=False))
attempt("detached", lambda: gradcheck(lambda a: a.detach() * 2, (x,)))
attempt("constant", lambda: gradcheck(lambda a: torch.ones(2), (x,)))
attempt("a number", lambda: gradcheck(lambda a: 5, (x,)))
attempt("expanded", lambda: gradcheck(torch.sin, (torch.ones(1, dtype=torch.float64).expand(3).requires_grad_(),)))
attempt("second", lambda: gradgradcheck(Constant.apply, (x,)))
attempt("second, right", lambda: gradgradcheck(lambda a: a**3, (x,)))

print("== hooks")
hooks = OrderedDict()
handle = RemovableHandle(hooks)
hooks[handle.id] = print
print(len(hooks), isinstance((x * 1).register_hook(print), RemovableHandle), type(handle))
handle.remove()
handle.remove()
with RemovableHandle(hooks) as inner:
    hooks[inner.id] = print
more = OrderedDict()
both = RemovableHandle(hooks, extra_dict=more)
hooks[both.id] = more[both.id] = print
both.remove()
print(hooks, more, unserializable_hook(lambda g: g).__torch_unserializable__)
layer = torch.nn.Linear(1, 1)
print(isinstance(layer.register_forward_hook(lambda *a: None), RemovableHandle))


def disabled():
    with graph.disable_saved_tensors_hooks("none here"), graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        return x**2


attempt("refused", disabled)


def nested():
    with graph.saved_tensors_hooks(lambda t: t, lambda t: t), graph.disable_saved_tensors_hooks("none inside"):
        return x**2


attempt("refused inside", nested)
attempt("version", lambda: graph.increment_version(3))
attempt("no gradient", lambda: graph.register_multi_grad_hook([torch.ones(2)], print))

print("== bytes")
t = torch.arange(6, dtype=torch.int32)
s = t.untyped_storage()
s[0] = 7
s[4:8] = 1
print(t, s[4:8].tolist(), len(s[4:8]), s[-1])
part = s[8:12]
part[1] = 1
print(t, part.nbytes(), s[8:4].tolist(), s[:2].fill_(0).tolist())
for name, f in {
    "step": lambda: s[::2],
    "far": lambda: s.__setitem__(24, 1),
    "float": lambda: s.__setitem__(0, 1.5),
    "text": lambda: s["a"],
    "sizes": lambda: s.copy_(torch.UntypedStorage(4)),
}.items():
    attempt(name, f)
h = torch.ones(3, dtype=torch.bfloat16)
h.untyped_storage()[1] = 64
print(h, h.untyped_storage().tolist(), s.new().nbytes())
s.fill_(0)
print(t)
s.copy_(torch.arange(6, dtype=torch.int32).untyped_storage())
print(t)
torch.manual_seed(0)
print(torch._standard_gamma(torch.tensor([1.0, 2.0, 0.5])), torch._sample_dirichlet(torch.tensor([1.0, 2.0, 0.5])))
print("== unwrapped")
torch.func.grad(lambda a: (print(torch.func.debug_unwrap(a), torch.func.debug_unwrap(a * 2)), a.sum())[1])(torch.ones(2))
torch.vmap(lambda a: (print(torch.func.debug_unwrap(a)), a)[1])(torch.ones(2, 2))
torch.vmap(torch.func.grad(lambda a: (print(torch.func.debug_unwrap(a * 2, recurse=False), torch.func.debug_unwrap(a)), a.sum())[1]))(torch.ones(2, 2))

# Functions of your own in forward mode, and gradcheck of them.
import torch
import torch.autograd.forward_ad as fwAD


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.result = torch.exp(x)
        return ctx.result

    @staticmethod
    def jvp(ctx, t):
        out = t * ctx.result
        del ctx.result
        return out


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y, k):
        ctx.save_for_backward(x, y)
        ctx.save_for_forward(x, y)
        ctx.k = k
        return x * y * k, x + y

    @staticmethod
    def backward(ctx, a, b):
        x, y = ctx.saved_tensors
        return a * y * ctx.k + b, a * x * ctx.k + b, None

    @staticmethod
    def jvp(ctx, tx, ty, _):
        x, y = ctx.saved_tensors
        return (tx * y + ty * x) * ctx.k, tx + ty


class Wrong(Exp):
    @staticmethod
    def jvp(ctx, t):
        return t * 2


x = torch.tensor([0.0, 1.0, 2.0], dtype=torch.double)
with fwAD.dual_level():
    out = Exp.apply(fwAD.make_dual(x, torch.ones_like(x)))
    print(fwAD.unpack_dual(out).tangent)
    out = Exp.apply(fwAD.make_dual(x, torch.tensor([1.0, 0, 2], dtype=torch.double)) * 3).sum()
    print(fwAD.unpack_dual(out).tangent)
    a, b = Scaled.apply(fwAD.make_dual(x, x), fwAD.make_dual(x + 1, x * 0 + 1), 2.0)
    print(fwAD.unpack_dual(a).tangent, fwAD.unpack_dual(b).tangent)
given = x.clone().requires_grad_()
print(torch.autograd.gradcheck(Exp.apply, (given,), check_forward_ad=True, check_backward_ad=False, check_undefined_grad=False,
                               check_batched_grad=False))
print(torch.autograd.gradcheck(lambda x, y: Scaled.apply(x, y, 2.0), (given, (x + 1).requires_grad_()), check_forward_ad=True))
print(torch.autograd.gradcheck(torch.sin, (given,), check_forward_ad=True))
try:
    torch.autograd.gradcheck(Wrong.apply, (given,), check_forward_ad=True, check_backward_ad=False)
except RuntimeError as e:
    print(str(e).splitlines()[0])
print(torch.autograd.gradcheck(Wrong.apply, (given,), check_forward_ad=True, check_backward_ad=False, raise_exception=False))
try:
    torch.autograd.gradcheck(torch.sin, (given,), check_backward_ad=False)
except AssertionError as e:
    print(e)
try:
    Exp.apply(given).sum().backward()
except NotImplementedError as e:
    print(e)

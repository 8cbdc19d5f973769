"""Special functions, as torch.special: most under other names than in torch."""

import math

import _torch
from _torch import Tensor, digamma, digamma as psi, erf, erfc, erfinv, exp2, expm1, lgamma as gammaln, log1p, log_softmax, \
    logsumexp, round, sigmoid as expit, softmax, xlogy

from torch._composed import logit, sinc
from torch._more import mvlgamma as multigammaln


def __getattr__(name):
    from torch import _special

    if name in _special.special:
        globals()[name] = _special.special[name]
        return globals()[name]
    raise AttributeError(f"module 'torch.special' has no attribute '{name}'")


def _real(name, *inputs):
    """The inputs as floating-point numbers."""
    out = []
    for t in inputs:
        if isinstance(t, Tensor):
            if t.is_complex():
                raise NotImplementedError(f'"{name}_cpu" not implemented for \'{t.type().split(".")[-1].removesuffix("Tensor")}\'')
            t = t if t.is_floating_point() else t.to(_torch.get_default_dtype())
        out.append(t)
    return out if len(out) > 1 else out[0]


def entr(input):
    x = _real("entr", input)
    positive = x > 0
    safe = _torch.where(positive, x, 1.0)
    out = _torch.where(positive, -safe * safe.log(), _torch.where(x == 0, 0.0, _torch.where(x < 0, -math.inf, x)))
    return _torch._under_node(out, "SpecialEntrBackward0")


def ndtr(input):
    x = _real("erf_vml", input)
    if x.is_floating_point() and x.dtype in (_torch.float16, _torch.bfloat16):
        return _torch._under_node(ndtr(x.float()).to(x.dtype), "MulBackward1")
    # Far below, the complement keeps the digits that 1 + erf loses.
    out = _torch.where(x < -1, (x * -math.sqrt(0.5)).erfc(), 1 + (x * math.sqrt(0.5)).erf()) * 0.5
    return _torch._under_node(out, "MulBackward1")


def xlog1py(input, other):
    if not (isinstance(input, Tensor) or isinstance(other, Tensor)):
        got = f"({type(input).__name__}, {type(other).__name__})"
        raise TypeError(f"special_xlog1py() received an invalid combination of arguments - got {got}, but expected one of:\n"
                        " * (Tensor input, Tensor other, *, Tensor out = None)\n"
                        " * (Number self, Tensor other, *, Tensor out = None)\n"
                        " * (Tensor input, Number other, *, Tensor out = None)\n")
    x, y = _real("xlog1py", input, other)
    device = (x if isinstance(x, Tensor) else y).device
    y = y if isinstance(y, Tensor) else _torch.tensor(float(y), device=device)
    # Nothing times the logarithm of nothing is nothing, but what is not a number stays so.
    zero = _torch.as_tensor(x, device=device) == 0
    out = x * _torch.where(zero & ((y <= -1) | (y == math.inf)), 0.0, y).log1p()
    kind = _torch.result_type(x, y) if isinstance(x, Tensor) else y.dtype
    return _torch._under_node(out.to(kind), "SpecialXlog1PyBackward0")


def spherical_bessel_j0(x):
    x = _real("spherical_bessel_j0", x)
    if x.dtype in (_torch.float16, _torch.bfloat16):
        raise NotImplementedError(f'"spherical_bessel_j0_cpu" not implemented for \'{x.type().split(".")[-1].removesuffix("Tensor")}\'')
    x = x.detach()
    square = x * x
    series = 1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72 * (1 - square / 110 * (1 - square / 156)))))
    far = _torch.where(x.abs() == math.inf, 0.0, x.sin() / _torch.where(x == 0, 1.0, x))
    return _torch.where(x.abs() < 0.5, series, far)


for _name in ("entr", "ndtr", "xlog1py", "spherical_bessel_j0"):
    globals()[_name] = _torch._with_out("special_" + _name, globals()[_name])

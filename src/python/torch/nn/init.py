"""Initial values of parameters, in place, as in torch.nn.init."""

import functools
import math
import warnings

import _torch

from .parameter import Parameter


def _no_grad(f):
    @functools.wraps(f)
    def wrapped(tensor, *args, **kwargs):
        with _torch._grad_mode("no_grad"):
            return f(tensor, *args, **kwargs)

    return wrapped


def _overridable(f):
    """A mode or the tensor's class may take a call over. It's then told every argument by name."""
    plain = getattr(f, "__wrapped__", f)
    names = plain.__code__.co_varnames[1:plain.__code__.co_argcount]
    defaults = dict(zip(reversed(names), reversed(plain.__defaults__ or ())))

    @functools.wraps(f)
    def wrapped(tensor, *args, **kwargs):
        if _torch._torch_function_modes() or type(tensor) is not Parameter:
            from torch import overrides

            if overrides.has_torch_function_unary(tensor):
                given = {**defaults, **dict(zip(names, args)), **kwargs}
                return overrides.handle_torch_function(wrapped, (tensor,), tensor=tensor, **{n: given[n] for n in names if n in given})
        return f(tensor, *args, **kwargs)

    return wrapped


def calculate_gain(nonlinearity, param=None):
    if nonlinearity in ("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "sigmoid"):
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def _calculate_fan_in_and_fan_out(tensor):
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    columns, rows = tensor.size(1), tensor.size(0)
    field = math.prod(tensor.shape[2:]) if tensor.dim() > 2 else 1
    return columns * field, rows * field


def _calculate_correct_fan(tensor, mode):
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return fan_in if mode == "fan_in" else fan_out


@_overridable
@_no_grad
def uniform_(tensor, a=0.0, b=1.0, generator=None):
    return tensor.uniform_(a, b, generator=generator)


@_overridable
@_no_grad
def normal_(tensor, mean=0.0, std=1.0, generator=None):
    return tensor.normal_(mean, std, generator=generator)


@_overridable
@_no_grad
def constant_(tensor, val):
    return tensor.fill_(val)


@_no_grad
def ones_(tensor):
    return tensor.fill_(1.0)


@_no_grad
def zeros_(tensor):
    return tensor.zero_()


@_no_grad
def eye_(tensor):
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    tensor.copy_(_torch.eye(*tensor.shape, device=tensor.device, dtype=tensor.dtype))
    return tensor


@_no_grad
def xavier_uniform_(tensor, gain=1.0, generator=None):
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    bound = math.sqrt(3.0) * gain * math.sqrt(2.0 / float(fan_in + fan_out))
    return tensor.uniform_(-bound, bound, generator=generator)


@_no_grad
def xavier_normal_(tensor, gain=1.0, generator=None):
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return tensor.normal_(0.0, gain * math.sqrt(2.0 / float(fan_in + fan_out)), generator=generator)


@_overridable
def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    std = calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    std = calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))
    return normal_(tensor, 0, std, generator)


@_no_grad
def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """A normal distribution truncated at `a` and `b`: values that don't belong to it are drawn again."""
    if tensor.is_meta:
        return tensor
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. "
            "The distribution of values may be incorrect.",
            stacklevel=3,
        )

    def below(x):
        return (1.0 + math.erf((x - mean) / std / math.sqrt(2.0))) / 2.0

    # Every round draws for all elements, needed or not, so that the generator advances as in PyTorch.
    if below(b) - below(a) > 0.3:
        lo, hi = (_torch.tensor(bound, dtype=tensor.dtype).item() for bound in (a, b))
        tensor.normal_(mean, std, generator=generator)
        outside = (tensor < lo) | (tensor > hi)
        while outside.any():
            again = _torch.empty_like(tensor).normal_(mean, std, generator=generator)
            tensor.copy_(_torch.where(outside, again, tensor))
            outside = (tensor < lo) | (tensor > hi)
        return tensor
    # Few values of a normal distribution would be inside, so uniform ones are kept with the distribution's probability.
    peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2
    pending = _torch.ones_like(tensor, dtype=_torch.bool)
    while pending.any():
        drawn = _torch.empty_like(tensor).uniform_(a, b, generator=generator)
        tensor.copy_(_torch.where(pending, drawn, tensor))
        density = drawn.sub_(mean).div_(std).pow_(2).mul_(-0.5).sub_(peak)
        pending = pending & (_torch.empty_like(tensor).uniform_(generator=generator).log_() > density)
    return tensor


@_no_grad
def orthogonal_(tensor, gain=1, generator=None):
    """Orthonormal rows, or columns if there are fewer of them (Saxe et al., 2014)."""
    if tensor.dim() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows = tensor.size(0)
    columns = tensor.numel() // rows
    flat = tensor.new_empty((rows, columns)).normal_(0, 1, generator=generator)
    if rows < columns:
        flat = flat.t()
    q, r = _torch._linalg_qr(flat, "reduced")
    # With R's diagonal made positive, Q is uniform over the orthogonal matrices.
    q = q * r.diagonal().sign()
    if rows < columns:
        q = q.t()
    tensor.view_as(q).copy_(q)
    tensor.mul_(gain)
    return tensor


@_no_grad
def sparse_(tensor, sparsity, std=0.01, generator=None):
    """Normal values, with a fraction of every column set to zero."""
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    tensor.normal_(0, std, generator=generator)
    for column in range(columns):
        tensor[_torch.randperm(rows)[:zeros], column] = 0
    return tensor


@_no_grad
def dirac_(tensor, groups=1):
    """A convolution that leaves as many channels unchanged as possible."""
    if tensor.dim() not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.size(0) % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    out = tensor.size(0) // groups
    tensor.zero_()
    middle = tuple(n // 2 for n in tensor.shape[2:])
    for g in range(groups):
        for d in range(min(out, tensor.size(1))):
            tensor[(g * out + d, d, *middle)] = 1
    return tensor


def _old_name(function):
    def deprecated(*args, **kwargs):
        warnings.warn(
            f"`nn.init.{function.__name__[:-1]}` is now deprecated in favor of `nn.init.{function.__name__}`.",
            FutureWarning,
            stacklevel=2,
        )
        return function(*args, **kwargs)

    deprecated.__name__ = function.__name__[:-1]
    return deprecated


uniform = _old_name(uniform_)
normal = _old_name(normal_)
constant = _old_name(constant_)
eye = _old_name(eye_)
dirac = _old_name(dirac_)
xavier_uniform = _old_name(xavier_uniform_)
xavier_normal = _old_name(xavier_normal_)
kaiming_uniform = _old_name(kaiming_uniform_)
kaiming_normal = _old_name(kaiming_normal_)
orthogonal = _old_name(orthogonal_)
sparse = _old_name(sparse_)

"""Functions and methods composed of a few others. Each is as differentiable as its parts.

A function without a leading underscore is `torch.NAME` and `torch.Tensor.NAME`, unless it's marked to be only one of them.
"""

import math

import _torch
from _torch import Tensor

from torch._said import warn_once
from torch._functions import _log_of_sum

_ONLY_FUNCTIONS, _ONLY_METHODS = set(), set()


def _only_function(function):
    _ONLY_FUNCTIONS.add(function)
    return function


def _only_method(function):
    _ONLY_METHODS.add(function)
    return function


# ---- shapes ----------------------------------------------------------------------------------------------------------


def adjoint(input):
    if input.dim() < 2:
        raise RuntimeError(f"tensor.adjoint() is only supported on matrices or batches of matrices. Got {input.dim()}-D tensor.")
    return input.transpose(-2, -1).conj()


def _conjugate_transpose(self):
    if self.dim() not in (0, 2):
        batches = " For batches of matrices, consider using tensor.mH" if self.dim() > 2 else ""
        raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {self.dim()}-D tensor.{batches}")
    return self.transpose(0, 1).conj() if self.dim() == 2 else adjoint(self)


@_only_function
def atleast_3d(*tensors):
    def one(t):
        if t.dim() == 0:
            return t.reshape(1, 1, 1)
        if t.dim() == 1:
            return t.unsqueeze(0).unsqueeze(-1)
        return t.unsqueeze(-1) if t.dim() == 2 else t

    if len(tensors) == 1:
        return tuple(map(one, tensors[0])) if isinstance(tensors[0], (list, tuple)) else one(tensors[0])
    return tuple(map(one, tensors))


@_only_function
def column_stack(tensors):
    return _torch.cat([t.reshape(-1, 1) if t.dim() < 2 else t for t in tensors], 1)


@_only_function
def dstack(tensors):
    if not len(tensors):
        raise RuntimeError("dstack expects a non-empty TensorList")
    return _torch.cat([atleast_3d(t) for t in tensors], 2)


def _split(name, dim_of):
    def split(input, indices_or_sections):
        least, dim = dim_of(input.dim())
        if input.dim() < least:
            raise RuntimeError(
                f"torch.{name} requires a tensor with at least {least} dimension, but got a tensor "
                f"with {input.dim()} dimensions!"
            )
        if isinstance(indices_or_sections, int):
            size = input.size(dim)
            if indices_or_sections == 0 or size % indices_or_sections:
                raise RuntimeError(
                    f"torch.{name} attempted to split along dimension {dim}, but the size of the dimension {size} is not "
                    f"divisible by the split_size {indices_or_sections}!"
                )
        return input.tensor_split(indices_or_sections, dim)

    split.__name__ = name
    return split


hsplit = _split("hsplit", lambda n: (1, 0 if n == 1 else 1))
vsplit = _split("vsplit", lambda n: (2, 0))
dsplit = _split("dsplit", lambda n: (3, 2))


def diagflat(input, offset=0):
    return _torch.diag(input.reshape(-1), offset)


def fliplr(input):
    if input.dim() < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return input.flip(1)


def flipud(input):
    if input.dim() < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return input.flip(0)


def rot90(input, k=1, dims=(0, 1)):
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if input.dim() < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {input.dim()}")
    first, second = dims
    if first == second or abs(first - second) == input.dim():
        raise RuntimeError(f"expected rotation dims to be different, but got dim0 = {first} and dim1 = {second}")
    turns = k % 4
    if turns == 1:
        return input.flip(second).transpose(first, second)
    if turns == 2:
        return input.flip((first, second))
    return input.flip(first).transpose(first, second) if turns == 3 else input.clone()


def kron(input, other):
    n = max(input.dim(), other.dim())
    a = input.reshape((1,) * (n - input.dim()) + tuple(input.shape))
    b = other.reshape((1,) * (n - other.dim()) + tuple(other.shape))
    left = a.reshape([s for size in a.shape for s in (size, 1)])
    right = b.reshape([s for size in b.shape for s in (1, size)])
    out = (left * right).reshape([p * q for p, q in zip(a.shape, b.shape)])
    return _torch._under_node(out, "UnsafeViewBackward0")


def split_with_sizes(input, split_sizes, dim=0):
    return input.split(split_sizes, dim)


def take_along_dim(input, indices, dim=None):
    if dim is None:
        return input.reshape(-1).gather(0, indices.reshape(-1))
    n = dim % input.dim()
    # Indices count from either end, and wrap around.
    indices = indices.remainder(input.size(n)) if input.size(n) else indices
    shape = _torch.broadcast_tensors(
        _torch.empty([1 if i == n else s for i, s in enumerate(input.shape)], device="meta"),
        _torch.empty([1 if i == n else s for i, s in enumerate(indices.shape)], device="meta"),
    )[0].shape
    wide = lambda t: t.expand([t.size(i) if i == n else s for i, s in enumerate(shape)])
    return wide(input).gather(n, wide(indices))


@_only_function
def combinations(input, r=2, with_replacement=False):
    import itertools

    if input.dim() != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(input.shape)}")
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if r > 1 and input.numel() ** min(r, 64) >= 2 ** 63:
        # PyTorch tests which of all r-tuples are combinations.
        raise RuntimeError("numel: integer multiplication overflow")
    pick = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = list(pick(range(input.numel()), r))
    if not rows:
        return _torch._without_gradient(input.new_empty((0, r)), "IndexBackward0", [input])
    return input[_torch.tensor(rows, device=input.device)]


@_only_function
def unravel_index(indices, shape):
    if indices.is_complex() or indices.is_floating_point() or indices.dtype == _torch.bool:
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    shape = (shape,) if isinstance(shape, int) else shape
    indices = indices.to(_torch.int64)
    out = []
    for size in reversed(tuple(shape)):
        out.append(indices % size)
        indices = _torch.div(indices, size, rounding_mode="floor")
    # As in PyTorch, the coordinates of one element are next to each other.
    return _torch.stack(out[::-1], -1).unbind(-1) if out else ()


def _changed_copy(of_view):
    """A function that returns a copy of `input` in which a view holds `src`."""

    def scatter(input, src, *args, **kwargs):
        out = input.clone()
        of_view(out, *args, **kwargs).copy_(src)
        return out

    return scatter


select_scatter = _changed_copy(lambda t, dim, index: t.select(dim, index))
diagonal_scatter = _changed_copy(lambda t, offset=0, dim1=0, dim2=1: t.diagonal(offset, dim1, dim2))


def slice_scatter(input, src, dim=0, start=None, end=None, step=1):
    out = input.clone()
    index = [slice(None)] * input.dim()
    index[dim] = slice(start, end, step)
    out[tuple(index)] = src
    return out


# ---- numbers ---------------------------------------------------------------------------------------------------------


def _scalar_name(t):
    """The name of a tensor's dtype in PyTorch's messages: `Float`."""
    return t.type().split(".")[-1].removesuffix("Tensor")


def _refuse_complex(text, *inputs):
    """PyTorch's error for functions that it only has for real numbers. `{}` is replaced by the dtype's name."""
    for t in inputs:
        if isinstance(t, Tensor) and t.is_complex():
            raise NotImplementedError(text.format(_scalar_name(t)))


def _only_inexact(kernel, *inputs):
    """Refuses integers and bool with the message of the kernel that doesn't support them."""
    for t in inputs:
        if isinstance(t, Tensor) and not (t.is_floating_point() or t.is_complex()):
            raise NotImplementedError(f'"{kernel}" not implemented for \'{_scalar_name(t)}\'')


def deg2rad(input):
    _refuse_complex("deg2rad is not supported for complex tensors.", input)
    return input * (math.pi / 180)


def rad2deg(input):
    _refuse_complex("rad2deg is not supported for complex tensors.", input)
    return input * (180 / math.pi)


def float_power(input, exponent):
    def double(v):
        if isinstance(v, Tensor):
            return v.cdouble() if v.is_complex() else v.double()
        return v if isinstance(v, complex) else float(v)

    return _torch.pow(double(input), double(exponent))


@_only_method
def float_power_(self, exponent):
    complex_ = self.is_complex() or (exponent.is_complex() if isinstance(exponent, Tensor) else isinstance(exponent, complex))
    wanted = _torch.complex128 if complex_ else _torch.float64
    if self.dtype != wanted:
        raise RuntimeError(f"the base given to float_power_ has dtype {_scalar_name(self)} but the operation's result requires "
                           f"dtype {'ComplexDouble' if complex_ else 'Double'}")
    return self.copy_(float_power(self, exponent))


def copysign(input, other):
    _refuse_complex('"copysign_cpu" not implemented for \'{}\'', input, other)
    dtype = _torch.result_type(input, other)
    size = input.to(dtype if dtype.is_floating_point else _torch.get_default_dtype()).abs()
    if not isinstance(other, Tensor):
        return _torch._under_node(size if math.copysign(1.0, other) > 0 else -size, "CopysignBackward1")
    out = _torch.where(signbit(other), -size, size)
    if not other.requires_grad or not out.is_floating_point():
        return _torch._under_node(out, "CopysignBackward0")
    # The sign's own gradient is zero, but there.
    none = _torch._without_gradient(_torch.zeros_like(other.detach()), "CopysignBackward1", [other])
    return _torch._under_node(out + none, "CopysignBackward0")


def signbit(input):
    _refuse_complex("signbit is not implemented for complex tensors.", input)
    if not input.is_floating_point():
        return input < 0
    # The reciprocal tells a negative zero from a positive one.
    return (input < 0) | ((input == 0) & (input.reciprocal() < 0))


def heaviside(input, values):
    _refuse_complex("heaviside is not yet implemented for complex tensors.", input, values)
    if input.dtype != values.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")
    return _torch.where(input == 0, values.to(input.dtype), (input > 0).to(input.dtype))


def isneginf(input):
    if input.is_complex():
        raise TypeError("isneginf does not support complex inputs.")
    return input == -math.inf


def isposinf(input):
    if input.is_complex():
        raise TypeError("isposinf does not support complex inputs.")
    return input == math.inf


def isreal(input):
    return input.imag == 0 if input.is_complex() else _torch.ones_like(input, dtype=_torch.bool)


def ldexp(input, other):
    # Powers are exact in the result's dtype, which integer exponents don't affect.
    integers = isinstance(other, Tensor) and not (other.is_floating_point() or other.is_complex())
    if integers and other.dtype == _torch.bool:
        other = other.to(_torch.int64)
    floating = input.is_floating_point() or input.is_complex()
    dtype = input.dtype if integers and floating else _torch.result_type(input, other)
    if not (dtype.is_floating_point or dtype.is_complex):
        dtype = _torch.get_default_dtype()
    if not integers:
        return input.to(dtype) * _torch.pow(2.0, other)
    # In two halves, so that neither the power nor the first product overflows or underflows before the result does.
    half = _torch.div(other, 2, rounding_mode="floor")
    wide = dtype if dtype in (_torch.float64, _torch.complex128) else dtype if dtype.is_complex else _torch.float32
    powers = [_torch.pow(2.0, part.to(wide.to_real())) for part in (half, other - half)]
    return (input.to(wide) * powers[0] * powers[1]).to(dtype)


@_only_method
def ldexp_(self, other):
    result = ldexp(self, other)
    if not (self.is_floating_point() or self.is_complex()):
        raise RuntimeError(f"ldexp can't be cast to the desired output type {_scalar_name(self)}")
    if result.is_complex() and not self.is_complex():
        raise RuntimeError(f"result type {_scalar_name(result)} can't be cast to the desired output type {_scalar_name(self)}")
    return self.copy_(result)


def logaddexp(input, other):
    _only_inexact("logaddexp_cpu", input, other)
    if input.is_complex() or other.is_complex():
        return _torch._under_node(_log_of_sum(input, other), "LogaddexpBackward0")
    top = _torch.maximum(input, other)
    gap = -(input - other).abs()
    # Equal infinities have a difference of 0.
    out = top + _torch.where(input == other, _torch.zeros_like(gap), gap).exp().log1p()
    return _torch._under_node(out, "LogaddexpBackward0")


def logaddexp2(input, other):
    _only_inexact("logaddexp2_cpu", input, other)
    _refuse_complex('"logaddexp2_cpu" not implemented for \'{}\'', input, other)
    return logaddexp(input * math.log(2), other * math.log(2)) / math.log(2)


def logit(input, eps=None):
    _refuse_complex('"logit_cpu" not implemented for \'{}\'', input)
    if input.dtype == _torch.bool:
        input = input.to(_torch.get_default_dtype())
    if eps is not None:
        # The lower bound comes first. If it's above the upper one, the result differs from a clamp's.
        low, high = eps, 1 - eps
        input = _torch.where(input < low, low, _torch.where(input > high, high, input))
    return _torch._under_node((input / (1 - input)).log(), "LogitBackward0")


def sinc(input):
    x = input * math.pi
    zero = x == 0
    safe = _torch.where(zero, _torch.ones_like(x), x)
    return _torch._under_node(_torch.where(zero, _torch.ones_like(x), safe.sin() / safe), "SincBackward0")


@_only_function
def bilinear(input1, input2, weight, bias=None):
    out = _torch.einsum("...i,kij,...j->...k", input1, weight, input2)
    return out if bias is None else out + bias


# ---- reductions ------------------------------------------------------------------------------------------------------


def aminmax(input, *, dim=None, keepdim=False):
    from torch import return_types

    if input.is_complex():
        raise TypeError(f"aminmax not implemented for {_scalar_name(input)}")
    if input.numel() == 0 and dim is None:
        raise RuntimeError("aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.")
    if input.numel() == 0 and input.size(dim) == 0:
        raise IndexError(f"aminmax: Expected reduction dim {dim % input.dim()} to have non-zero size.")
    if dim is None:
        return return_types.aminmax((input.amin(), input.amax()))
    return return_types.aminmax((input.amin(dim, keepdim), input.amax(dim, keepdim)))


def _running(input, dim, largest):
    from torch import return_types

    kind = return_types.cummax if largest else return_types.cummin
    _refuse_complex(f'"{"cummax" if largest else "cummin"}_cpu" not implemented for \'{{}}\'', input)
    name = "CummaxBackward0" if largest else "CumminBackward0"
    if input.dim() == 0:
        return kind((_torch._under_node(input.clone(), name), _torch.zeros((), dtype=_torch.int64, device=input.device)))
    dim = dim % input.dim()
    with _torch._grad_mode("no_grad"):
        best = _torch._running_extreme(input, dim, largest)
        shape = [1] * input.dim()
        shape[dim] = input.size(dim)
        places = _torch.arange(input.size(dim), device=input.device).view(shape)
        hit = (input == best) | input.isnan() if input.is_floating_point() else input == best
        # If several are equal, the last one counts.
        at = _torch._running_extreme(_torch.where(hit, places, -1), dim, True)
    return kind((_torch._under_node(input.gather(dim, at), name), at))


def cummax(input, dim):
    return _running(input, dim, True)


def cummin(input, dim):
    return _running(input, dim, False)


def nanmean(input, dim=None, keepdim=False, *, dtype=None):
    if dtype is not None:
        input = input.to(dtype)
    if not (input.is_floating_point() or input.is_complex()):
        raise NotImplementedError(
            f"nanmean(): expected input to have floating point or complex dtype but got {_scalar_name(input)}"
        )
    dims = () if dim is None else (dim,)
    real_ones = (~input.isnan()).to(input.dtype)
    if dim is None:
        return input.nansum() / real_ones.sum()
    return input.nansum(*dims, keepdim=keepdim) / real_ones.sum(*dims, keepdim=keepdim)


def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    return _quantile(input, q, dim, keepdim, interpolation, False)


def _quantile(input, q, dim, keepdim, interpolation, skip_nan):
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise RuntimeError(
            "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got " + interpolation
        )
    if input.dtype not in (_torch.float32, _torch.float64):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if isinstance(q, Tensor) and q.device != input.device:
        raise RuntimeError("quantile() q tensor must be on the same device as the input tensor")
    if input.numel() == 0:
        raise RuntimeError("quantile() input tensor must be non-empty")
    if input.dtype not in (_torch.float32, _torch.float64):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if isinstance(q, Tensor):
        if q.dim() > 1:
            raise RuntimeError("quantile() q must be a scalar or 1D tensor")
        if q.dtype != input.dtype:
            raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
    elif not 0 <= q <= 1:
        raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {float(q):g}")
    single = not isinstance(q, Tensor) or q.dim() == 0
    q = _torch.tensor(float(q), dtype=input.dtype, device=input.device) if not isinstance(q, Tensor) else q
    if q.device.type == "cpu" and not ((q >= 0) & (q <= 1)).all():
        raise RuntimeError("quantile() q values must be in the range [0, 1]")
    if dim is None:
        flat = input.reshape(-1)
    elif input.dim() == 0:
        if dim not in (0, -1):
            raise IndexError(f"Dimension out of range (expected to be in range of [-1, 0], but got {dim})")
        flat = input.reshape(1)
    else:
        flat = input.movedim(dim, -1)
    values = flat.sort(-1)[0]
    if skip_nan:
        # What is not a number is sorted last, behind the numbers of its row.
        rank = q.reshape(-1) * ((~flat.isnan()).sum(-1, keepdim=True) - 1).clamp(min=0)
    else:
        rank = q.reshape(-1) * (flat.size(-1) - 1)
    if interpolation == "nearest":
        rank = rank.round()
    low, high = rank.floor().long(), rank.ceil().long()
    if skip_nan:
        below, above = values.gather(-1, low), values.gather(-1, high)
    else:
        below, above = values.index_select(-1, low), values.index_select(-1, high)
    if interpolation == "lower":
        out = below
    elif interpolation == "higher":
        out = above
    else:
        part = 0.5 if interpolation == "midpoint" else rank - low
        out = _torch.lerp(below, above, _torch.as_tensor(part, dtype=input.dtype, device=input.device).expand_as(below))
    # Not a number if any is not.
    if not skip_nan:
        out = _torch.where(flat.isnan().any(-1).unsqueeze(-1), math.nan, out)
    out = out.movedim(-1, 0)
    if keepdim:
        all_dims = dim is None or input.dim() == 0
        out = out.reshape(out.size(0), *([1] * input.dim())) if all_dims else out.unsqueeze(dim % input.dim() + 1)
    return _torch._under_node(out.squeeze(0) if single else out, "SqueezeBackward4")


def dist(input, other, p=2):
    gap = input - other
    if not (gap.is_floating_point() or gap.is_complex()):
        raise NotImplementedError(
            f"norm(): input dtype should be either floating point or complex. Got {_scalar_name(gap)} instead."
        )
    return gap.norm(p)


def diff(input, n=1, dim=-1, prepend=None, append=None):
    if input.dim() < 1:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    if any(t is not None and t.dim() != input.dim() for t in (prepend, append)):
        raise RuntimeError("diff expects prepend or append to be the same dimension as input")
    if n == 0:
        return _torch._under_node(input.clone(), "CopyBackwards")
    parts = [t for t in (prepend, input, append) if t is not None]
    if len(parts) > 1:
        input = _torch.cat(parts, dim)
    for _ in range(min(n, input.size(dim))):
        size = input.size(dim)
        if size == 0:
            break
        later, earlier = input.narrow(dim, 1, max(size - 1, 0)), input.narrow(dim, 0, max(size - 1, 0))
        input = later ^ earlier if input.dtype == _torch.bool else later - earlier
    return input


def _gaps(y, x, dx, dim):
    if x is None:
        return 1.0 if dx is None else dx
    gaps = diff(x, dim=-1 if x.dim() == 1 else dim)
    if x.dim() == 1:
        shape = [1] * y.dim()
        shape[dim] = gaps.numel()
        gaps = gaps.view(shape)
    return gaps


def _refuse_bool_points(name, y, x):
    if any(t is not None and t.dtype == _torch.bool for t in (y, x)):
        which = "`y`" if x is None else "`x` or `y`"
        raise NotImplementedError(f"{name}: received a bool input for {which}, but bool is not supported")


@_only_function
def trapezoid(y, x=None, *, dx=None, dim=-1):
    _refuse_bool_points("trapezoid", y, x)
    size = y.size(dim)
    pairs = y.narrow(dim, 1, size - 1) + y.narrow(dim, 0, size - 1)
    out = (pairs * _gaps(y, x, dx, dim)).sum(dim) / 2.0
    return _torch._under_node(out, "MulBackward1" if x is None else "DivBackward1")


trapz = trapezoid


@_only_function
def cumulative_trapezoid(y, x=None, *, dx=None, dim=-1):
    _refuse_bool_points("cumulative_trapezoid", y, x)
    size = y.size(dim)
    pairs = y.narrow(dim, 1, size - 1) + y.narrow(dim, 0, size - 1)
    if x is None:
        return (pairs * ((1.0 if dx is None else dx) / 2.0)).cumsum(dim)
    return _torch._under_node((pairs * _gaps(y, x, dx, dim)).cumsum(dim) / 2.0, "DivBackward1")


def _cov_weights(name, weights, count):
    wanted = "integral" if name == "fweights" else "floating point"
    fits = weights.is_floating_point() if name == "aweights" else not (weights.is_floating_point() or weights.is_complex())
    kind = weights.type().split(".")[-1].removesuffix("Tensor")
    if weights.dim() > 1:
        raise RuntimeError(f"cov(): expected {name} to have one or fewer dimensions but got {name} with {weights.dim()} dimensions")
    if not fits or kind == "Bool":
        raise RuntimeError(f"cov(): expected {name} to have {wanted} dtype but got {name} with {kind} dtype")
    if weights.numel() != count:
        raise RuntimeError(
            f"cov(): expected {name} to have the same numel as there are observations in the input but got "
            f"{weights.numel()} != {count}"
        )
    if count and (weights.min() < 0).item():
        raise RuntimeError(f"cov(): {name} cannot be negative")
    return weights


def cov(input, *, correction=1, fweights=None, aweights=None):
    if input.dim() > 2:
        raise RuntimeError(
            f"cov(): expected input to have two or fewer dimensions but got an input with {input.dim()} dimensions"
        )
    if input.dtype == _torch.bool:
        raise NotImplementedError("cov(): bool dtype is not supported for input")
    x = input.reshape(1, -1) if input.dim() < 2 else input
    count = x.size(1)
    weights = None
    if fweights is not None:
        weights = _cov_weights("fweights", fweights, count)
    if aweights is not None:
        aweights = _cov_weights("aweights", aweights, count)
        weights = aweights if weights is None else weights * aweights
    if weights is None:
        total, norm = count, count - correction
        mean = x.sum(1) / count if count else _torch.full_like(x.sum(1) / 1.0, math.nan)
    else:
        total = weights.sum()
        mean = (x * weights).sum(1) / total
        norm = total - correction
        if aweights is not None and correction != 0:
            norm = total - correction * (weights * aweights).sum() / total
    if isinstance(norm, Tensor):
        low = (norm <= 0).item()
    else:
        low = norm <= 0
    if low:
        import warnings

        warnings.warn("cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.",
                      stacklevel=2)
        norm = 0.0
    centred = x - mean.unsqueeze(1)
    other = centred if weights is None else centred * weights
    out = centred @ (other.conj() if other.is_complex() else other).t()
    if isinstance(norm, Tensor):
        out = _torch.true_divide(out, norm)
    else:
        out = out / _torch.full((), float(norm), dtype=out.dtype, device=out.device)
    return out.squeeze()


def corrcoef(input):
    c = cov(input)
    if c.dim() == 0:
        return c / c
    deviation = (c.real if c.is_complex() else c).diagonal().sqrt()
    c = c / deviation.unsqueeze(-1) / deviation.unsqueeze(-2)
    return _torch.complex(c.real.clamp(-1, 1), c.imag.clamp(-1, 1)) if c.is_complex() else c.clamp(-1, 1)


def histc(input, bins=100, min=0, max=0):
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    if input.is_complex():
        if min == max:
            raise TypeError(f"aminmax not implemented for {_scalar_name(input)}")
        _refuse_complex('"histogram_cpu" not implemented for \'{}\'', input)
    if input.dtype == _torch.bool:
        raise NotImplementedError("\"linspace_cpu\" not implemented for 'Bool'")
    if not input.is_cuda:
        _only_inexact("histogram_cpu", input)
    if input.is_cuda and input.is_floating_point():
        _torch._alert_not_deterministic("_histc_cuda with floating point input")
    low, high = float(min), float(max)
    if low == high:
        low, high = input.min().item(), input.max().item()
    if low == high:
        low, high = low - 1, high + 1
    flat = input.detach().reshape(-1)
    # Values outside count as 0. To leave them out, their number would have to be known, and the host would wait for it.
    counts = ((flat >= low) & (flat <= high)).to(input.dtype)
    # In the input's own dtype and in this order, so that a value at an edge falls on the same side as in PyTorch.
    low, high = (_torch.full((), edge, dtype=input.dtype, device=input.device) for edge in (low, high))
    place = ((flat - low) * bins / (high - low)).clamp_(0, bins - 1).long()
    return _torch.zeros(bins, dtype=input.dtype, device=input.device).scatter_add_(0, place.clamp_(0, bins - 1), counts)


@_only_function
def isin(elements, test_elements, *, assume_unique=False, invert=False):
    device = elements.device if isinstance(elements, Tensor) else test_elements.device
    elements, test = (_torch.as_tensor(t, device=device) for t in (elements, test_elements))
    _refuse_complex("Unsupported input type encountered for isin(): {}", elements, test)
    for t in (elements, test):
        if t.dtype == _torch.bool:
            raise NotImplementedError("Unsupported input type encountered for isin(): Bool")
    found = (elements.unsqueeze(-1) == test.reshape(-1)).any(-1)
    return ~found if invert else found


def msort(input):
    return input.sort(0)[0]


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    if dim is not None:
        values, inverse, counts = _torch._unique_runs(input, dim)
        out = (values, *([inverse] if return_inverse else []), *([counts] if return_counts else []))
        return out if len(out) > 1 else values
    _refuse_complex('"unique" not implemented for \'{}\'', input)
    flat = input.reshape(-1)
    starts = _torch.ones(flat.shape, dtype=_torch.bool, device=flat.device)
    if flat.numel() > 1:
        starts[1:] = flat[1:] != flat[:-1]
    first = starts.nonzero().reshape(-1)
    out = [flat[first]]
    if return_inverse:
        out.append((starts.long().cumsum(0) - 1).reshape(input.shape))
    if return_counts:
        end = _torch.cat([first[1:], _torch.full([1], flat.numel(), device=flat.device)])
        out.append(end - first)
    return out[0] if len(out) == 1 else tuple(out)


# ---- matrices --------------------------------------------------------------------------------------------------------


def addmv(input, mat, vec, *, beta=1, alpha=1):
    if mat.dim() != 2 or vec.dim() != 1 or input.dim() > 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {input.dim()}, {mat.dim()}, {vec.dim()}")
    if mat.size(1) != vec.size(0) or input.numel() not in (1, mat.size(0)):
        raise RuntimeError(f"size mismatch, got input ({input.numel()}), mat ({mat.size(0)}x{mat.size(1)}), vec ({vec.size(0)})")
    if not input.dtype == mat.dtype == vec.dtype:
        names = [_scalar_name(t) for t in (input, mat, vec)]
        raise RuntimeError("addmv input tensors must have the same dtype, but got {}, {}, and {}".format(*names))
    if mat.dtype == _torch.bool:
        raise NotImplementedError("\"addmv_impl_cpu\" not implemented for 'Bool'")
    column = input.reshape(-1, 1)
    out = _torch.addmm(column, mat, vec.unsqueeze(1), beta=beta, alpha=alpha).squeeze(1)
    return _torch._under_node(out, "AddmvBackward0")


def _check_factor(name, factor, dtype):
    """PyTorch's error for a scale that the result's dtype can't represent."""
    if isinstance(factor, bool) and dtype != _torch.bool:
        raise RuntimeError(f"Boolean {name} only supported for Boolean results.")
    if isinstance(factor, float) and not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(f"For integral input tensors, argument {name} must not be a floating point number.")
    # Raises if only a complex number could hold it.
    _torch.full((), factor, dtype=dtype)


def addr(input, vec1, vec2, *, beta=1, alpha=1):
    for name, vec in (("vec1", vec1), ("vec2", vec2)):
        if vec.dim() != 1:
            raise RuntimeError(f"addr: Expected 1-D argument {name}, but got {vec.dim()}-D")
    product = _torch.outer(vec1, vec2)
    dtype = _torch.result_type(input, product)
    _check_factor("beta", beta, dtype)
    _check_factor("alpha", alpha, dtype)
    if dtype == _torch.bool:
        # For bool, products and sums are "and" and "or".
        beta, alpha = bool(beta), bool(alpha)
    wide = input.expand(product.shape)
    if alpha != 1:
        product = product * alpha
    if beta == 0:
        # The input doesn't count, even if it's NaN, but its gradient is 0.
        out = _torch.where(_torch.ones_like(product, dtype=_torch.bool), product, wide)
    else:
        out = (wide if beta == 1 else wide * beta) + product
    return _torch._under_node(out, "AddrBackward0")


def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    for name, batch in (("batch1", batch1), ("batch2", batch2)):
        if batch.dim() != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    if batch1.size(0) != batch2.size(0):
        raise RuntimeError(
            f"batch1 and batch2 must have same number of batches, got {batch1.size(0)} and {batch2.size(0)}"
        )
    if batch1.size(2) != batch2.size(1):
        raise RuntimeError(
            f"Incompatible matrix sizes for bmm ({batch1.size(1)}x{batch1.size(2)} and {batch2.size(1)}x{batch2.size(2)})"
        )
    # The sum over the batch is one product whose inner dimension is the batch size times the matrices'.
    inner = batch1.size(0) * batch1.size(2)
    left = batch1.transpose(0, 1).reshape(batch1.size(1), inner)
    out = _torch.addmm(input, left, batch2.reshape(inner, batch2.size(2)), beta=beta, alpha=alpha)
    return _torch._under_node(out, "AddbmmBackward0")


@_only_function
def chain_matmul(*matrices):
    from torch import linalg

    warn_once("torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use torch.linalg.multi_dot instead, "
              "which accepts a list of two or more tensors rather than multiple parameters.")
    return linalg.multi_dot(matrices)


def vdot(input, other):
    return _torch.dot(input.conj(), other)


def logdet(input):
    from torch import linalg

    linalg._check_float("logdet", input, low=False)
    sign, log = _torch._linalg_slogdet(input)
    if sign.is_complex():
        return sign.log() + log
    return _torch.where(sign < 0, math.nan, log)


def slogdet(input):
    from torch import linalg, return_types

    return return_types.slogdet(linalg.slogdet(input))


def svd(input, some=True, compute_uv=True):
    from torch import linalg, return_types

    u, s, vh = linalg.svd(input, full_matrices=not some)
    if not compute_uv:
        rows, columns = input.shape[-2:]
        u, vh = u.new_zeros((*input.shape[:-2], rows, rows)), u.new_zeros((*input.shape[:-2], columns, columns))
    return return_types.svd((u, s, vh.mH))


def matrix_power(input, n):
    from torch import linalg

    return linalg.matrix_power(input, n)


def pinverse(input, rcond=1e-15):
    from torch import linalg

    return linalg.pinv(input, rtol=rcond)


@_only_function
def vander(x, N=None, increasing=False):
    if x.dim() != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    if N is not None and N < 0:
        raise RuntimeError("N must be non-negative.")
    n = x.numel() if N is None else N
    powers = x.unsqueeze(-1) ** _torch.arange(n, device=x.device)
    return powers if increasing else powers.flip(-1)


def renorm(input, p, dim, maxnorm):
    if input.dim() < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {input.dim()} dimensions")
    others = [d for d in range(input.dim()) if d != dim % input.dim()]
    norm = input.norm(p, others, keepdim=True)
    out = input * _torch.where(norm > maxnorm, maxnorm / (norm + 1e-7), _torch.ones_like(norm))
    return _torch._under_node(out, "RenormBackward0")


def masked_scatter(input, mask, source):
    input, mask = _torch.broadcast_tensors(input, mask)
    return _masked_scatter(input.contiguous().clone(), mask, source)


@_only_method
def masked_scatter_(self, mask, source):
    if not _torch.is_grad_enabled() or not (self.requires_grad or source.requires_grad):
        return _masked_scatter(self, mask, source)
    return _torch._replace(self, masked_scatter, mask, source)


def _masked_scatter(self, mask, source):
    if mask.dtype != _torch.bool:
        kind = mask.type().split(".")[-1].removesuffix("Tensor")
        raise RuntimeError(f"masked_scatter_ only supports boolean masks, but got mask with dtype {kind}")
    if self.dtype != source.dtype:
        names = [t.type().split(".")[-1].removesuffix("Tensor") for t in (self, source)]
        raise RuntimeError("masked_scatter: expected self and source to have same dtypes but got" + " and ".join(names))
    count = int(mask.expand_as(self).sum())
    if source.numel() < count:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    self[mask.expand_as(self)] = source.reshape(-1)[:count]
    return self


# ---- windows ---------------------------------------------------------------------------------------------------------


def _window(weights):
    def make(window_length, periodic=True, *others, dtype=None, device=None, requires_grad=False, **named):
        dtype = _torch.get_default_dtype() if dtype is None else dtype
        if window_length == 1:
            return _torch.ones(1, dtype=dtype, device=device, requires_grad=requires_grad)
        steps = window_length if periodic else window_length - 1
        at = _torch.arange(window_length, dtype=dtype, device=device) / steps
        return weights(at, *others, **named).requires_grad_(requires_grad)

    return make


hann_window = _only_function(_window(lambda t: 0.5 - 0.5 * (2 * math.pi * t).cos()))
hamming_window = _only_function(_window(lambda t, alpha=0.54, beta=0.46: alpha - beta * (2 * math.pi * t).cos()))
blackman_window = _only_function(_window(lambda t: 0.42 - 0.5 * (2 * math.pi * t).cos() + 0.08 * (4 * math.pi * t).cos()))
bartlett_window = _only_function(_window(lambda t: 1 - (2 * t - 1).abs()))


# ---- in place --------------------------------------------------------------------------------------------------------


def _in_place(name):
    """`t.f_(...)` from `f`: writes the result back into the tensor, with its history."""
    function = globals()[name] if name in globals() else getattr(_torch, name)

    def method(self, *args, **kwargs):
        return _torch._replace(self, function, *args, **kwargs)

    method.__name__ = name + "_"
    return method


def _reshaped_in_place(name):
    """`t.f_(...)` for a view function: the tensor itself becomes the view."""
    function = getattr(_torch, name)

    def method(self, *args, **kwargs):
        return _torch._become(self, function, *args, **kwargs)

    method.__name__ = name + "_"
    return method


@_only_method
def as_strided_(self, size, stride, storage_offset=None):
    return _torch._become(self, _as_strided_in_place, size, stride, storage_offset)


def _as_strided_in_place(t, size, stride, storage_offset):
    return _torch._under_node(_torch.as_strided(t, size, stride, storage_offset), "AsStridedBackward1")


@_only_method
def fill_diagonal_(self, fill_value, wrap=False):
    if self.dim() < 2:
        raise RuntimeError("dimensions must larger than 1")
    self.diagonal().fill_(fill_value)
    return self


@_only_method
def resize_(self, *sizes):
    sizes = tuple(sizes[0]) if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes
    if self.requires_grad:
        raise RuntimeError("cannot resize variables that require grad")
    count = math.prod(sizes)
    if count > self.numel():
        grown = self.new_empty(count)
        grown[: self.numel()] = self.reshape(-1)
        self.data = grown.view(sizes)
    else:
        self.data = self.reshape(-1)[:count].view(sizes)
    return self


@_only_method
def sum_to_size(self, *size):
    size = tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else size
    extra = self.dim() - len(size)
    if extra < 0 or any(n not in (1, have) for n, have in zip(size, self.shape[extra:])):
        raise RuntimeError(f"size {{{list(size)}}} is not expandable to size {{{list(self.shape)}}}.")
    dims = list(range(extra)) + [i + extra for i, n in enumerate(size) if n == 1 and self.size(i + extra) != 1]
    if not size:
        return self.sum()
    out = self.sum(dims, keepdim=True) if dims else self
    return out.reshape(size) if extra else out


def is_same_size(self, other):
    return self.shape == other.shape


@_only_method
def is_nonzero(self):
    return bool(self)


_IN_PLACE = (
    "addbmm addmm addmv addr baddbmm clamp_max clamp_min conj_physical copysign cumprod cumsum deg2rad heaviside logit "
    "nan_to_num rad2deg renorm round sinc tril triu xlogy"
).split()
_RESHAPED = "squeeze swapaxes swapdims t transpose unsqueeze".split()

_PUBLIC = {name: value for name, value in globals().items() if not name.startswith("_") and type(value) is type(_only_method)}
_FUNCTIONS = [name for name, value in _PUBLIC.items() if value not in _ONLY_METHODS]
_METHODS = [name for name, value in _PUBLIC.items() if value not in _ONLY_FUNCTIONS]

__all__ = list(_FUNCTIONS)


# Those of `_more` and `_factors`, which are loaded when one is called.
_FACTOR_METHODS = "cholesky_inverse cholesky_solve geqrf lu lu_solve matrix_exp orgqr ormqr triangular_solve".split()
_REMOVED_METHODS = "cholesky eig lstsq qr solve symeig".split()
_SPECTRAL_METHODS = ["istft", "stft"]
_SPECIAL_METHODS = "i0 igamma igammac polygamma".split()
_LATER_METHODS = (
    "as_strided_scatter frexp gcd gcd_ histogram index_reduce index_reduce_ is_neg lcm lcm_ logcumsumexp mode mvlgamma mvlgamma_ nanmedian "
    "nanquantile narrow_copy new_empty_strided nextafter nextafter_ nonzero_static put resize_as_ resolve_neg unsafe_chunk "
    "unsafe_split unsafe_split_with_sizes"
).split()


def _later(name):
    def method(self, *args, **kwargs):
        if name in _FACTOR_METHODS:
            from torch import _factors as module
        elif name in _REMOVED_METHODS:
            from torch import _linalg_utils as module
        elif name in _SPECTRAL_METHODS:
            from torch import _spectral as module
        elif name.removesuffix("_") in _SPECIAL_METHODS:
            from torch import _special

            return _special.methods[name](self, *args, **kwargs)
        else:
            from torch import _more as module
        found = getattr(module, name)(self, *args, **kwargs)
        # The function's result has names, the method's hasn't.
        return tuple(found) if name == "lu" else found

    method.__name__ = name
    return method


def install():
    """Puts the methods on `Tensor`, and adds `out=` to functions."""
    for name in _METHODS:
        _torch._set_method(name, globals()[name])
    for name in _IN_PLACE:
        _torch._set_method(name + "_", _in_place(name))
    for name in _RESHAPED:
        _torch._set_method(name + "_", _reshaped_in_place(name))
    special = _SPECIAL_METHODS + [name + "_" for name in _SPECIAL_METHODS]
    for name in _LATER_METHODS + _FACTOR_METHODS + _REMOVED_METHODS + _SPECTRAL_METHODS + special:
        _torch._set_method(name, _later(name))
    _torch._set_method("H", property(_conjugate_transpose))
    _torch._set_method("mH", property(adjoint))
    for name in _FUNCTIONS:
        globals()[name] = _torch._composed(name, globals()[name])

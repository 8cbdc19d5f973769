"""Functions and methods composed of a few others. Each is as differentiable as its parts.

A function without a leading underscore is `torch.NAME` and `torch.Tensor.NAME`, unless it's marked to be only one of them.
"""

import math

import _torch
from _torch import Tensor

from torch import _reductions
from torch._checks import _ONLY_FUNCTIONS, _ONLY_METHODS, _not_differentiable, _only_function, _only_inexact, _only_method, _refuse_complex, _scalar_name, _wrapped
from torch._functions import _log_of_sum
from torch._reductions import (
    aminmax,
    corrcoef,
    cov,
    cummax,
    cummin,
    cumulative_trapezoid,
    diff,
    dist,
    histc,
    isin,
    msort,
    nanmean,
    quantile,
    trapezoid,
    trapz,
    unique_consecutive,
)
from torch._said import warn_once as _warn_once

# ---- shapes ----------------------------------------------------------------------------------------------------------


def adjoint(input):
    return _adjoint(input, "adjoint()", "tensor.adjoint()")


def _adjoint(input, name, long_name):
    if input.dim() == 0:
        _warn_once(f"{name} is deprecated on 0-D tensors. Consider using x.conj().")
        return input.conj()
    if input.dim() < 2:
        raise RuntimeError(f"{long_name} is only supported on matrices or batches of matrices. Got {input.dim()}-D tensor.")
    return input.transpose(-2, -1).conj()


def _conjugate_transpose(self):
    if self.dim() == 0:
        _warn_once("Tensor.H is deprecated on 0-D tensors. Consider using x.conj().")
    if self.dim() not in (0, 2):
        batches = " For batches of matrices, consider using tensor.mH" if self.dim() > 2 else ""
        raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {self.dim()}-D tensor.{batches}")
    return self.transpose(0, 1).conj() if self.dim() == 2 else self.conj()


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
    def split(input, indices_or_sections, *more):
        if more:
            # A method takes the places one by one, as well.
            indices_or_sections = (indices_or_sections, *more)
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
        return input.view(-1).gather(0, indices.view(-1))
    n = _wrapped(dim, input)
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
    if r == 0:
        return input.new_empty(0)
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
        part = of_view(out, *args, **kwargs)
        if part.shape != src.shape:
            raise RuntimeError("expected src to have a size equal to the slice of self. "
                               f"src size = {list(src.shape)}, slice size = {list(part.shape)}")
        part.copy_(src)
        return out

    return scatter


select_scatter = _changed_copy(lambda t, dim, index: t.select(dim, index))
diagonal_scatter = _changed_copy(lambda t, offset=0, dim1=0, dim2=1: t.diagonal(offset, dim1, dim2))


def slice_scatter(input, src, dim=0, start=None, end=None, step=1):
    if input.dim() == 0:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    out = input.clone()
    index = [slice(None)] * input.dim()
    index[_wrapped(dim, input)] = slice(start, end, step)
    part = out[tuple(index)]
    if part.shape != src.shape:
        raise RuntimeError("expected src to have a size equal to the slice of self. "
                           f"src size = {list(src.shape)}, slice size = {list(part.shape)}")
    out[tuple(index)] = src
    return out


# ---- numbers ---------------------------------------------------------------------------------------------------------


def deg2rad(input):
    _refuse_complex("deg2rad is not supported for complex tensors.", input)
    return _torch._under_node(input * (math.pi / 180), "Deg2RadBackward0")


def rad2deg(input):
    _refuse_complex("rad2deg is not supported for complex tensors.", input)
    return _torch._under_node(input * (180 / math.pi), "Rad2DegBackward0")


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
    out = _torch.where(input == 0, values.to(input.dtype), (input > 0).to(input.dtype))
    return _not_differentiable("heaviside", [input, values], [out])[0]


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
    return _torch._replace(self, ldexp, other)


def _promoted(input, other):
    """Both in their common dtype: a kernel accepts or refuses that one."""
    if input.dtype == other.dtype:
        return input, other
    dtype = _torch.result_type(input, other)
    return input.to(dtype), other.to(dtype)


def logaddexp(input, other):
    input, other = _promoted(input, other)
    _only_inexact("logaddexp_cpu", input, other)
    if input.is_complex() or other.is_complex():
        return _torch._under_node(_log_of_sum(input, other), "LogaddexpBackward0")
    top = _torch.maximum(input, other)
    gap = -(input - other).abs()
    # Equal infinities have a difference of 0.
    out = top + _torch.where(input == other, _torch.zeros_like(gap), gap).exp().log1p()
    return _torch._under_node(out, "LogaddexpBackward0")


def logaddexp2(input, other):
    input, other = _promoted(input, other)
    _only_inexact("logaddexp2_cpu", input, other)
    _refuse_complex('"logaddexp2_cpu" not implemented for \'{}\'', input, other)
    return logaddexp(input * math.log(2), other * math.log(2)) / math.log(2)


def logit(input, eps=None):
    _refuse_complex('"logit_cpu" not implemented for \'{}\'', input)
    if not input.is_floating_point():
        input = input.to(_torch.get_default_dtype())
    if eps is None:
        # Outside of (0, 1), the slope is NaN as the value is, which the slopes of the parts don't say.
        outside = (input.detach() < 0) | (input.detach() > 1)
        input = _torch.where(outside, math.nan, 1.0).to(input.dtype) * input if input.requires_grad else input
    else:
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
    given = {"input1": input1, "input2": input2, "weight": weight, **({} if bias is None else {"bias": bias})}
    if len({t.dtype for t in given.values()}) > 1:
        from torch.nn._attention import _C_NAMES

        names = ", ".join(f"{name}: {_C_NAMES.get(t.dtype, t.dtype)}" for name, t in given.items())
        raise RuntimeError(f"All tensors must have the same dtype, got {names}")
    if input1.dim() != input2.dim():
        raise RuntimeError(f"bilinear(): input dimensions do not match: got {input1.dim()} and {input2.dim()}")
    for i, (m, n) in enumerate(zip(input1.shape[:-1], input2.shape)):
        if m != n:
            raise RuntimeError(f"bilinear(): input batch dimensions do not match at dim {i}: got {m} and {n}")
    for name, n, wanted in (("input1", input1.size(-1), weight.size(1)), ("input2", input2.size(-1), weight.size(2)),
                            ("bias", weight.size(0) if bias is None else bias.size(0), weight.size(0))):
        if n != wanted:
            raise RuntimeError(f"bilinear(): {name} size does not match weight size: got {n} but expected {wanted}")
    out = _torch.einsum("...i,kij,...j->...k", input1, weight, input2)
    return out if bias is None else out + bias


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
    if batch2.dim() == 2:
        batch2.size(2)  # PyTorch reads the product's shape before it checks the batches.
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

    _warn_once("torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use torch.linalg.multi_dot instead, "
              "which accepts a list of two or more tensors rather than multiple parameters.")
    return linalg.multi_dot(matrices)


def vdot(input, other):
    return _torch.dot(input.conj(), other)


def logdet(input):
    from torch import linalg

    linalg._check_square("logdet", input)
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

    if input.dim() < 2:
        raise RuntimeError(f"linalg.svd: input should have at least 2 dimensions, but has {input.dim()} dimensions instead")
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
    dim = _wrapped(dim, input)
    others = [d for d in range(input.dim()) if d != dim]
    norm = input.norm(p, others, keepdim=True)
    out = input.contiguous() * _torch.where(norm > maxnorm, maxnorm / (norm + 1e-7), _torch.ones_like(norm))
    return _torch._under_node(out, "RenormBackward0")


def masked_scatter(input, mask, source):
    mask, input = _torch.broadcast_tensors(mask, input)
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
    if self.is_cuda and source.numel():
        # The GPU finds each number's place itself, so nothing waits. A source with fewer numbers fails there.
        mask = mask.expand_as(self)
        picked = source.reshape(-1)[mask.reshape(-1).cumsum(0) - 1].reshape(self.shape)
        return self.copy_(_torch.where(mask, picked, self))
    count = int(mask.expand_as(self).sum())
    if source.numel() < count:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    self[mask.expand_as(self)] = source.reshape(-1)[:count]
    return self


# ---- windows ---------------------------------------------------------------------------------------------------------


def _window(name, weights):
    def make(window_length, periodic=True, *others, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False, **named):
        dtype = _window_dtype(name, window_length, dtype, layout, device)
        options = {"dtype": dtype, "device": device, "pin_memory": pin_memory}
        if window_length < 2:
            return _torch.ones(window_length, requires_grad=requires_grad, **options)
        # A periodic window is the first part of one that is longer by one.
        last = window_length if periodic else window_length - 1
        return weights(_torch.arange(window_length, **options), last, *others, **named).requires_grad_(requires_grad)

    return make


def _window_dtype(name, window_length, dtype, layout, device):
    """A window's dtype: the default one if none is named. Raises if there is no such window."""
    given = layout is not None
    if given and "sparse" in str(layout):
        raise RuntimeError(f"{name} is not implemented for sparse types, got: {_window_options(dtype, 'Sparse', device)}")
    if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
        options = _window_options(dtype, "Strided" if given else "Strided (default)", device)
        raise RuntimeError(f"{name} expects floating point dtypes, got: {options}")
    if window_length < 0:
        raise RuntimeError(f"{name} requires non-negative window_length, got window_length={window_length}")
    return _torch.get_default_dtype() if dtype is None else dtype


def _window_options(dtype, layout, device):
    from torch._legacy import _KINDS
    named = next((name for known, name in _KINDS.values() if known == dtype), "float")
    return (f"TensorOptions(dtype={named}, device={'cpu' if device is None else device}, layout={layout}, "
            "requires_grad=false (default), pinned_memory=false, memory_format=(nullopt))")


# In the order in which PyTorch computes them, one dtype throughout: the last bits are its.


def _raised_cosine(t, last, alpha=0.54, beta=0.46):
    return t.mul_(2 * math.pi / last).cos_().mul_(-beta).add_(alpha)


def _blackman(t, last):
    t.mul_(math.pi / last)
    return t.mul(4).cos_().mul_(0.08) - t.mul(2).cos_().mul_(0.5) + 0.42


def _bartlett(t, last):
    t.mul_(2 / last)
    t[last // 2 + 1:].mul_(-1).add_(2)
    return t


hann_window = _only_function(_window("hann_window", lambda t, last: _raised_cosine(t, last, 0.5, 0.5)))
hamming_window = _only_function(_window("hamming_window", _raised_cosine))
blackman_window = _only_function(_window("blackman_window", _blackman))
bartlett_window = _only_function(_window("bartlett_window", _bartlett))


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
    height, width = self.shape[:2]
    if self.dim() > 2 and any(n != height for n in self.shape):
        raise RuntimeError("all dimensions of input must be of equal length")
    step = sum(self.stride())
    count = min(height, width)
    self.as_strided((count,), (step,), self.storage_offset()).fill_(fill_value)
    if wrap and self.dim() == 2 and height > width + 1:
        # The diagonal starts again below each square of a tall matrix, one row further down.
        more = -(-self.numel() // (width + 1)) - count
        self.as_strided((more,), (step,), self.storage_offset() + self.stride(0) * (width + 1)).fill_(fill_value)
    return self


@_only_method
def resize_(self, *sizes):
    sizes = tuple(sizes[0]) if len(sizes) == 1 and isinstance(sizes[0], (list, tuple)) else sizes
    if self.requires_grad:
        raise RuntimeError("cannot resize variables that require grad")
    if any(n < 0 for n in sizes):
        raise RuntimeError("numel: integer multiplication overflow")
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
    _torch._set_method("mH", property(lambda self: _adjoint(self, "Tensor.mH", "tensor.mH")))
    for name in _FUNCTIONS:
        globals()[name] = made = _torch._composed(name, globals()[name])
        if name in vars(_reductions):
            setattr(_reductions, name, made)

"""Functions and methods of `torch` that are composed of others and that few programs use.

Loaded when a program first asks for one of them.
"""

import functools
import math
from builtins import range as _range

import _torch
from _torch import Tensor
from torch import return_types
from torch._checks import _not_differentiable, _wrapped
from torch._composed import _only_inexact, _scalar_name, _window_dtype
from torch._said import warn_once
from torch.autograd.function import Function


_node = _torch._under_node


# ---- copies of views -------------------------------------------------------------------------------------------------


def _copied(name):
    """`view` as a function that copies what it finds."""
    view = _slice if name == "slice" else getattr(_torch, name, None) or getattr(Tensor, name, None)
    node = "NarrowCopyBackward0" if name == "narrow" else "".join(part.capitalize() for part in name.split("_")) + "Backward{}_copy"

    def copy(input, *args, **kwargs):
        if name == "narrow":
            _check_narrow(input, *args, **kwargs)
        found = input if view is None else view(input, *args, **kwargs)
        number = 1 if name in ("squeeze", "split") and args else 0
        own = lambda t: _node(t.clone(memory_format=_contiguous()), node.format(number))
        return tuple(map(own, found)) if isinstance(found, (tuple, list)) else own(found)

    copy.__name__ = name + "_copy"
    return copy


def _check_narrow(input, dim=0, start=0, length=0):
    """What PyTorch's kernel of `narrow_copy` says before `narrow` does."""
    if 0 < input.dim() <= dim:
        raise RuntimeError("Expected dim < static_cast<int64_t>(self_sizes.size()) to be true, but got false.  (Could this error message "
                           "be improved?  If so, please report an enhancement request to PyTorch.)")
    if length < 0 and -input.dim() <= dim < input.dim():
        size = input.size(dim)
        begin = start + size if start < 0 else start
        if 0 <= begin <= size:
            raise RuntimeError(f"start ({begin}) + length ({length}) exceeds dimension size ({size}).")


def _slice(input, dim=0, start=None, end=None, step=1):
    index = [slice(None)] * input.dim()
    index[dim] = slice(start, end, step)
    return input[tuple(index)]


def _contiguous():
    import torch

    return torch.contiguous_format


_COPIES = ("alias as_strided detach diagonal expand narrow permute select slice split split_with_sizes squeeze t transpose unbind unfold "
           "unsqueeze view view_as_complex view_as_real").split()


def unsafe_chunk(input, chunks, dim=0):
    return tuple(_node(t, "UnsafeSplitBackward0") for t in input.chunk(chunks, dim))


def unsafe_split(input, split_size, dim=0):
    return tuple(_node(t, "UnsafeSplitBackward0") for t in input.split(split_size, dim))


def unsafe_split_with_sizes(input, split_sizes, dim=0):
    return input.split(split_sizes, dim)


class _AsStridedScatter(Function):
    @staticmethod
    def forward(ctx, input, src, at, places):
        ctx.at, ctx.shape = at, src.shape
        out = input.clone()
        out.as_strided(*places).copy_(src)
        return out

    @staticmethod
    def backward(ctx, grad):
        # In PyTorch, the input gets the gradient where `src` was written, and none elsewhere.
        taken = grad.reshape(-1).gather(0, ctx.at)
        return _torch.zeros_like(grad).reshape(-1).scatter(0, ctx.at, taken).view(grad.shape), taken.view(ctx.shape), None, None


def as_strided_scatter(input, src, size, stride, storage_offset=None):
    at = _torch.as_strided(_torch.arange(input.numel(), device=input.device), size, stride, storage_offset).reshape(-1)
    return _node(_AsStridedScatter.apply(input, src.expand(tuple(size)), at, (size, stride, storage_offset)), "AsStridedScatterBackward0")


_BITS = {_torch.float16: (_torch.int16, 10, 5), _torch.bfloat16: (_torch.int16, 7, 8), _torch.float32: (_torch.int32, 23, 8),
         _torch.float64: (_torch.int64, 52, 11)}


def nextafter(input, other):
    """The number after each one of `input` towards that of `other`."""
    for at, (name, value) in enumerate((("input", input), ("other", other)), 1):
        if not isinstance(value, Tensor):
            raise TypeError(f"nextafter(): argument '{name}' (position {at}) must be Tensor, not {type(value).__name__}")
    kind = _torch.result_type(input, other)
    if kind not in _BITS:
        raise NotImplementedError(f"\"nextafter_cpu\" not implemented for '{_scalar_name(_torch.empty(0, dtype=kind))}'")
    a, b = _torch.broadcast_tensors(input.detach().to(kind), other.detach().to(kind))
    # The bits of numbers with one sign are in the order of their sizes.
    bits = a.contiguous().view(_BITS[kind][0])
    away = (b > a) == (a > 0)
    smallest = _torch.ones_like(bits).view(kind)
    out = _torch.where(a == 0, _torch.where(b > 0, smallest, -smallest), (bits + _torch.where(away, 1, -1).to(bits.dtype)).view(kind))
    out = _torch.where(a == b, b, _torch.where(a.isnan() | b.isnan(), math.nan, out))
    if _torch.is_grad_enabled() and (input.requires_grad or other.requires_grad):
        def backward(grads):
            return (_torch.where(a == b, 0.0, grads[0]).sum_to_size(input.shape) if input.requires_grad else None,
                    _torch.zeros_like(other) if other.requires_grad else None)

        _torch._record("NextafterBackward0", [input, other], [out], backward)
    return out


def nextafter_(self, other):
    return _torch._replace(self, nextafter, other)


def frexp(input):
    """`mantissa * 2 ** exponent` with a mantissa from 0.5 up to 1."""
    if input.dtype not in _BITS:
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    integer, places, width = _BITS[input.dtype]
    x = input.detach()
    bias = (1 << (width - 1)) - 1
    # Numbers with too small an exponent are made larger first.
    small = (x.abs() < 2.0 ** (1 - bias)) & (x != 0)
    scaled = _torch.where(small, x * 2.0 ** (places + 1), x)
    bits = scaled.view(integer)
    exponent = ((bits >> places) & ((1 << width) - 1)) - (bias - 1)
    exponent = (exponent - _torch.where(small, places + 1, 0)).int()
    plain = x.isfinite() & (x != 0)
    # What the exponent's bits hold is replaced by the exponent of 0.5.
    mantissa = ((bits & ~(((1 << width) - 1) << places)) | ((bias - 1) << places)).view(input.dtype)
    mantissa, exponent = _torch.where(plain, mantissa, x), _torch.where(plain, exponent, 0).int()
    if _torch.is_grad_enabled() and input.requires_grad:
        _torch._record("FrexpBackward0", [input], [mantissa, exponent], lambda grads: ((grads[0] / 2.0 ** exponent).to(input.dtype),))
    return return_types.frexp((mantissa, exponent))


def resolve_neg(input):
    return _torch._resolve(input) if is_neg(input) else input


def is_neg(input):
    return not input.is_complex() and _torch._is_flipped(input)


def empty_permuted(size, physical_layout, **options):
    if sorted(physical_layout) != list(_range(len(size))):
        if len(physical_layout) != len(size):
            raise RuntimeError("Number of dimensions in size does not match the length of the physical_layout; i.e. "
                               f"len(size) = {len(size)} is not equal to len(physical_layout) = {len(physical_layout)}")
        for at, d in enumerate(physical_layout):
            if not 0 <= d < len(size):
                raise RuntimeError(f"Dimension out of range (expected to be between 0 and {len(size) - 1}, but got {d} at index {at}).  "
                                   "NB: negative dims not currently supported; file an issue if you want it.")
        raise RuntimeError("Duplicate dim not allowed")
    places = sorted(_range(len(size)), key=lambda d: physical_layout[d])
    return _torch.empty([size[d] for d in physical_layout], **options).permute(places)


def new_empty_strided(self, size, stride, dtype=None, **options):
    options.setdefault("device", self.device)
    return _torch.empty_strided(size, stride, dtype=self.dtype if dtype is None else dtype, **options)


def constant_pad_nd(input, pad, value=0):
    return _torch._constant_pad(input, pad, value)


def fill(input, value):
    if isinstance(value, Tensor):
        if value.dim():
            raise RuntimeError(f"fill only supports 0-dimension value tensor but got tensor with {value.dim()} dimensions.")
        if value.requires_grad:
            return _node(value.to(input.dtype).expand(input.shape).clone(), "FillBackward1")
        return _node(input.clone().fill_(value), "FillBackward1")
    return _node(input.clone().fill_(value), "FillBackward0")


def put(input, index, source, accumulate=False):
    return _node(input.clone().put_(index, source, accumulate), "PutBackward0")


def resize_as_(self, the_template, memory_format=None):
    return self.resize_(the_template.shape)


def _check_index_reduce(input, dim, index, source):
    dim = _wrapped(dim, input) if input.dim() else 0
    if index.dim() > 1:
        raise IndexError(f"index_reduce_(): Index is supposed to be a vector, but got dim: {index.dim()} with type: {_scalar_name(index)} "
                         f"and size: {list(index.shape)}")
    if index.dtype not in (_torch.int32, _torch.int64):
        raise RuntimeError(f"index_reduce_(): Expected dtype int32/int64 for index but got: {_scalar_name(index)}")
    if input.dtype != source.dtype:
        raise RuntimeError(f"index_reduce_(): self ({_scalar_name(input)}) and source ({_scalar_name(source)}) must have the same scalar type")
    if source.dim() == 0 and index.numel() != 1:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    given = source.size(dim) if source.dim() else 1
    if index.numel() != given:
        raise RuntimeError(f"index_reduce_(): Number of indices ({index.numel()}) should be equal to source.size(dim): ({given}), for dim: {dim}")
    without = lambda t: [n for d, n in enumerate(t.shape) if d != dim]
    if input.dim() != source.dim() or without(input) != without(source):
        raise RuntimeError("source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = "
                           f"{list(input.shape)} source.shape = {list(source.shape)}")
    size = input.size(dim) if input.dim() else 1
    if index.device.type == "cpu" and not ((index >= 0) & (index < size)).all():
        raise IndexError("index out of range in self")


def index_reduce(input, dim, index, source, reduce, *, include_self=True):
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise RuntimeError(f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}.")
    warn_once("index_reduce() is in beta and the API may change at any time.")
    if input.dtype == _torch.bool or input.is_complex():
        raise NotImplementedError(f'"index_func_" not implemented for \'{_scalar_name(input)}\'')
    _check_index_reduce(input, dim, index, source)
    if input.dim() == 0:
        row = index_reduce(input.reshape(1), 0, index.reshape(-1), source.reshape(-1), reduce, include_self=include_self)
        return _node(row.reshape(()), "IndexReduceBackward0")
    dim = _wrapped(dim, input)
    wide = index.reshape([-1 if d == dim else 1 for d in _range(input.dim())]).to(_torch.int64).expand(source.shape)
    return _node(input.scatter_reduce(dim, wide, source, reduce, include_self=include_self), "IndexReduceBackward0")


def nonzero_static(input, *, size, fill_value=-1):
    if size < 0:
        raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
    found = (input != 0).reshape(-1)
    # How many there are stays on the device: every element has a place, and those beyond `size` share one that is cut off.
    place = found.to(_torch.int64).cumsum(0) - 1
    place = _torch.where(found & (place < size), place, size)
    flat = _torch.full((size + 1,), -1, dtype=_torch.int64, device=input.device)
    flat = flat.scatter(0, place, _torch.arange(found.numel(), device=input.device))[:size]
    columns, step = [], found.numel()
    for n in input.shape:
        step //= max(n, 1)
        columns.append(_torch.div(flat, max(step, 1), rounding_mode="floor").remainder(max(n, 1)))
    if not columns:
        return _torch.empty((size, 0), dtype=_torch.int64, device=input.device)
    return _torch.where((flat >= 0).unsqueeze(1), _torch.stack(columns, 1), fill_value)


# ---- numbers ---------------------------------------------------------------------------------------------------------


def _two_integers(name, input, other):
    for at, (argument, t) in enumerate((("input", input), ("other", other)), 1):
        if not isinstance(t, Tensor):
            raise TypeError(f"{name}(): argument '{argument}' (position {at}) must be Tensor, not {type(t).__name__}")
    dtype = _torch.promote_types(input.dtype, other.dtype)
    if dtype == _torch.bool or dtype.is_floating_point or dtype.is_complex:
        raise NotImplementedError(f'"{name}_cpu" not implemented for \'{_scalar_name(_torch.empty((), dtype=dtype))}\'')
    a, b = _torch.broadcast_tensors(input.to(dtype), other.to(dtype))
    return a.abs(), b.abs(), dtype


def _euclid(a, b, dtype):
    # As many steps as the worst pair of numbers needs, which are neighbors in Fibonacci's sequence: so the host never waits to see whether all are done.
    for _ in _range({1: 12, 2: 23, 4: 46}.get(dtype.itemsize, 91)):
        ends = b == 0
        a, b = _torch.where(ends, a, b), _torch.where(ends, b, a.remainder(_torch.where(ends, 1, b)))
        if a.device.type == "cpu" and not b.any():
            break
    return a


def gcd(input, other):
    return _euclid(*_two_integers("gcd", input, other))


def lcm(input, other):
    a, b, dtype = _two_integers("lcm", input, other)
    divisor = _euclid(a, b, dtype)
    # Narrow numbers overflow when the result is stored, not before.
    return (_torch.div(a, divisor.clamp(min=1), rounding_mode="floor").to(_torch.int64) * b).abs().to(dtype)


def mvlgamma(input, p):
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    if input.is_complex():
        raise NotImplementedError(f'"arange_cpu" not implemented for \'{_scalar_name(input)}\'')
    if input.dtype == _torch.bool:
        raise RuntimeError("The input tensor may not be a boolean tensor.")
    x = input if input.is_floating_point() else input.to(_torch.get_default_dtype())
    steps = _torch.arange(1 - p, 1, dtype=x.dtype, device=x.device) / 2
    out = (x.unsqueeze(-1) + steps).lgamma().sum(-1) + p * (p - 1) / 4 * math.log(math.pi)
    return _node(out, "MvlgammaBackward0")


def logcumsumexp(input, dim):
    if not input.is_complex():
        _only_inexact("logcumsumexp_out_cpu", input)
    if input.dim() == 0:
        if dim not in (0, -1):
            raise IndexError(f"Dimension out of range (expected to be in range of [-1, 0], but got {dim})")
        return input.clone()
    if not -input.dim() <= dim < input.dim():
        raise IndexError(f"Dimension out of range (expected to be in range of [{-input.dim()}, {input.dim() - 1}], but got {dim})")
    if input.is_complex():
        from torch._composed import _log_of_sum

        sums = list(input.unbind(dim))
        for i in _range(1, len(sums)):
            sums[i] = _log_of_sum(sums[i - 1], sums[i])
        return _node(_torch.stack(sums, dim) if sums else input.clone(), "LogcumsumexpBackward0")
    return _node(_LogCumSumExp.apply(input, dim), "LogcumsumexpBackward0")


def _log_sums(input, dim):
    # PyTorch's CPU kernel adds in double precision.
    wide = _torch.float64 if input.device.type == "cpu" or input.dtype == _torch.float64 else _torch.float32
    x, size, step = input.to(wide), input.size(dim), 1
    while step < size:
        # Sums of twice as many each time.
        head, a, b = x.narrow(dim, 0, step), x.narrow(dim, step, size - step), x.narrow(dim, 0, size - step)
        top = _torch.maximum(a, b)
        top = _torch.where(top.abs() == math.inf, 0.0, top)
        total = (a - top).exp() + (b - top).exp()
        x = _torch.cat([head, total.log() + top], dim)
        step *= 2
    return x.to(input.dtype) if size > 1 else input.clone()


class _LogCumSumExp(Function):
    @staticmethod
    def forward(ctx, input, dim):
        out = _log_sums(input, dim)
        ctx.save_for_backward(input, out)
        ctx.dim = dim
        return out

    @staticmethod
    def backward(ctx, grad):
        # Sums of exponentials again: those of the positive gradients and those of the negative ones, as in PyTorch.
        (input, out), dim = ctx.saved_tensors, ctx.dim
        if _torch.is_grad_enabled():
            # Every element's share in every sum: this can be differentiated again.
            x, sums = input.movedim(dim, -1).unsqueeze(-1), out.movedim(dim, -1).unsqueeze(-2)
            shares = (x - sums).exp().triu() * grad.movedim(dim, -1).unsqueeze(-2)
            return shares.sum(-1).movedim(-1, dim), None

        def share(sizes):
            logs = _torch.where(sizes > 0, sizes.log(), -math.inf) - out
            return (_LogCumSumExp.apply(logs.flip(dim), dim).flip(dim) + input).exp()

        return share(grad) - share(-grad), None


# ---- reductions ------------------------------------------------------------------------------------------------------


def mode(input, dim=-1, keepdim=False):
    if input.is_complex():
        raise NotImplementedError(f'"mode_cpu" not implemented for \'{_scalar_name(input)}\'')
    if input.dim() == 0:
        _wrapped(dim, input)
        return return_types.mode((input.clone(), _torch.zeros((), dtype=_torch.int64, device=input.device)))
    if input.size(dim) == 0:
        raise IndexError(f"mode(): Expected reduction dim {dim % input.dim()} to have non-zero size.")
    values, places = input.detach().sort(dim=dim, stable=True)
    count = input.size(dim)
    at = _torch.arange(count, device=input.device).view([-1 if d == dim % input.dim() else 1 for d in _range(input.dim())])
    starts = _torch.cat([_torch.ones_like(values.narrow(dim, 0, 1), dtype=_torch.bool),
                         values.narrow(dim, 1, count - 1) != values.narrow(dim, 0, count - 1)], dim)
    first = _torch._running_extreme(_torch.where(starts, at, 0), dim, True)
    # The first of the longest runs of equals ends where the length of the run so far is largest.
    index = places.gather(dim, (at - first).argmax(dim, keepdim=True))
    value = _node(input.gather(dim, index), "ModeBackward0")
    return return_types.mode((value, index) if keepdim else (value.squeeze(dim), index.squeeze(dim)))


def nanmedian(input, dim=None, keepdim=False):
    if input.is_complex() or input.dtype == _torch.bool:
        raise NotImplementedError(f'"median_cpu" not implemented for \'{_scalar_name(input)}\'')
    if dim is not None:
        _wrapped(dim, input)
    flat = input.reshape(-1) if dim is None or input.dim() == 0 else input
    own = -1 if dim is None or input.dim() == 0 else dim
    if flat.size(own) == 0:
        if dim is None:
            return input.new_full((), math.nan) if input.is_floating_point() else input.new_full((), _torch._limits(input.dtype)[0])
        raise IndexError(f"median(): Expected reduction dim {dim % input.dim()} to have non-zero size.")
    places = flat.detach().sort(dim=own, stable=True)[1]
    if input.is_floating_point():
        middle = ((~flat.isnan()).sum(own, keepdim=True) - 1).clamp(min=0) // 2
    else:
        middle = _torch.full_like(places.narrow(own, 0, 1), (flat.size(own) - 1) // 2)
    index = places.gather(own, middle)
    value = flat.gather(own, index)
    if dim is None:
        value = value.detach().squeeze(own)
        if input.requires_grad:
            # All elements that are equal to it share the gradient.
            same = (flat == value) | (flat.isnan() & value.isnan())
            value = value + _torch.where(same, flat - flat.detach(), 0.0).sum() / same.sum()
        return _node(value, "NanmedianBackward0")
    if input.dim() == 0:
        value, index = value.squeeze(0), index.squeeze(0)
    elif not keepdim:
        value, index = value.squeeze(own), index.squeeze(own)
    return return_types.nanmedian((_node(value, "NanmedianBackward1"), index))


def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    from torch._reductions import _quantile

    return _quantile(input, q, dim, keepdim, interpolation, True)


def gradient(input, *, spacing=1, dim=None, edge_order=1):
    dims = list(_range(input.dim())) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    if spacing is None:
        spacing = 1
    listed = isinstance(spacing, (list, tuple))
    if listed and len(spacing) != len(dims):
        raise RuntimeError("torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim arguments to have the "
                           f"same length, but got a spacing argument of length {len(spacing)} and a dim argument of length "
                           f"{len(dims)}.")
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    for at, d in enumerate(dims):
        if not -input.dim() <= d < input.dim():
            raise IndexError(f"Dimension out of range (expected to be in range of [{-input.dim()}, {input.dim() - 1}], but got {d})")
        dims[at] = d % input.dim()
        if dims[at] in dims[:at]:
            raise RuntimeError(f"dim {dims[at]} appears multiple times in the list of dims")
    for d in dims:
        if input.size(d) < edge_order + 1:
            raise RuntimeError("torch.gradient expected each dimension size to be at least edge_order+1")
    spacings = spacing if listed else [spacing] * len(dims)
    return tuple(_slope(input, step, d, edge_order) for d, step in zip(dims, spacings))


def _slope(f, step, dim, edge_order):
    """The derivative along `dim` by differences; `step` is the distance of neighbors, or their places."""
    n = f.size(dim)
    at = lambda k, count=1: f.narrow(dim, k % n, count)
    parts = []
    if isinstance(step, Tensor) and step.dim() > 0:
        shape = [-1 if d == dim else 1 for d in _range(f.dim())]
        h = step.diff().view(shape)
        gap = lambda k, count=1: h.narrow(dim, k % (n - 1), count)
        if n > 2:
            a, b = gap(0, n - 2), gap(1, n - 2)
            middle = (-b / (a * (a + b))) * at(0, n - 2) + ((b - a) / (a * b)) * at(1, n - 2) + (a / (b * (a + b))) * at(2, n - 2)
        if edge_order == 1:
            first, last = (at(1) - at(0)) / gap(0), (at(-1) - at(-2)) / gap(-1)
        else:
            a, b = gap(0), gap(1)
            first = -(2 * a + b) / (a * (a + b)) * at(0) + (a + b) / (a * b) * at(1) + -a / (b * (a + b)) * at(2)
            a, b = gap(-2), gap(-1)
            last = b / (a * (a + b)) * at(-3) + -(a + b) / (a * b) * at(-2) + (a + 2 * b) / (b * (a + b)) * at(-1)
    else:
        if n > 2:
            middle = (at(2, n - 2) - at(0, n - 2)) / (2 * step)
        if edge_order == 1:
            first, last = (at(1) - at(0)) / step, (at(-1) - at(-2)) / step
        else:
            first = (-1.5 * at(0) + 2 * at(1) - 0.5 * at(2)) / step
            last = (0.5 * at(-3) - 2 * at(-2) + 1.5 * at(-1)) / step
    parts = [first, middle, last] if n > 2 else [first, last]
    return _torch.cat(parts, dim)


def _edges(name, column, bins, range, d):
    if isinstance(bins, Tensor):
        return bins.clone(memory_format=_contiguous())
    if bins <= 0:
        raise RuntimeError(f"torch.{name}(): bins must be > 0, but got {bins} for dimension {d}")
    if range is not None:
        low, high = range
        if not (math.isfinite(low) and math.isfinite(high)):
            raise RuntimeError(f"torch.histogramdd: dimension {d}'s range [{low:g}, {high:g}] is not finite")
        if low > high:
            raise RuntimeError(f"torch.{name}(): min should not exceed max, but got min {low:g} max {high:g} for dimension {d}")
    elif column.numel() == 0:
        low, high = 0.0, 1.0
    else:
        low, high = column.min().item(), column.max().item()
        if not (math.isfinite(low) and math.isfinite(high)):
            raise RuntimeError(f"torch.histogramdd: dimension {d}'s range [{low:g}, {high:g}] is not finite")
    if low == high:
        low, high = low - 0.5, high + 0.5
    return _torch.linspace(low, high, bins + 1, dtype=column.dtype, device=column.device)


def _histogram(name, points, bins, range, weight, density):
    """How often, or with which weight, each box of the grid is hit by a row of `points`."""
    if points.dtype not in (_torch.float32, _torch.float64):
        raise NotImplementedError(f'"histogramdd" not implemented for \'{_scalar_name(points)}\'')
    columns = points.unbind(1)
    edges = [_edges(name, column, n, None if range is None else range[2 * d : 2 * d + 2], d)
             for d, (column, n) in enumerate(zip(columns, bins))]
    place, inside = 0, True
    for column, edge in zip(columns, edges):
        count = edge.numel() - 1
        column = column.contiguous()
        at = _torch.searchsorted(edge, column, right=True) - 1
        # The last box has both its edges.
        at = _torch.where(column == edge[-1], count - 1, at)
        inside = inside & (column >= edge[0]) & (column <= edge[-1])
        place = place * count + at.clamp(0, max(count - 1, 0))
    shape = [edge.numel() - 1 for edge in edges]
    weight = _torch.ones_like(columns[0]) if weight is None else weight.reshape(-1).to(points.dtype)
    hist = _torch.zeros(math.prod(shape), dtype=points.dtype, device=points.device)
    hist = hist.scatter_add(0, place, _torch.where(inside, weight, 0.0)).view(shape)
    if density:
        hist = hist / hist.sum()
        for d, edge in enumerate(edges):
            hist = hist / edge.diff().view([-1 if k == d else 1 for k in _range(len(shape))])
    return hist, edges

def histogram(input, bins=100, *, range=None, weight=None, density=False):
    hist, (edges,) = _histogram("histogram", input.reshape(-1, 1), [bins], range, weight, density)
    return return_types.histogram(_not_differentiable("histogram", [input, bins, weight], [hist, edges]))


def histogramdd(input, bins, range=None, weight=None, density=False):
    n = input.size(-1)
    bins = [bins] * n if isinstance(bins, int) else list(bins)
    if len(bins) != n:
        raise RuntimeError("histogramdd: The size of bins must be equal to the innermost dimension of the input.")
    hist, edges = _histogram("histogramdd", input.reshape(-1, n), bins, range, weight, density)
    hist, *edges = _not_differentiable("_histogramdd_bin_edges", [input, weight], [hist, *edges])
    return return_types.histogramdd((hist, tuple(edges)))


# ---- layers as functions of torch ------------------------------------------------------------------------------------


def native_layer_norm(input, normalized_shape, weight, bias, eps):
    out = _torch.layer_norm(input, normalized_shape, weight, bias, eps)
    dims = tuple(_range(-len(normalized_shape), 0))
    var, mean = _torch.var(input, dims, correction=0, keepdim=True), input.mean(dims, keepdim=True)
    return out, mean.detach(), (var + eps).rsqrt().detach()


def native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps):
    out = _torch.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, True)
    if not training:
        return out, input.new_empty(0), input.new_empty(0)
    dims = [d for d in _range(input.dim()) if d != 1]
    return out, input.detach().mean(dims), (input.detach().var(dims, correction=0) + eps).rsqrt()


def native_group_norm(input, weight, bias, N, C, HxW, group, eps):
    rows = input.reshape(N, group, C // max(group, 1) * HxW)
    # The norm first: it refuses what it can't do.
    out, name = _torch.group_norm(input, group, weight, bias, eps), "NativeGroupNormBackward0"
    return out, _node(rows.mean(-1), name), _node((rows.var(-1, correction=0) + eps).rsqrt(), name)


def instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled):
    from torch.nn import functional

    return functional.instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)


def _reduction_word(number):
    # PyTorch's C++ takes any other number for "none".
    return {1: "mean", 2: "sum"}.get(number, "none")


def hinge_embedding_loss(input, target, margin=1.0, reduction=0):
    from torch.nn import functional as F

    return F.hinge_embedding_loss(input, target, margin, reduction=_reduction_word(reduction))


def margin_ranking_loss(input1, input2, target, margin=0.0, reduction=0):
    # Unlike the function in `torch.nn.functional`, this one broadcasts.
    loss = (-target * (input1 - input2) + float(margin)).clamp_min(0)
    return loss.mean() if reduction == 1 else loss.sum() if reduction == 2 else loss


def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction=0):
    from torch.nn import functional as F

    return F.cosine_embedding_loss(input1, input2, target, margin, reduction=_reduction_word(reduction))


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, reduction=0):
    from torch.nn import functional as F

    return F.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, reduction=_reduction_word(reduction))


def poisson_nll_loss(input, target, log_input, full, eps, reduction):
    from torch.nn import functional as F

    return F.poisson_nll_loss(input, target, log_input, full, eps=eps, reduction=_reduction_word(reduction))


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction=1, zero_infinity=False):
    from torch.nn import functional as F

    return F.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)


def adaptive_max_pool1d(input, output_size):
    from torch.nn import functional as F

    return F.adaptive_max_pool1d(input, output_size, True)


def max_pool1d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    from torch.nn import functional as F

    return F.max_pool1d(input, kernel_size, stride or None, padding, dilation, ceil_mode, True)


def feature_dropout(input, p, train):
    from torch.nn import functional as F

    return (F.dropout3d if input.dim() > 4 else F.dropout2d)(input, p, train)


def _dropped(name):
    """A dropout that changes its argument in place."""
    import torch

    function = feature_dropout if name == "feature_dropout" else getattr(torch, name)

    def changed(input, p, train):
        return _torch._replace(input, function, p, train)

    changed.__name__ = name + "_"
    return changed


for _name in ("alpha_dropout", "dropout", "feature_alpha_dropout", "feature_dropout"):
    globals()[_name + "_"] = _dropped(_name)


def native_dropout(input, p, train):
    """A dropout and the mask of what it kept."""
    if not train and train is not None or not input.numel():
        return input.clone(), _torch.ones_like(input, dtype=_torch.bool)
    if p == 1:
        kept = _torch.zeros_like(input, dtype=_torch.bool)
        return _node(input * kept, "NativeDropoutBackward0"), kept
    kept = _torch.empty_like(input, requires_grad=False).bernoulli_(1 - p).to(_torch.bool)
    return _node(input * kept * (1 / (1 - p)), "NativeDropoutBackward0"), kept


def affine_grid_generator(theta, size, align_corners):
    from torch.nn import functional as F

    return F.affine_grid(theta, size, align_corners)


def range(start, end=None, step=1, **options):
    import warnings

    warnings.warn("torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with "
                  "Python's range builtin. Instead, use torch.arange, which produces values in [start, end).", stacklevel=2)
    start, end = (0, start) if end is None else (start, end)
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) / step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    options.setdefault("dtype", _torch.get_default_dtype())
    return _torch.arange(math.floor((end - start) / step) + 1, **options) * step + start


def frobenius_norm(input, dim, keepdim=False):
    return _torch.linalg_vector_norm(input, 2, dim, keepdim)


def nuclear_norm(input, dim=(-2, -1), keepdim=False):
    from torch import linalg

    return linalg.matrix_norm(input, "nuc", dim, keepdim)


def norm_except_dim(v, pow=2, dim=0):
    if dim == -1:
        return v.norm(pow)
    return v.norm(pow, [d for d in _range(v.dim()) if d != dim % v.dim()], keepdim=True)


# ---- windows ---------------------------------------------------------------------------------------------------------


def _bessel(x, largest):
    """The modified Bessel function of order 0 by its series, whose terms are all positive."""
    quarter, term, total = x * x / 4, 1.0, 1.0
    for k in _range(1, int(1.5 * largest) + 25):
        term = term * quarter / (k * k)
        total = total + term
    return total


def _kaiser(places, beta, dtype):
    """The window at places between -1 and 1, given in float64."""
    x = beta * (1 - places * places).clamp(min=0).sqrt()
    return (_bessel(x, abs(beta)) / _bessel(float(beta), abs(beta))).to(dtype)


def kaiser_window(window_length, periodic=True, beta=12.0, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    dtype = _window_dtype("kaiser_window", window_length, dtype, layout, device)
    if window_length < 2:
        return _torch.ones(window_length, dtype=dtype, device=device, pin_memory=pin_memory, requires_grad=requires_grad)
    steps = window_length if periodic else window_length - 1
    places = _torch.arange(window_length, dtype=_torch.float64, device=device) * (2 / steps) - 1
    window = _kaiser(places, beta, dtype)
    return (window.pin_memory() if pin_memory else window).requires_grad_(requires_grad)


# ---- names -----------------------------------------------------------------------------------------------------------


for _name in _COPIES:
    globals()[_name + "_copy"] = _torch._with_out(_name + "_copy", _copied(_name))


def _into_parts(name):
    """A copy into several tensors: `out=` is a list of them, and then the call returns None."""
    copied = _copied(name)

    @functools.wraps(copied)
    def copy(input, *args, out=None, **kwargs):
        found = copied(input, *args, **kwargs)
        if out is None:
            return found
        if len(out) != len(found):
            raise RuntimeError(f"{name}_copy_out expected an out= argument of size {len(found)}, got size {len(out)}")
        for to, part in zip(out, found):
            if name != "split" and to.shape != part.shape:
                to.resize_(part.shape)
            to.copy_(part)

    return copy


for _name in ("split", "split_with_sizes", "unbind"):
    globals()[_name + "_copy"] = _into_parts(_name)


def _in_place(name):
    function = globals()[name]

    def method(self, *args, **kwargs):
        return _torch._replace(self, function, *args, **kwargs)

    method.__name__ = name + "_"
    return method


for _name in ("gcd", "lcm", "index_reduce", "mvlgamma"):
    globals()[_name + "_"] = _in_place(_name)

# With `out=`.
for _name in ("frexp", "gcd", "histogram", "index_reduce", "lcm", "logcumsumexp", "mode", "mvlgamma", "nanmedian", "nanquantile",
              "native_batch_norm", "nextafter"):
    globals()[_name] = _torch._with_out(_name, globals()[_name])


# ---- quantized and back ----------------------------------------------------------------------------------------------


def _fake_quantized(input, scale, zero_point, quant_min, quant_max, name):
    if quant_min > quant_max:
        raise RuntimeError("`quant_min` should be less than or equal to `quant_max`.")
    with _torch._grad_mode("no_grad"):
        # PyTorch multiplies by the reciprocal.
        places = (input * (1 / scale)).round() + zero_point
        inside = (places >= quant_min) & (places <= quant_max)
        made = (places.clamp(quant_min, quant_max) - zero_point) * scale
    if input.requires_grad and _torch.is_grad_enabled():
        # The gradient passes where the value wasn't cut off.
        _torch._record(name, [input], [made], lambda grads: [grads[0] * inside])
    return made


def fake_quantize_per_tensor_affine(input, scale, zero_point, quant_min, quant_max):
    return _fake_quantized(input, scale, zero_point, quant_min, quant_max, "FakeQuantizePerTensorAffineCachemaskBackward0")


def fake_quantize_per_channel_affine(input, scale, zero_point, axis, quant_min, quant_max):
    if scale.dim() != 1 or zero_point.dim() != 1 or scale.numel() != input.size(axis):
        raise RuntimeError("dimensions of scale and zero-point are not consistent with input tensor")
    if zero_point.dtype not in (_torch.int32, _torch.float32, _torch.float16):
        raise RuntimeError(f"Zero-point must be Int32, Float or Half, found {_scalar_name(zero_point)}")
    shape = [-1 if d == axis % input.dim() else 1 for d in _range(input.dim())]
    return _fake_quantized(input, scale.view(shape), zero_point.view(shape), quant_min, quant_max,
                           "FakeQuantizePerChannelAffineCachemaskBackward0")


# ---- segments --------------------------------------------------------------------------------------------------------


def segment_reduce(data, reduce, *, lengths=None, indices=None, offsets=None, axis=0, unsafe=False, initial=None):
    """The sum, mean, largest, smallest or product of each of the parts that follow each other along a dimension."""
    from torch import cat, stack

    if reduce not in ("sum", "mean", "max", "min", "prod"):
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    if indices is not None:
        raise RuntimeError("segment_reduce(): indices based reduction is not supported yet.")
    if lengths is None and offsets is None:
        raise RuntimeError("segment_reduce(): Either lengths or offsets must be defined.")
    lengths = offsets.diff(dim=-1) if lengths is None else lengths
    last = lengths.dim() - 1
    if axis % data.dim() != last:
        raise RuntimeError("segment_reduce(): Expected axis to be the last dimension of lengths")
    if not unsafe and not (lengths.sum(-1) == data.size(last)).all():
        raise RuntimeError("segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when !unsafe.")
    _only_inexact("_segment_reduce_cpu", data)
    empty = {"sum": 0, "mean": math.nan, "max": -math.inf, "min": math.inf, "prod": 1}[reduce] if initial is None else initial

    def one(part):
        if not part.size(0):
            return part.sum(0) + empty
        found = getattr(part, {"max": "amax", "min": "amin"}.get(reduce, reduce))(0)
        if initial is None:
            return found
        if reduce in ("max", "min"):
            return found.clamp(min=initial) if reduce == "max" else found.clamp(max=initial)
        return found * initial if reduce == "prod" else found + (initial / part.size(0) if reduce == "mean" else initial)

    def rows(data, lengths):
        if lengths.dim() > 1:
            return stack([rows(d, n) for d, n in zip(data, lengths)])
        sizes = lengths.tolist()
        return stack([one(part) for part in data[: sum(sizes)].split(sizes)]) if sizes else cat([data[:0]])

    return _node(rows(data, lengths), "SegmentReduceBackward0")


def _check_with(error, cond, message):
    if not isinstance(cond, bool):
        if isinstance(cond, _torch.Tensor):
            raise TypeError("cond must be a bool, but got a Tensor. For tensor conditions, use torch._check_tensor_all() to assert that "
                            "all elements are true.")
        raise TypeError(f"cond must be a bool, but got {type(cond)}")
    if cond:
        return
    if message is None:
        text = ("Expected cond to be True, but got False. (Could this error message be improved? If so, please report an enhancement "
                "request to PyTorch.)")
    else:
        text = str(message() if callable(message) else message)
    raise error(text)


def _check(cond, message=None):
    """Raises unless the condition holds."""
    _check_with(RuntimeError, cond, message)


def _check_index(cond, message=None):
    _check_with(IndexError, cond, message)


def _check_value(cond, message=None):
    _check_with(ValueError, cond, message)


def _check_type(cond, message=None):
    _check_with(TypeError, cond, message)


def _check_not_implemented(cond, message=None):
    _check_with(NotImplementedError, cond, message)

"""Functions of `torch` that PyTorch composes of others."""

import _torch
from _torch import Tensor

from torch._said import warn_once as _warn_once


def max_pool2d(*args, **options):
    # The function below answers with the indices as well, as the one with `return_indices` does.
    return _torch.max_pool2d(*args, **options)[0]


def _dtype_of(function, given):
    """A dtype, also given as one of Python's types of numbers."""
    if isinstance(given, _torch.dtype):
        return given
    known = {float: _torch.float64, int: _torch.int64, bool: _torch.bool, complex: _torch.complex128}.get(given if isinstance(given, type) else None)
    if known is None:
        raise TypeError(f"{function}(): argument 'type' (position 1) must be torch.dtype, not {type(given).__name__}")
    return known


class finfo:
    """Limits of a floating-point dtype."""

    def __init__(self, type=None):
        type = _torch.get_default_dtype() if type is None else _dtype_of("finfo", type)
        if not (type.is_floating_point or type.is_complex):
            raise TypeError("torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'")
        # For a complex dtype, those of its parts.
        type = type.to_real()
        self._dtype = type
        self.eps, self.max, self.tiny, self.smallest_subnormal, self.resolution = _torch._limits(type)
        self.min = -self.max
        self.smallest_normal = self.tiny
        self.bits = type.itemsize * 8
        self.dtype = str(type).split(".")[1]

    def __repr__(self):
        return (f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
                f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})")


class iinfo:
    """Limits of an integer dtype."""

    def __init__(self, type):
        type = _dtype_of("iinfo", type)
        if type.is_floating_point or type.is_complex:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        self.min, self.max = _torch._limits(type)
        self.bits = type.itemsize * 8
        self.dtype = str(type).split(".")[1]

    def __repr__(self):
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


def is_nonzero(input):
    """Whether a tensor of one element is not zero."""
    return bool(input)


def broadcast_shapes(*shapes):
    """The shape that tensors of these shapes broadcast to."""
    from torch import Size

    shapes = [(s,) if isinstance(s, int) else tuple(s) for s in shapes]
    joined = [1] * max(map(len, shapes), default=0)
    for k, shape in enumerate(shapes):
        for i in range(-1, -1 - len(shape), -1):
            if shape[i] in (1, joined[i]):
                continue
            if joined[i] != 1:
                raise RuntimeError(f"Attempting to broadcast a dimension of length {shape[i]} at {i}! Mismatching argument at index {k} "
                                   f"had {shape}; but expected shape should be broadcastable to {joined}")
            joined[i] = shape[i]
    return Size(_torch.broadcast_tensors(*[_torch.empty(s, device="meta") for s in shapes])[0].shape) if shapes else Size()


def set_default_dtype(d, /):
    if not isinstance(d, _torch.dtype):
        raise TypeError("invalid dtype object: only floating-point types are supported as the default type")
    _torch._set_default_dtype(d)


def set_default_device(device):
    _torch._set_default_device(device)


def set_default_tensor_type(t):
    """The old way to choose dtype and device together."""
    _warn_once("torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use torch.set_default_dtype() "
              "and torch.set_default_device() as alternatives.")
    name = t if isinstance(t, str) else f"{t.__module__}.{t.__name__}"
    kinds = {"Float": _torch.float32, "Double": _torch.float64, "Half": _torch.float16, "BFloat16": _torch.bfloat16}
    kind = name.rsplit(".", 1)[-1].removesuffix("Tensor")
    if kind not in kinds:
        raise TypeError("only floating-point types are supported as the default type")
    _torch._set_default_dtype(kinds[kind])
    _torch._set_default_device("cuda" if ".cuda." in name else None)
    _torch._set_cuda_type_default(".cuda." in name)


def kron(input, other):
    """The Kronecker product: every element of `input` times all of `other`."""
    dims = max(input.dim(), other.dim())
    a, b = ((1,) * (dims - t.dim()) + tuple(t.shape) for t in (input, other))
    spread = [size for pair in zip(a, (1,) * dims) for size in pair]
    inner = [size for pair in zip((1,) * dims, b) for size in pair]
    product = input.reshape(spread) * other.reshape(inner)
    return product.reshape([m * n for m, n in zip(a, b)])


def meshgrid(*tensors, indexing=None):
    """A grid for each tensor. Without `indexing`, PyTorch warns that it'll need one."""
    if indexing is None:
        _warn_once("torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.")
        return _torch.meshgrid(*tensors)
    return _torch.meshgrid(*tensors, indexing=indexing)


def einsum(*args):
    """Sums of products, by an equation or by a list of numbers for each operand."""
    if len(args) > 1 and isinstance(args[0], Tensor):
        operands, lists = args[0:-1:2], [*args[1::2], *(args[-1:] if len(args) % 2 else ())]
        parts = ["".join(map(_subscript, numbers)) for numbers in lists]
        equation = ",".join(parts[: len(operands)])
        if len(parts) > len(operands):
            equation += "->" + parts[-1]
        return _torch.einsum(equation, *operands)
    return _torch.einsum(*args)


def _subscript(number):
    import operator

    if number is Ellipsis:
        return "..."
    number = operator.index(number)
    if not 0 <= number < 52:
        raise ValueError("einsum(): subscript in subscript list is not within the valid range [0, 52)")
    return chr(ord("A") + number) if number < 26 else chr(ord("a") + number - 26)


def cartesian_prod(*tensors):
    for t in tensors:
        if t.dim() != 1:
            raise RuntimeError(f"Expect a 1D vector, but got shape {list(t.shape)}")
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    grids = _torch.meshgrid(*tensors, indexing="ij")
    return _torch.stack([g.reshape(-1) for g in grids], -1) if len(tensors) > 1 else tensors[0]


def block_diag(*tensors):
    if not tensors:
        return _torch.empty(1, 0)
    for i, t in enumerate(tensors):
        if t.dim() > 2:
            raise RuntimeError(f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {i} has {t.dim()} dimensions")
    tensors = [t.reshape(1, -1) if t.dim() < 2 else t for t in tensors]
    dtype = tensors[0].dtype
    for t in tensors:
        dtype = _torch.promote_types(dtype, t.dtype)
    out = _torch.zeros(sum(t.size(0) for t in tensors), sum(t.size(1) for t in tensors), dtype=dtype,
                       device=tensors[0].device)
    row = column = 0
    for t in tensors:
        out[row : row + t.size(0), column : column + t.size(1)] = t
        row += t.size(0)
        column += t.size(1)
    return _torch._under_node(out, "BlockDiagBackward0")


def _with_mean(name, spread):
    node = name.title().replace("_", "") + "Backward0"

    def both(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
        if isinstance(dim, bool):
            # In `var_mean(x, True)`, the bool is `unbiased`, and everything is reduced.
            dim, unbiased = None, dim
        if not (input.is_floating_point() or input.is_complex()):
            raise NotImplementedError(f"{name} only support floating point and complex dtypes")
        if correction is None:
            correction = 0 if unbiased is False else 1
        found = spread(input, dim, correction=correction, keepdim=keepdim), _torch.mean(input, dim, keepdim=keepdim)
        return tuple(_torch._under_node(t, node) for t in found)

    both.__name__ = name
    return both


var_mean = _with_mean("var_mean", _torch.var)
std_mean = _with_mean("std_mean", _torch.std)


def _log_of_sum(a, b):
    """`log(exp(a) + exp(b))` of complex numbers. What has the larger real part keeps its imaginary part's turns."""
    dtype = _torch.promote_types(a.dtype, b.dtype)
    a, b = a.to(dtype), b.to(dtype)
    smaller = a.real < b.real
    low, high = _torch.where(smaller, a, b), _torch.where(smaller, b, a)
    # Equal infinities have no difference.
    alike = ~low.real.isfinite() & (low.real == high.real)
    gap = _torch.where(alike, 0.0, low - high)
    ends = _torch.where(low.real < 0, low, (low.exp() + high.exp()).log())
    return _torch.where(alike, ends, high + gap.exp().log1p())

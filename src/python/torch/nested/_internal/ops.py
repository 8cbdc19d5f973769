"""What each function of torch does with nested tensors of the jagged layout."""

import math

import _torch
import torch
from torch.nn import functional as F

from .nested_tensor import NestedTensor, SymInt, _like, _nested, _numel, _padded, _places, _under, nested_from_padded

# Element by element: the function of the values.
_POINTWISE = frozenset((
    "abs absolute acos acosh add addcdiv_ angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan atan2 atanh "
    "bitwise_and bitwise_not bitwise_or bitwise_xor ceil celu clamp clamp_max clamp_min clip copysign cos cosh deg2rad digamma div divide "
    "elu eq erf erfc erfinv exp exp2 expm1 fix float_power floor fmax fmin fmod frac ge gelu greater greater_equal gt hardshrink "
    "hardsigmoid hardswish hardtanh heaviside hypot i0 isclose isfinite isinf isnan isneginf isposinf ldexp le leaky_relu lerp less "
    "less_equal lgamma log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logit lt masked_fill "
    "maximum minimum mish mul multiply nan_to_num ne neg negative nextafter not_equal positive pow rad2deg reciprocal relu relu6 remainder "
    "round rsqrt rsub selu sgn sigmoid sign signbit silu sin sinc sinh softplus softsign softshrink sqrt square sub subtract tan tanh "
    "tanhshrink threshold true_divide trunc where xlogy alpha_dropout feature_alpha_dropout native_dropout bernoulli "
    "logical_not fill zero copy_ normal_ uniform_ bernoulli_ exponential_ zero_ fill_ apply_ "
    "__and__ __or__ __xor__ __invert__ __eq__ __rsub__ __rdiv__ __rpow__ __rmod__ __iand__ __ior__ __ixor__").split())
_LIKE = frozenset("ones_like zeros_like full_like empty_like rand_like randn_like randint_like".split())
_CASTS = frozenset("to cpu cuda double float half bfloat16 long int short char byte bool type_as pin_memory".split())
_OF_VALUES = frozenset("element_size is_floating_point is_complex is_signed get_device is_pinned is_inference is_conj is_neg type".split())
_CALLED = {"floor_divide": "floor_divide.default", "__floordiv__": "floor_divide.default", "var": "var.correction",
           "std": "std.correction", "norm": "norm.ScalarOpt_dim", "normalize": "norm.ScalarOpt_dim", "to_sparse": "_to_sparse.default",
           "logsigmoid": "log_sigmoid_forward.default", "pad": "constant_pad_nd.default", "isin": "isin.Tensor_Tensor"}


def _refused(name):
    """PyTorch's error for an operator that the jagged layout doesn't have."""
    return NotImplementedError("aten." + _CALLED.get(name, name.strip("_") + ".default"))


def call(func, args, kwargs):
    name = func.__name__
    if name == "__get__":
        return _get(func.__self__.__name__, args[0])
    if name == "__set__":
        return _set(func.__self__.__name__, *args)
    if name in ("__eq__", "eq", "ne") and any(a is None for a in args):
        return name == "ne"
    own = _OWN.get(name)
    if own is not None:
        return own(*args, **kwargs)
    if name in _POINTWISE or name.endswith("_") and not name.startswith("__") and name[:-1] in _POINTWISE:
        return _pointwise(func, args, kwargs)
    if name in _LIKE:
        return _like(args[0], func(args[0]._values.detach(), *args[1:], **kwargs))
    if name in _CASTS or name == "type" and (len(args) > 1 or kwargs):
        return _cast(func, *args, **kwargs)
    if name in _OF_VALUES:
        return func(args[0]._values, *args[1:], **kwargs)
    if name in _REDUCED:
        return _reduced(name, func, *args, **kwargs)
    raise _refused(name)


def _is(t):
    return isinstance(t, NestedTensor)


def _get(name, self):
    values = self._values
    if name == "shape":
        return torch.Size(self._size)
    if name == "ndim":
        return len(self._size)
    if name == "grad":
        return None if values.grad is None else _like(self, values.grad)
    if name == "layout":
        return torch.jagged
    if name in ("is_nested", "is_sparse"):
        return name == "is_nested"
    if name == "data":
        return _like(self, values.detach())
    if name == "nbytes":
        return _numel(self) * values.element_size()
    if name == "T":
        raise ValueError("Permute is not supported on the batch dimension for jagged NT")
    if name in ("mT", "mH"):
        return _transpose(self, -2, -1)
    if name in ("H", "_conjugate_transpose", "real", "imag"):
        raise _refused(name)
    return getattr(values, name)


def _set(name, self, value):
    if name == "requires_grad":
        self._values.requires_grad_(value)
    elif name == "grad":
        self._values.grad = value._values if _is(value) else value
    else:
        raise NotImplementedError(f"torch.nested: setting {name!r} of a tensor of the jagged layout")


# ---- elementwise --------------------------------------------------------------------------------------------------------


def _same(nt, size):
    """Whether the sizes up to the ragged one are those of `nt`."""
    own = nt._size[:nt._ragged_idx + 1]
    return len(size) >= len(own) and all(a == b or b == -1 and isinstance(b, int) for a, b in zip(own, size))


def _pointwise(func, args, kwargs):
    nt = next(a for a in (*args, *kwargs.values()) if _is(a))
    name = func.__name__

    def plain(t):
        if not isinstance(t, torch.Tensor):
            return t
        if _is(t):
            if not _same(nt, t._size):
                shapes = [a._size for a in args if _is(a)][:2]
                raise RuntimeError(f"cannot call binary pointwise function {_aten(name)} with inputs of shapes {shapes[0]} and {shapes[-1]}")
            return t._values
        return _spread(nt, t, name, args)

    if name == "where" and len(args) == 1:
        raise _refused("nonzero")
    result = func(*(plain(a) for a in args), **{key: plain(a) for key, a in kwargs.items()})
    if name.endswith("_") and not name.startswith("__") or name in ("__iand__", "__ior__", "__ixor__") or kwargs.get("inplace"):
        return args[0]
    return _like(nt, result)


def _aten(name):
    return {"__and__": "bitwise_and", "__or__": "bitwise_or", "__xor__": "bitwise_xor", "__eq__": "eq"}.get(name, name) + ".Tensor"


def _spread(nt, t, name, args):
    """A strided operand as it fits the values."""
    dim = len(nt._size)
    if t.dim() > dim:
        raise NotImplementedError("NYI: broadcasting NT with T with larger dim")
    small = t
    while small.dim() and small.shape[0] == 1:
        small = small.squeeze(0)
    if dim >= small.dim() + 2:
        return small
    first, second = (nt.shape if _is(a) else a.shape for a in args[:2]) if len(args) > 1 else (nt.shape, t.shape)
    if t.dim() != dim or t.shape[0] != nt._size[0]:
        raise RuntimeError(f"cannot call binary pointwise function {_aten(name)} with inputs of shapes {first} and {second}")
    r = nt._ragged_idx
    width = nt._maybe_max_seqlen
    width = nt._values.shape[r - 1] if width is None else width
    t = t.expand([n if at != r else width for at, n in enumerate(t.shape)])
    return nested_from_padded(t, nt._offsets, r)._values


# ---- reductions ----------------------------------------------------------------------------------------------------------


def _lowest(dtype):
    return -math.inf if dtype.is_floating_point else torch.iinfo(dtype).min if dtype != torch.bool else False


def _highest(dtype):
    return math.inf if dtype.is_floating_point else torch.iinfo(dtype).max if dtype != torch.bool else True


_REDUCED = {"sum": lambda _: 0, "mean": lambda _: 0, "amax": _lowest, "amin": _highest, "max": _lowest, "min": _highest,
            "prod": lambda _: 1, "any": lambda _: False, "all": lambda _: True, "argmax": _lowest, "argmin": _highest}


def _wrap_dim(d, n):
    if not -n <= d < n:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {d})")
    return d % n


def _inner(dims, self):
    return [0 if d == 0 and self._ragged_idx == 1 else self._ragged_idx - 1 if d == 0 else d - 1 for d in dims]


def _reduced(name, func, self, dim=None, keepdim=False, **options):
    if _is(dim) or isinstance(dim, torch.Tensor):
        return _pointwise(getattr(torch, {"max": "maximum", "min": "minimum"}[name]), (self, dim), {})
    function, values, r = getattr(torch, name), self._values, self._ragged_idx
    if dim is None or isinstance(dim, (tuple, list)) and not dim:
        found = function(values, **options)
        return found.unsqueeze(r) if keepdim else found
    listed = isinstance(dim, (tuple, list))
    dims = [_wrap_dim(d, len(self._size)) for d in (dim if listed else [dim])]
    batch, ragged, others = 0 in dims, r in dims, [d for d in dims if d not in (0, r)]
    inner = list(dict.fromkeys(_inner(dims, self)))
    if ragged and self._lengths is not None:
        raise RuntimeError(f"{name}(): reducing across the ragged dimension is not supported for non-contiguous nested tensors with holes")
    if batch and not ragged:
        raise RuntimeError(f"{name}(): reducing along the batch dimension but not the ragged dimension is not supported for nested tensors")
    if ragged and batch:
        found = function(values, inner if listed else inner[0], keepdim=keepdim, **options)
        return found.unsqueeze(0) if keepdim else found
    if ragged:
        if others:
            if name == "mean":
                raise AssertionError("Cannot reduce on both ragged and non-batch dimensions without also reducing on batch")
            raise RuntimeError(f"{name}(): reducing along a ragged and non-batch dimension is not supported for nested tensors")
        padded = _padded(self, _REDUCED[name](values.dtype), self._get_max_seqlen())
        if name == "mean":
            counts = self._sizes().reshape(-1, *[1] * (padded.dim() - (1 if keepdim else 2)))
            return padded.sum(r, keepdim=keepdim, **options) / counts
        return function(padded, r, keepdim=keepdim, **options)
    found = function(values, inner if listed else inner[0], keepdim=keepdim, **options)
    r = r if keepdim else r - sum(d < r for d in dims)
    if isinstance(found, torch.Tensor):
        return _like(self, found, r)
    return type(found)(_like(self, t, r) for t in found)


def _softmax(name):
    def operator(self, dim=None, dtype=None, _stacklevel=3):
        d = _wrap_dim(0 if dim is None else dim, len(self._size))
        if d == 0:
            raise RuntimeError(f"{name}(): not supported when reducing across the batch dimension for NestedTensor")
        if d != self._ragged_idx:
            return _like(self, getattr(torch, name)(self._values, d - 1, dtype=dtype))
        if name == "log_softmax":
            raise RuntimeError("log_softmax(): not supported when reducing along the ragged dimension for NestedTensor")
        if d > 1:
            raise RuntimeError("softmax(): not supported when reducing along the ragged dimension for ragged_idx > 1 for NestedTensor")
        if self._lengths is not None:
            raise RuntimeError("softmax(): not supported where lengths is not None if reducing across the ragged dimension for NestedTensor")
        width = self._get_max_seqlen()
        padded = torch.softmax(_padded(self, -math.inf, width), 1, dtype=dtype)
        rows, places = _places(self._offsets)
        return _like(self, _under("SoftmaxBackward0", padded[rows, places]))

    return operator


# ---- shapes ---------------------------------------------------------------------------------------------------------------


def _wrapped(self, dim, name, batch=False):
    d = _wrap_dim(dim, len(self._size))
    if d == self._ragged_idx:
        raise RuntimeError(f"{name}(): not supported for NestedTensor on ragged dim")
    if d == 0 and not batch:
        raise RuntimeError(f"{name}(): not supported for NestedTensor on dim=0")
    return d


def _size(self, dim=None):
    return torch.Size(self._size) if dim is None else self._size[_wrap_dim(dim, len(self._size))]


def _stride(self, dim=None):
    inner = self._values.stride()
    strides = (self._size[self._ragged_idx] * inner[self._ragged_idx - 1], *inner)
    return strides if dim is None else strides[dim]


def _transpose(self, dim0, dim1):
    a, b = _wrap_dim(dim0, len(self._size)), _wrap_dim(dim1, len(self._size))
    if a == b:
        return self
    if 0 in (a, b):
        if self._ragged_idx in (a, b):
            raise ValueError("Transpose is not supported on the batch dimension for jagged NT")
        raise RuntimeError("transpose(): not supported for NestedTensor on dim=0")
    if self._lengths is not None and self._ragged_idx in (a, b):
        raise ValueError("Transpose is not supported on non-contiguous jagged NT")
    r = b if self._ragged_idx == a else a if self._ragged_idx == b else self._ragged_idx
    return _like(self, self._values.transpose(a - 1, b - 1), r)


def _permute(self, *dims):
    dims = list(dims[0]) if len(dims) == 1 and not isinstance(dims[0], int) else list(dims)
    n = len(self._size)
    if len(dims) != n:
        raise ValueError(f"permute(): number of dimensions in the tensor input ({n}) does not match the length of the desired ordering of "
                         f"dimensions ({len(dims)}).")
    order = [_wrap_dim(d, n) for d in dims]
    if order[0] != 0:
        raise ValueError("Permute is not supported on the batch dimension for jagged NT")
    return _like(self, self._values.permute([d - 1 for d in order[1:]]), order.index(self._ragged_idx))


def _movedim(self, source, destination):
    n = len(self._size)
    source, destination = _wrap_dim(source, n), _wrap_dim(destination, n)
    order = [d for d in range(n) if d != source]
    order.insert(destination, source)
    return _permute(self, *order)


def _unsqueeze(self, dim):
    n = len(self._size) + 1
    d = _wrap_dim(dim, n)
    if d == 0:
        raise RuntimeError("unsqueeze(): not supported for NestedTensor on dim=0")
    return _like(self, self._values.unsqueeze(d - 1), self._ragged_idx + (d <= self._ragged_idx))


def _squeeze(self, dim=None):
    if dim is None:
        raise NotImplementedError("aten.squeeze.default")
    d = _wrapped(self, dim, "squeeze")
    return _like(self, self._values.squeeze(d - 1), self._ragged_idx - (d < self._ragged_idx and self._size[d] == 1))


def _sizes(shape):
    return list(shape[0]) if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else list(shape)


def _view(name):
    def operator(self, *shape, **kwargs):
        if not shape and not kwargs or shape and isinstance(shape[0], torch.dtype):
            raise _refused("view")
        size = _sizes(shape or tuple(kwargs.values()))
        r = self._ragged_idx
        if r != 1 and self._size != tuple(size):
            raise RuntimeError("view(): does not support ragged_idx != 1 except when inp._size == size. inp._size is "
                               f"({self._size}) and size is ({size}).")
        if len(size) < 3 and tuple(size) != self._size or not _same(self, size):
            raise RuntimeError(f"view(): cannot view shape {self._size} as {size}")
        inner = [self._values.shape[r - 1] if at == r else n for at, n in enumerate(size) if at]
        return _like(self, getattr(self._values, name)(inner))

    return operator


def _flatten(self, start_dim=0, end_dim=-1):
    a, b = _wrapped(self, start_dim, "flatten"), _wrapped(self, end_dim, "flatten")
    if a < self._ragged_idx < b:
        raise RuntimeError("flatten(): not supported for NestedTensor on ragged dim")
    if a == b:
        return self
    return _like(self, self._values.flatten(a - 1, b - 1), self._ragged_idx - (b - a if b < self._ragged_idx else 0))


def _unflatten(self, dim, sizes):
    d = _wrapped(self, dim, "unflatten")
    extra = len(sizes) - 1 if d < self._ragged_idx else 0
    return _like(self, self._values.unflatten(d - 1, tuple(sizes)), self._ragged_idx + extra)


def _expand(self, *size):
    size = _sizes(size)
    if not _same(self, size):
        raise RuntimeError(f"expand(): cannot expand shape {self._size} -> {size}")
    return _like(self, self._values.expand([-1 if d == self._ragged_idx else size[d] for d in range(1, len(self._size))]))


def _chunk(self, chunks, dim=0):
    d = _wrapped(self, dim, "chunk", True)
    if d:
        return tuple(_like(self, t) for t in self._values.chunk(chunks, d - 1))
    if self._lengths is not None:
        raise ValueError("chunk(): not yet supported on dim=0 for non-contiguous nested tensor with holes")
    offsets, out = self._offsets, []
    step = -(-self._size[0] // chunks)
    for at in range(0, self._size[0], step):
        part = offsets[at:at + step + 1]
        first, last = int(part[0]), int(part[-1])
        out.append(_nested(self._values.narrow(self._ragged_idx - 1, first, last - first), part - part[0], None, self._ragged_idx))
    return tuple(out)


def _split(self, split_size, dim=0):
    d = _wrapped(self, dim, "split" if isinstance(split_size, int) else "split_with_sizes")
    return tuple(_like(self, t) for t in self._values.split(split_size, d - 1))


def _unbind(self, dim=0):
    if _wrap_dim(dim, len(self._size)):
        raise RuntimeError("unbind(): only supported for NestedTensor on dim=0")
    d, starts, counts = self._ragged_idx - 1, self._offsets.tolist()[:-1], self._sizes().tolist()
    if any(n < 0 or at + n > self._values.shape[d] for at, n in zip(starts, counts)):
        raise RuntimeError("unbind(): nested tensor offsets and lengths do not match ragged dimension of values")
    return tuple(_under("UnbindBackwardAutogradNestedTensor0", self._values.narrow(d, at, n)) for at, n in zip(starts, counts))


def _select(self, dim, index):
    d = _wrapped(self, dim, "select", True)
    if d == 0:
        n = self._size[0]
        if not -n <= index < n:
            raise IndexError("tuple index out of range")
        return _unbind(self)[index]
    if self._lengths is not None:
        raise ValueError("select(): not yet supported on dim != 0 for non-contiguous nested tensor with holes")
    return _like(self, self._values.select(d - 1, index), self._ragged_idx - (d < self._ragged_idx))


def _getitem(self, key):
    keys = list(key) if isinstance(key, tuple) else [key]
    if any(isinstance(k, (torch.Tensor, list)) for k in keys):
        raise NotImplementedError("aten.index.Tensor")
    used = sum(k is not None and k is not Ellipsis for k in keys)
    if Ellipsis in keys:
        at = keys.index(Ellipsis)
        keys[at:at + 1] = [Ellipsis] * (len(self._size) - used)
    out, d = self, 0
    for at, k in enumerate(keys):
        if not _is(out):
            return out[tuple([slice(None)] * d + [slice(None) if k is Ellipsis else k for k in keys[at:]])]
        if k is Ellipsis:
            d += 1
        elif k is None:
            out, d = _unsqueeze(out, d), d + 1
        elif isinstance(k, slice):
            _wrapped(out, d, "slice")
            out, d = _like(out, out._values[(*[slice(None)] * (d - 1), k)]), d + 1
        else:
            out = _select(out, d, k)
    return out


def _setitem(self, key, value):
    place = _getitem(_like(self, self._values), key)
    (place._values if _is(place) else place)[...] = value._values if _is(value) else value


def _narrow(self, dim, start, length):
    return _like(self, self._values.narrow(_wrapped(self, dim, "narrow") - 1, start, length))


def _joined(name):
    def operator(tensors, dim=0, **kwargs):
        tensors = list(tensors)
        first = next(t for t in tensors if _is(t))
        n = len(first._size) + (name == "stack")
        d = _wrap_dim(dim, n)
        if d == first._ragged_idx:
            raise RuntimeError(f"{name}(): not supported for NestedTensor on ragged dim")
        if d == 0:
            raise RuntimeError(f"{name}(): not supported for NestedTensor on dim=0")
        for t in tensors:
            if not _is(t) or not _same(first, t._size):
                raise RuntimeError(f"{name}(): expected all nested tensors with matching ragged sizes")
        found = getattr(torch, name)([t._values for t in tensors], d - 1)
        return _like(first, found, first._ragged_idx + (name == "stack" and d <= first._ragged_idx))

    return operator


def _contiguous(self, memory_format=None):
    if self._contiguous():
        return self
    if self._lengths is None:
        return _like(self, self._values.contiguous())
    pieces = _unbind(self)
    d = self._ragged_idx - 1
    counts = [t.shape[d] for t in pieces]
    offsets = torch.tensor([sum(counts[:at]) for at in range(len(counts) + 1)], dtype=torch.int64, device=self._values.device)
    return _nested(torch.cat(pieces, d), offsets, None, self._ragged_idx, {"min_seqlen": min(counts), "max_seqlen": max(counts)})


def _to_padded(self, padding, output_size=None):
    if self._lengths is not None:
        raise RuntimeError("to_padded_tensor(): not supported for nested tensors with holes")
    if output_size is not None:
        width = output_size[self._ragged_idx]
    else:
        # As in PyTorch, the width is all that the values have unless the longest tensor's length is known.
        width = self._maybe_max_seqlen
        width = self._values.shape[0] if width is None else width
    return _under("ToPaddedTensorBackward0", _padded(self, padding, width))


def _cast(func, self, *args, **kwargs):
    if not _is(self):
        return func(self, *(a._values if _is(a) else a for a in args), **kwargs)
    values = func(self._values, *(a._values if _is(a) else a for a in args), **kwargs)
    if values is self._values:
        return self
    if values.device == self._values.device:
        return _like(self, values)
    offsets, lengths = (t if t is None else t.to(values.device) for t in (self._offsets, self._lengths))
    return _moved(self, values, offsets, lengths)


def _moved(self, values, offsets, lengths):
    """A copy elsewhere keeps the name of its ragged size."""
    import weakref

    from . import nested_tensor

    source = offsets if lengths is None else lengths
    nested_tensor._numbered[id(source)] = weakref.ref(source), self._size[self._ragged_idx]
    return _nested(values, offsets, lengths, self._ragged_idx, self._metadata_cache)


# ---- products and layers -----------------------------------------------------------------------------------------------------


def _matmul(input, other):
    a, b = input, other
    if _is(a) and not _is(b):
        if a.dim() >= 3 and a.dim() == b.dim() and a._ragged_idx < a.dim() - 1:
            return _by_padding(a, lambda padded: torch.matmul(padded, b))
        if b.dim() == 2 and a.dim() > 2 and a._ragged_idx < a.dim() - 1:
            return _like(a, torch.matmul(a._values, b))
    elif not _is(a):
        if b.dim() >= 3 and b.dim() == a.dim() and b._ragged_idx >= 2:
            return _by_padding(b, lambda padded: torch.matmul(a, padded))
        if a.dim() == 2 and b.dim() > 2 and b._ragged_idx >= 2:
            return _like(b, torch.matmul(a, b._values))
    elif a.dim() > 3 and b.dim() > 3 and _same(a, b._size):
        return _like(a, torch.matmul(a._values, b._values))
    elif a.dim() == b.dim() == 3 and a._ragged_idx == 2 and b._ragged_idx == 1 and a._size[2] == b._size[1]:
        return torch.stack([x @ y for x, y in zip(_unbind(a), _unbind(b))])
    raise RuntimeError(f"matmul(): not supported between inputs of shapes {a._size if _is(a) else a.shape} and {b.shape}")


def _by_padding(nt, function):
    width = nt._maybe_max_seqlen
    width = nt._values.shape[nt._ragged_idx - 1] if width is None else width
    padded = function(_padded(nt, 0, width))
    return nested_from_padded(padded, nt._offsets, nt._ragged_idx, nt._maybe_min_seqlen, nt._maybe_max_seqlen)


def _bmm(input, mat2):
    if input.dim() != 3:
        raise ValueError("bmm(): input must be 3D")
    if mat2.dim() != 3:
        raise ValueError("bmm(): mat2 must be 3D")
    return _matmul(input, mat2)


def _linear(input, weight, bias=None):
    if not _is(input) or input._ragged_idx == len(input._size) - 1:
        raise _refused("linear")
    return _like(input, _under("LinearBackward0", F.linear(input._values, weight, bias)))


def _layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    shape = [normalized_shape] if isinstance(normalized_shape, (int, SymInt)) else list(normalized_shape)
    n = len(input._size)
    if n <= 2:
        raise RuntimeError("layer_norm(): not supported for NestedTensor objects with 2 or fewer dimensions")
    if len(shape) >= n:
        raise RuntimeError("layer_norm(): not supported when normalizing over the batch dimension for NestedTensor")
    if input._size[input._ragged_idx] not in shape:
        return _like(input, F.layer_norm(input._values, shape, weight, bias, eps))
    if n != 3 or input._ragged_idx != 1 or weight is not None or bias is not None or input._lengths is not None:
        raise NotImplementedError("torch.nested: layer_norm over the ragged dimension of more than three dimensions, or with a weight or bias")
    pieces = [F.layer_norm(t, tuple(t.shape), None, None, eps) if t.numel() else t for t in _unbind(input)]
    return _like(input, torch.cat(pieces))


def _rms_norm(input, normalized_shape, weight=None, eps=None):
    shape = [normalized_shape] if isinstance(normalized_shape, (int, SymInt)) else list(normalized_shape)
    if len(input._size) - len(shape) <= input._ragged_idx:
        raise ValueError("rms_norm(): Normalization over the ragged dim not supported for nested tensors")
    return _like(input, F.rms_norm(input._values, shape, weight, eps))


def _embedding(input, weight, *args, **kwargs):
    return _like(input, F.embedding(input._values, weight, *args, **kwargs))


def _embedding_bag(input, weight, offsets=None, *args, **kwargs):
    names = ("max_norm", "norm_type", "scale_grad_by_freq", "mode", "sparse", "per_sample_weights", "include_last_offset", "padding_idx")
    options = {**dict(zip(names, args)), **kwargs, "include_last_offset": True}
    weights = options.get("per_sample_weights")
    if weights is not None:
        if not _is(weights):
            raise ValueError("If input is nested, then per_sample_weights must be nested if specified")
        options["per_sample_weights"] = weights._values.reshape(-1)
    if not _is(input) or input.dim() != 2:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}")
    return F.embedding_bag(input._values.reshape(-1), weight, input._offsets, **options)


def _attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    given = (query, key, value)
    if not all(_is(t) for t in given):
        raise ValueError(f"Expected query, key, and value to be nested tensors, but got query.is_nested: {query.is_nested}, key.is_nested: "
                         f"{key.is_nested}, and value.is_nested: {value.is_nested} instead.")
    for what, read in (("dtype", lambda t: t.dtype), ("device", lambda t: t.device)):
        if len({read(t) for t in given}) > 1:
            kind = "device type" if what == "device" else what
            raise ValueError(f"Expected query, key, and value to have the same {kind}, but got query.{what}: {read(query)}, key.{what}: "
                             f"{read(key)}, and value.{what}: {read(value)} instead.")
    if any(t.dim() < 3 for t in given):
        raise ValueError("Expected query, key, and value to all be at least 3 dimensional, but got query.dim: "
                         f"{query.dim()}, key.dim: {key.dim()} and value.dim: {value.dim()} instead.")
    if len({t._ragged_idx for t in given}) > 1:
        raise ValueError("Expected query, key, and value to all be ragged on the same dimension, but got ragged dims "
                         f"{query._ragged_idx}, {key._ragged_idx}, and {value._ragged_idx}, respectively.")
    if attn_mask is not None:
        raise ValueError("Masks are not yet supported!")
    options = {"dropout_p": dropout_p, "is_causal": is_causal, "scale": scale, "enable_gqa": enable_gqa}
    if query.dim() > 3 and query._ragged_idx == 1:
        return _like(query, F.scaled_dot_product_attention(*(t._values for t in given), **options))
    pieces = [F.scaled_dot_product_attention(q, k, v, **options) for q, k, v in zip(*(_unbind(t) for t in given))]
    return _like(_contiguous(query), torch.cat(pieces, query._ragged_idx - 1))


def _loss(*args, **kwargs):
    raise RuntimeError("NYI")


def _dropout(input, p=0.5, training=True, inplace=False):
    if p == 0 and training:
        # PyTorch draws its numbers even so.
        torch.empty_like(input._values).bernoulli_(1.0)
    values = F.dropout(input._values, p, training, inplace)
    return input if inplace else _like(input, values)


def _one_hot(input, num_classes=-1):
    return _like(input, F.one_hot(input._values, num_classes))


# ---- gradients and others ----------------------------------------------------------------------------------------------------


def _plain(t):
    return t._values if _is(t) else t


def _backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    if inputs is not None:
        inputs = [_plain(i) for i in ([inputs] if isinstance(inputs, torch.Tensor) else inputs)]
    if not isinstance(self, torch.Tensor):
        raise NotImplementedError("torch.autograd.backward of several tensors, among them nested ones")
    if not _is(self):
        return self.backward(_plain(gradient), retain_graph, create_graph, inputs=inputs)
    if gradient is not None and tuple(gradient.shape) != self._size:
        raise RuntimeError(f"Mismatch in shape: grad_output[0] has a shape of {gradient.shape} and output[0] has a shape of {self.shape}.")
    if gradient is None and _numel(self) != 1 and self._values.requires_grad:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    return self._values.backward(_plain(gradient), retain_graph, create_graph, inputs=inputs)


def _grad(outputs, inputs, grad_outputs=None, **options):
    outputs, inputs, grad_outputs = (
        t if t is None else [t] if isinstance(t, torch.Tensor) else list(t) for t in (outputs, inputs, grad_outputs))
    found = torch.autograd.grad([_plain(t) for t in outputs], [_plain(t) for t in inputs],
                                None if grad_outputs is None else [_plain(t) for t in grad_outputs], **options)
    return tuple(_like(t, g) if _is(t) and g is not None else g for t, g in zip(inputs, found))


def _requires(self, requires_grad=True):
    self._values.requires_grad_(requires_grad)
    return self


def _item(self):
    if _numel(self) != 1:
        raise RuntimeError(f"a Tensor with {_numel(self)} elements cannot be converted to Scalar")
    return self._values.item()


def _raise(error):
    def operator(*args, **kwargs):
        raise error

    return operator


def _retain(self):
    self._values.retain_grad()


def _equal(self, other):
    return _is(self) and _is(other) and _same(self, other._size) and torch.equal(self._values, other._values)


_NO_NUMPY = RuntimeError(".numpy() is not supported for tensor subclasses.")
_OWN = {
    "size": _size, "stride": _stride, "dim": lambda self: len(self._size), "ndimension": lambda self: len(self._size),
    "__len__": lambda self: self._size[0], "numel": _numel, "nelement": _numel, "is_contiguous": lambda self, memory_format=None:
    self._contiguous(), "storage_offset": lambda self: self._values.storage_offset(), "data_ptr": lambda self: 0,
    "transpose": _transpose, "swapaxes": _transpose, "swapdims": _transpose, "permute": _permute, "movedim": _movedim,
    "unsqueeze": _unsqueeze, "squeeze": _squeeze, "view": _view("view"), "reshape": _view("reshape"),
    "view_as": lambda self, other: _view("view")(self, *other._size), "reshape_as": lambda self, other: _view("reshape")(self, *other._size),
    "expand": _expand, "expand_as": lambda self, other: _like(other, self._values.expand_as(other._values)), "flatten": _flatten,
    "unflatten": _unflatten, "chunk": _chunk, "split": _split, "unbind": _unbind, "select": _select, "__getitem__": _getitem, "__setitem__": _setitem,
    "narrow": _narrow, "cat": _joined("cat"), "concat": _joined("cat"), "stack": _joined("stack"), "contiguous": _contiguous,
    "clone": lambda self, memory_format=None: _like(self, self._values.clone()), "detach": lambda self: _like(self, self._values.detach()),
    "to_padded_tensor": _to_padded, "nested_to_padded_tensor": _to_padded, "softmax": _softmax("softmax"),
    "log_softmax": _softmax("log_softmax"), "softmin": lambda self, *args, **kwargs: _softmax("softmax")(-self, *args, **kwargs), "matmul": _matmul, "bmm": _bmm, "linear": _linear, "layer_norm": _layer_norm,
    "rms_norm": _rms_norm, "embedding": _embedding, "embedding_bag": _embedding_bag, "scaled_dot_product_attention": _attention,
    "one_hot": _one_hot, "dropout": _dropout, "mse_loss": _loss, "l1_loss": _loss, "smooth_l1_loss": _loss, "huber_loss": _loss,
    "einsum": _raise(RuntimeError("NYI")), "backward": _backward, "grad": _grad, "requires_grad_": _requires, "retain_grad": _retain,
    "item": _item, "numpy": _raise(_NO_NUMPY), "__array__": _raise(_NO_NUMPY),
    "tolist": _raise(RuntimeError(".tolist() is not supported for tensor subclasses, got NestedTensor")), "equal": _equal,
    "is_same_size": lambda self, other: self._size == other._size, "to_dense":
    _raise(RuntimeError("to_dense does not support layout Jagged")),
    "new_zeros": _raise(RuntimeError("new_empty() not supported for NJT with shape != ()")),
    "new_empty": _raise(RuntimeError("new_empty() not supported for NJT with shape != ()")), "__float__": lambda self: float(_item(self)),
    "asarray": lambda self, **options: self.to(**options) if options else self,
    "new_ones": _raise(RuntimeError("new_empty() not supported for NJT with shape != ()")),
    "new_full": _raise(RuntimeError("new_empty() not supported for NJT with shape != ()")),
    "__int__": lambda self: int(_item(self)), "__bool__": lambda self: bool(_item(self)),
}

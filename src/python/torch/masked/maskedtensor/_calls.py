"""What each function of torch does with masked tensors."""

import warnings

import torch
from torch import masked

from .core import MaskedTensor, _guard, _leaves, _marks, _match, _of_values, _parts, _require, _show_masked_gradients, _wrap, is_masked_tensor

_UNARY = frozenset((
    "abs absolute acos arccos acosh arccosh angle asin arcsin asinh arcsinh atan arctan atanh arctanh bitwise_not ceil clamp clip "
    "conj_physical cos cosh deg2rad digamma erf erfc erfinv exp exp2 expm1 fix floor frac lgamma log log10 log1p log2 logit i0 isnan "
    "nan_to_num neg negative positive pow rad2deg reciprocal round rsqrt sigmoid sign sgn signbit sin sinc sinh sqrt square tan tanh "
    "trunc").split())
_BINARY = frozenset((
    "add atan2 arctan2 bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift div divide floor_divide fmod logaddexp "
    "logaddexp2 mul multiply nextafter remainder sub subtract true_divide eq ne le ge greater greater_equal gt less_equal lt less "
    "maximum minimum fmax fmin not_equal").split())
_REDUCED = frozenset("sum mean amin amax argmin argmax prod all norm var std".split())
_SHAPES = frozenset((
    "select transpose swapaxes swapdims split t __getitem__ expand expand_as view view_as reshape reshape_as cat concat concatenate "
    "unsqueeze unfold stack narrow flatten unflatten chunk tensor_split").split())
# Asked of the data.
_OF_DATA = frozenset((
    "size dim ndimension numel nelement element_size is_floating_point is_complex is_signed stride storage_offset __len__ get_device "
    "is_pinned is_inference is_conj is_neg type data_ptr").split())
_CASTS = frozenset("to cpu cuda double float half bfloat16 long int short char byte bool type_as".split())
_ALSO = {"__invert__": "bitwise_not", "__eq__": "eq", "__and__": "bitwise_and", "__or__": "bitwise_or", "__xor__": "bitwise_xor",
         "__iand__": "bitwise_and_", "__ior__": "bitwise_or_", "__ixor__": "bitwise_xor_", "__floordiv__": "floor_divide",
         "__ifloordiv__": "floor_divide_"}
# The operators that these reach in PyTorch.
_REACHED = {"log_softmax": "_log_softmax", "cross_entropy": "_log_softmax", "layer_norm": "native_layer_norm", "dropout": "empty_like",
            "linalg_norm": "linalg_vector_norm", "einsum": "permute", "fft_fft": "_fft_r2c", "unbind": "unbind.int",
            "masked_fill": "masked_fill.Scalar", "fill_": "fill_.Scalar", "__setitem__": "fill_.Scalar", "__rsub__": "rsub.Scalar",
            "__rpow__": "pow.Scalar", "linear": "mm"}


def refused(name):
    """PyTorch's warning and error for an operator that isn't there for masked tensors."""
    operator, _, overload = name.partition(".")
    warnings.warn(
        f"{operator} is not implemented in __torch_dispatch__ for MaskedTensor.\nIf you would like this operator to be supported, please "
        "file an issue for a feature request at https://github.com/pytorch/maskedtensor/issues with a minimal reproducible code "
        "snippet.\nIn the case that the semantics for the operator are not trivial, it would be appreciated to also include a proposal "
        "for the semantics.", stacklevel=2)
    return TypeError(
        f"Multiple dispatch failed for 'torch._ops.aten.{operator}.{overload or 'default'}'; all __torch_dispatch__ handlers returned "
        f"NotImplemented:\n\n  - tensor subclass {MaskedTensor}\n\nFor more information, try re-running with TORCH_LOGS=not_implemented")


def call(name, func, args, kwargs):
    name = _ALSO.get(name, name)
    if name in ("eq", "ne") and any(a is None for a in args):
        return name == "ne"
    plain = name[:-1] if name.endswith("_") and not name.startswith("__") else name
    if name in _OWN:
        return _OWN[name](*args, **kwargs)
    if plain in _UNARY:
        return _changed(name, args[0], _unary(plain, args, kwargs))
    if plain in _BINARY:
        return _changed(name, args[0], _binary(plain, args, kwargs))
    if name in _REDUCED:
        return _reduced(name, *args, **kwargs)
    if name in _SHAPES:
        return _shaped(func, args, kwargs)
    if name in _CASTS or name == "type" and (len(args) > 1 or kwargs):
        return _cast(func, *args, **kwargs)
    if name in _OF_DATA:
        return func(_data(args[0]), *args[1:], **kwargs)
    if name in ("max", "min", "median", "any") and (len(args) > 1 or kwargs):
        raise refused(name + ".dim")
    if name in ("matmul", "mm"):
        raise refused({(1, 1): "dot", (2, 2): "mm"}.get(tuple(a.dim() for a in args[:2]), "bmm"))
    if name == "linear" and (len(args) > 2 or "bias" in kwargs):
        raise refused("addmm")
    raise refused(_REACHED.get(name, name))


def _data(t):
    return t._masked_data if is_masked_tensor(t) else t


def _changed(name, self, result):
    """The result, or `self` with the result's data if the call was in place."""
    if not name.endswith("_") or name.startswith("__"):
        return result
    if not is_masked_tensor(self):
        raise refused(name)
    if self._masked_data.is_leaf and self.requires_grad and torch.is_grad_enabled():
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
    self._masked_data, self._masked_mask, self._trace = result._masked_data, result._masked_mask, result._trace
    return self


# ---- elementwise ------------------------------------------------------------------------------------------------------------


def _unary(name, args, kwargs):
    self = args[0]
    if not is_masked_tensor(self):
        raise refused({"pow": "pow.Scalar"}.get(name, name))
    if "decimals" in kwargs or "out" in kwargs:
        raise ValueError("MaskedTensor unary ops require that len(kwargs) == 0. If you need support for this, please open an issue on "
                         "Github.")
    if any(torch.is_tensor(a) for a in args[1:]):
        raise TypeError("MaskedTensor unary ops do not support additional Tensor arguments")
    function, data = getattr(torch, name), self._masked_data
    if data.layout != torch.strided:
        return _wrap(_of_values(data, function(data.values(), *args[1:], **kwargs)), self._masked_mask)
    return _wrap(function(data, *args[1:], **kwargs), self._masked_mask, self._trace)


def _binary(name, args, kwargs):
    if {k for k, v in kwargs.items() if not (k == "alpha" and v == 1)} - {"other"}:
        raise ValueError("len(kwargs) must equal 0")
    a, b = args[0], args[1] if len(args) > 1 else kwargs["other"]
    first = a if is_masked_tensor(a) else b
    if is_masked_tensor(a) and is_masked_tensor(b) and not _match(a._masked_mask, b._masked_mask):
        raise ValueError("Input masks must match. If you need support for this, please open an issue on Github.")
    function, mask = getattr(torch, name), first._masked_mask
    x, y = _data(a), _data(b)
    if isinstance(x, torch.Tensor) and x.layout != torch.strided:
        if isinstance(y, torch.Tensor) and y.layout == x.layout:
            kind = "sparse_coo" if x.layout == torch.sparse_coo else "sparse_csr"
            if not all(_match(i, j) for i, j in list(zip(_parts(x), _parts(y)))[:-1]):
                raise ValueError(f"{kind} indices must match. If you need support for this, please open an issue on Github.")
            y = y.values()
        return _wrap(_of_values(x, function(x.values(), y)), mask)
    shape = torch.broadcast_shapes(mask.shape, *(t.shape for t in (x, y) if isinstance(t, torch.Tensor)))
    mask = mask.expand(shape)
    trace = None
    for t in (a, b):
        if is_masked_tensor(t) and t._trace is not None:
            own = t._trace.expand(shape)
            trace = own if trace is None else trace + own
    # What is hidden must not reach the gradient of a tensor that was broadcast.
    x, y = (_guard(t.clone().expand(shape), mask) if isinstance(t, torch.Tensor) and not is_masked_tensor(given) and t.requires_grad
            else t for t, given in ((x, a), (y, b)))
    return _wrap(function(x, y), mask, trace)


def _divided(self, other):
    # `2 / x`.
    return _unary("reciprocal", (self,), {}) * other


def _where(*args, **kwargs):
    if len(args) != 3:
        raise ValueError(f"__torch_function__, torch.where: len(args) must be 3 but got {len(args)}")
    if kwargs:
        raise ValueError(f"__torch_function__, torch.where: len(kwargs) must be 0 but got {len(kwargs)}")
    condition, x, y = args
    kind = (x if is_masked_tensor(x) else y).dtype
    x, y = (t if isinstance(t, torch.Tensor) else torch.tensor(t, dtype=kind, device=condition.device) for t in (x, y))
    masks = [t._masked_mask if is_masked_tensor(t) else torch.ones_like(t, dtype=torch.bool) for t in (x, y)]
    traces = [t._trace if is_masked_tensor(t) else None for t in (x, y)]
    trace = None
    if any(t is not None for t in traces):
        trace = torch.where(condition, *(torch.zeros(t.shape, device=t.device) if own is None else own for own, t in zip(traces, (x, y))))
    shape = torch.broadcast_shapes(condition.shape, x.shape, y.shape)
    found = (_data(t) if is_masked_tensor(t) or not t.requires_grad else _guard(t.clone().expand(shape), taken)
             for t, taken in ((x, condition.expand(shape)), (y, ~condition.expand(shape))))
    return _wrap(torch.where(condition, *found), torch.where(condition, *masks), trace)


def _softmax(input, dim=None, dtype=None, _stacklevel=3):
    mask = input._masked_mask
    found = masked.softmax(_clean(input), dim, dtype=dtype, mask=mask)
    return _wrap(_guard(found, mask), mask, input._trace)


# ---- reductions --------------------------------------------------------------------------------------------------------------


def _clean(t):
    """The data, with zeros where they're hidden."""
    return torch.where(t._masked_mask, t._masked_data, 0)


def _any(mask, dim, keepdim):
    for d in sorted((dim,) if isinstance(dim, int) else dim, reverse=True):
        mask = torch.any(mask, dim=d, keepdim=keepdim)
    return mask


def _reduced(name, self, *args, **kwargs):
    if name == "norm":
        raise TypeError("_reduce_dim_args() got an unexpected keyword argument 'p'")
    data, mask = self._masked_data, self._masked_mask
    if not args and not kwargs:
        if data.layout != torch.strided:
            return _wrap(_reduced_values(name, data, mask.values()), torch.any(mask.values()))
        dim, shown, options = tuple(range(data.dim())), torch.any(mask), {}
    else:
        dim, keepdim, dtype = _reduce_dim_args(*args, **kwargs)
        if data.layout != torch.strided:
            warnings.warn(
                f"The sparse version of {name} is not implemented in reductions.\nIf you would like this operator to be supported, please "
                "file an issue for a feature request at https://github.com/pytorch/maskedtensor/issues with a minimal reproducible code "
                "snippet.\nIn the case that the semantics for the operator are not trivial, it would be appreciated to also include a "
                "proposal for the semantics.", stacklevel=2)
            raise TypeError(f"Multiple dispatch failed for 'torch.Tensor.{name}'; all __torch_function__ handlers returned "
                            f"NotImplemented:\n\n  - tensor subclass {MaskedTensor}\n\nFor more information, try re-running with "
                            "TORCH_LOGS=not_implemented")
        shown = _any(mask, dim, keepdim)
        options = {"dim": dim, "keepdim": keepdim}
        if dtype is not None:
            options["dtype"] = dtype
    if name == "all":
        options.pop("dtype", None)
        return _wrap(torch.all(data.masked_fill(~mask, True), **options), shown)
    found = getattr(masked, name)(_clean(self), mask=mask, **options)
    trace = None
    if self._trace is not None and found.requires_grad:
        seen = self._trace * mask
        trace = seen.sum(dim, keepdim=options.get("keepdim", False)) if data.dim() else seen
        found = _node(found)
    return _wrap(found, shown, trace)


def _node(found):
    return torch._C._under_node(found, "ConstructorBackward") if found.grad_fn is not None else found


def _reduce_dim_args(dim, keepdim=False, dtype=None):
    return dim, keepdim, dtype


def _reduced_values(name, data, mask):
    values = data.values().detach()
    if name == "all":
        return values.masked_fill(~mask, True).all()
    if name in ("argmin", "argmax") and data.layout == torch.sparse_coo:
        place = data.indices().unbind(1)[int(getattr(masked, name)(values, mask=mask))]
        stride = data.numel() / torch.tensor(data.shape, device=data.device).cumprod(0)
        return torch.sum(place * stride)
    return getattr(masked, name)(_wrap(values, mask))


# ---- shapes and conversions ---------------------------------------------------------------------------------------------------


def _mapped(value, change):
    if is_masked_tensor(value):
        return change(value)
    return type(value)(_mapped(v, change) for v in value) if type(value) in (list, tuple) else value


def _shaped(func, args, kwargs):
    data, mask = (func(*_mapped(args, change), **_mapped_values(kwargs, change)) for change in (_data, lambda t: t._masked_mask))
    trace = None
    if any(t._trace is not None for a in (*args, *kwargs.values()) for t in (a if isinstance(a, (list, tuple)) else [a]) if is_masked_tensor(t)):
        def traced(t):
            return torch.zeros(t.shape, device=t.device) if t._trace is None else t._trace

        trace = func(*_mapped(args, traced), **_mapped_values(kwargs, traced))
    if isinstance(data, torch.Tensor):
        if mask.dtype != torch.bool:
            raise TypeError("mask must have dtype bool.")
        if data.shape != mask.shape:
            raise ValueError("data.size() must equal mask.size()")
        return _wrap(_copied(data), _copied(mask), trace)
    return type(data)(_wrap(_copied(d), _copied(m), None if trace is None else trace[at]) for at, (d, m) in enumerate(zip(data, mask)))


def _copied(t):
    return t.clone() if t.layout == torch.strided else t


def _mapped_values(kwargs, change):
    return {k: _mapped(v, change) for k, v in kwargs.items()}


def _cast(func, self, *args, **kwargs):
    args = tuple(_data(a) for a in args)
    data = func(self._masked_data, *args, **kwargs)
    if data is self._masked_data:
        return self
    return _wrap(data, self._masked_mask.to(data.device), self._trace)


def _contiguous(self, memory_format=torch.contiguous_format):
    if not _is_contiguous(self):
        return _wrap(self._masked_data.contiguous(), self._masked_mask.contiguous(), self._trace)
    return self


def _is_contiguous(self, memory_format=torch.contiguous_format):
    if self.is_sparse:
        raise ValueError("MaskedTensors with sparse data do not have is_contiguous")
    return self._masked_data.is_contiguous()


def _detached(self):
    return _wrap(self._masked_data.detach(), self._masked_mask)


def _to_sparse(self, *args, **kwargs):
    if self.layout == torch.sparse_coo:
        return self
    mask = self._masked_mask.to_sparse_coo().coalesce()
    return _wrap(self._masked_data.detach().sparse_mask(mask).coalesce(), mask)


def _to_sparse_csr(self, *args, **kwargs):
    if self.dim() != 2:
        raise ValueError(f"Only 2D tensors can be converted to the SparseCsr layout but got shape: {self.size()}")
    if self.layout == torch.sparse_csr:
        return self
    mask = self._masked_mask.to_sparse_csr()
    return _wrap(self._masked_data.detach().sparse_mask(mask), mask)


def _to_dense(self, *args, **kwargs):
    return self if not self.is_sparse else _wrap(self._masked_data.to_dense(), self._masked_mask.to_dense())


def _item(self):
    if self.numel() != 1:
        raise RuntimeError(f"a Tensor with {self.numel()} elements cannot be converted to Scalar")
    if not self._masked_mask.item():
        raise ValueError("__torch_dispatch__, aten._local_scalar_dense: expected a mask tensor")
    return self._masked_data.item()


def _copy(self, other, non_blocking=False):
    if is_masked_tensor(other) and not _match(self._masked_mask, other._masked_mask):
        raise ValueError("args[0] mask and args[1] mask must match but do not")
    self._masked_data.detach().copy_(_data(other).detach())
    return self


def _numpy(self, *args, **kwargs):
    raise RuntimeError(".numpy() is not supported for tensor subclasses.")


def _tolist(self):
    raise RuntimeError(".tolist() is not supported for tensor subclasses, got MaskedTensor")


# ---- gradients ------------------------------------------------------------------------------------------------------------------


def _roots(outputs):
    return [(t._trace * t._masked_mask).sum() for t in outputs if is_masked_tensor(t) and t._trace is not None]


def _backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    if not isinstance(self, torch.Tensor):
        raise NotImplementedError("torch.autograd.backward of several masked tensors")
    data, gradient = _data(self), _data(gradient)
    items = None if inputs is None else [inputs] if isinstance(inputs, torch.Tensor) else list(inputs)
    leaves = [t for t in (_leaves(data) if is_masked_tensor(self) else []) if items is None or any(t is i for i in items)]
    marks = _marks([data], leaves, None if gradient is None else [gradient]) if leaves and (gradient is not None or data.numel() == 1) else []
    data.backward(gradient, retain_graph, create_graph, inputs=None if items is None else [_data(i) for i in items])
    for leaf, mark in zip(leaves, marks):
        if mark is not None:
            _show_masked_gradients()
            leaf._masked_gradient = mark
    for root in _roots([self]):
        if root.requires_grad:
            root.backward(retain_graph=True)


def _grad(outputs, inputs, grad_outputs=None, **options):
    outputs = [outputs] if isinstance(outputs, torch.Tensor) else list(outputs)
    inputs = [inputs] if isinstance(inputs, torch.Tensor) else list(inputs)
    if grad_outputs is not None:
        grad_outputs = [_data(g) for g in ([grad_outputs] if isinstance(grad_outputs, torch.Tensor) else grad_outputs)]
    sources = [_data(t) for t in outputs]
    plain = [t for t in inputs if not is_masked_tensor(t)]
    marks = iter(_marks(sources, plain, grad_outputs) if plain and any(map(is_masked_tensor, outputs)) else [None] * len(plain))
    found = torch.autograd.grad(sources, [_data(t) for t in inputs], grad_outputs, **options)
    roots = [root for root in _roots(outputs) if root.requires_grad]
    known = [t._trace for t in inputs if is_masked_tensor(t) and t._trace is not None]
    seen = iter(torch.autograd.grad(roots, known, retain_graph=True, allow_unused=True) if roots and known else [None] * len(known))
    out = []
    for t, grad in zip(inputs, found):
        if not is_masked_tensor(t):
            mask = next(marks)
        else:
            trace = next(seen) if t._trace is not None else None
            mask = torch.zeros_like(_data(t), dtype=torch.bool) if trace is None else trace != 0
        out.append(grad if grad is None or mask is None else _wrap(grad, mask))
    return tuple(out)


_OWN = {
    "where": _where, "softmax": _softmax, "contiguous": _contiguous, "is_contiguous": _is_contiguous, "detach": _detached,
    "clone": lambda self, memory_format=None: _wrap(self._masked_data.clone(), self._masked_mask.clone(), self._trace),
    "to_sparse": _to_sparse, "to_sparse_coo": _to_sparse, "to_sparse_csr": _to_sparse_csr, "to_dense": _to_dense, "item": _item,
    "__float__": lambda self: float(_item(self)), "__int__": lambda self: int(_item(self)),
    "__bool__": lambda self: bool(_item(self)), "copy_": _copy, "numpy": _numpy, "__array__": _numpy, "tolist": _tolist,
    "asarray": lambda self, **options: self.to(**options) if options else self, "requires_grad_": _require, "backward": _backward, "grad": _grad, "__rdiv__": _divided, "retain_grad": lambda self: None,
    "ones_like": lambda self, **options: _wrap(torch.ones_like(self._masked_data.detach(), **options), self._masked_mask),
}

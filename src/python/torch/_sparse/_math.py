"""Elementwise operators, sums, norms and softmax."""

import math

import _torch
import torch

from ._convert import _to_layout, coalesce, moved, sparse_mask, values_at, values_like
from ._errors import apart, missing, refusal, unsupported_layout
from ._parts import (
    add_at, coalesced, coo, dense, flat, is_coalesced, is_coo, is_sparse, layout, like, merged, parts, plain, record, show, sparse_dims,
    scalar_name, to_coo, unflat, values_of,
)


def _number(x):
    return not isinstance(x, torch.Tensor)


def _single(x):
    """A number, or a strided tensor that counts as one."""
    return _number(x) or (not is_sparse(x) and x.dim() == 0)


def _typed(values, a, b):
    kind = torch.result_type(_stand_in(a), _stand_in(b))
    return values if values.dtype == kind else values.to(kind)


def _stand_in(t):
    """Something with the dtype and number of dimensions of an operand, for the rules of promotion."""
    if _number(t) or not is_sparse(t):
        return t
    return torch.empty((0,) * max(t.dim(), 1) if t.dim() else (), dtype=t.dtype)


def _check_in_place(t):
    if t.requires_grad and torch.is_grad_enabled():
        if t.is_leaf:
            raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
        raise NotImplementedError("torch.sparse: changing a tensor with a history in place")


def replaced(t, result):
    """`t` changed in place to what an operator gives."""
    _check_in_place(t)
    if result.dtype != t.dtype:
        if not torch.can_cast(result.dtype, t.dtype):
            names = scalar_name(result.dtype), scalar_name(t.dtype)
            raise RuntimeError(f"result type {names[0]} can't be cast to the desired output type {names[1]}")
        result = moved(result, dtype=t.dtype)
    return _torch._take_parts(t, result)


# ---- sums and differences -----------------------------------------------------------------------------------------------


def _same_device(name, a, b):
    if a.device != b.device and not (not is_sparse(b) and b.dim() == 0 and b.device.type == "cpu"):
        raise apart(name + ".Tensor", "other", b, a)


def _add_coo(a, b, alpha):
    if tuple(a.shape) != tuple(b.shape):
        raise RuntimeError(f"add: expected sizes of 'self' and 'other' to match, but {show(a.shape)} != {show(b.shape)}")
    if sparse_dims(a) != sparse_dims(b):
        raise RuntimeError("add: expected 'self' and 'other' to have same density, but 'self' has "
                           f"{sparse_dims(a)} sparse dimensions while 'other' has {sparse_dims(b)} sparse dimensions")
    (ai, av), (bi, bv) = parts(a), parts(b)
    av, bv = _typed(av, a, b), _typed(bv, a, b)
    if alpha != 1:
        bv = bv * alpha
    both = is_coalesced(a) and is_coalesced(b)
    if a.device.type != "cpu" or not (av.is_contiguous() and bv.is_contiguous()):
        # On a GPU, and if the values have gaps, PyTorch joins the two lists.
        return coo(torch.cat([ai, bi], 1), torch.cat([av, bv]), a.shape, False)
    sizes = a.shape[:ai.shape[0]]
    x, y = flat(ai, sizes), flat(bi, sizes)
    if both:
        out = coalesced(coo(torch.cat([ai, bi], 1), torch.cat([av, bv]), a.shape, False))
        return coo(*parts(out), a.shape, True)
    first, second = merged(x, y)
    mine = torch.tensor(first, dtype=torch.int64, device=av.device)
    theirs = torch.tensor(second, dtype=torch.int64, device=av.device)
    own = mine >= 0
    indices = torch.where(own, _picked(ai, mine, 1), _picked(bi, theirs, 1))
    total = _only(_picked(av, mine, 0), own)
    return coo(indices, total + _only(_picked(bv, theirs, 0), theirs >= 0), a.shape, False)


def _picked(t, at, dim):
    if not t.shape[dim]:
        return torch.zeros(tuple(t.shape[:dim]) + (at.shape[0],) + tuple(t.shape[dim + 1:]), dtype=t.dtype, device=t.device)
    return t.index_select(dim, at.clamp(min=0))


def _only(values, there):
    return torch.where(there.reshape((-1,) + (1,) * (values.dim() - 1)), values, torch.zeros((), dtype=values.dtype, device=values.device))


def _add_compressed(a, b, alpha):
    kind = layout(a)
    x, y = to_coo(a), to_coo(b)
    sum_ = _add_coo(coalesced(x), coalesced(y), alpha)
    return _to_layout(coalesced(sum_), kind, a)


def _onto(a, b, alpha):
    """A strided tensor with a sparse one added."""
    if tuple(a.shape) != tuple(b.shape):
        kind = "dense" if is_coo(b) else "op2"
        raise RuntimeError(f"add: expected 'self' and 'other' to have same size, but self has size {show(a.shape)} while other has size "
                           f"{show(b.shape)} (FYI: {kind}-sparse addition does not currently support broadcasting)")
    t = b if is_coo(b) else to_coo(b)
    out = plain(a).to(torch.result_type(a, _stand_in(b)), copy=True)
    _put(out, t, alpha)
    return out


def _put(out, t, alpha):
    indices, values = parts(t)
    values = values.to(out.dtype) if values.dtype != out.dtype else values
    values = values if alpha == 1 else values * alpha
    if indices.shape[0] == 0:
        out += values.sum(0)
    elif indices.shape[1]:
        if out.dtype == torch.bool:
            out |= dense(t)
        else:
            out.index_put_(tuple(indices.unbind(0)), values, accumulate=True)


def _sum(a, b, alpha):
    """`a + alpha * b` outside the graph."""
    if _number(a):
        a = torch.tensor(a)
    if _number(b):
        b = torch.tensor(b)
    if is_sparse(a) and not is_sparse(b):
        if is_coo(a):
            raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
        a, b = b, a
        if alpha != 1:
            return _onto(a.detach() * alpha, b, 1)
    _same_device("add", a, b)
    if not is_sparse(a):
        return _onto(a, b, alpha)
    if is_coo(a) != is_coo(b):
        if is_coo(a):
            raise RuntimeError("memory format option is only supported by strided tensors")
        raise RuntimeError("at::sparse_csr::is_sparse_compressed(other) INTERNAL ASSERT FAILED, please report a bug to PyTorch. ")
    return _add_coo(a, b, alpha) if is_coo(a) else _add_compressed(a, b, alpha)


def add(input, other, *, alpha=1, out=None):
    if _number(input):
        input, other = other, input
    result = record("AddBackward0", [input, other], _sum(input, other, alpha), lambda g: [g, g if alpha == 1 else g * alpha])
    return result if out is None else _into(out, result)


def sub(input, other, *, alpha=1, out=None):
    if layout(input) not in (None, "sparse_coo", "nested") if not _number(input) else False:
        raise unsupported_layout(input)
    if _number(input) and is_sparse(other) and not is_coo(other):
        raise unsupported_layout(other)
    result = record("SubBackward0", [input, other], _sum(input, other, -alpha), lambda g: [g, g * -alpha])
    return result if out is None else _into(out, result)


def _into(out, result):
    if is_sparse(out) and is_sparse(result):
        return replaced(out, result)
    if not is_sparse(out) and not is_sparse(result):
        return out.copy_(result)
    raise RuntimeError("Expected out tensor to have the layout of the result")


def _add_in_place(input, other, alpha):
    if is_sparse(input):
        return replaced(input, _sum(input, other, alpha))
    needs = torch.is_grad_enabled() and (input.requires_grad or other.requires_grad)
    if needs:
        return input.add_(other.to_dense(), alpha=alpha)
    _same_device("add_", input, other)
    if tuple(input.shape) != tuple(other.shape):
        _onto(input, other, alpha)
    with _torch._grad_mode("no_grad"):
        _put(input, other if is_coo(other) else to_coo(other), alpha)
    return input


def add_(self, other, *, alpha=1):
    return _add_in_place(self, other, alpha)


def sub_(self, other, *, alpha=1):
    return _add_in_place(self, other, -alpha)


def add_gradients(a, b, in_place):
    """What a backward pass adds: two gradients of which one is sparse at least."""
    if layout(a) == "nested":
        from torch import _nested

        return _nested._dispatch("add", True, a, b)
    if is_sparse(a) and not is_sparse(b):
        return add(b, a)
    if in_place and not torch.is_grad_enabled():
        return _add_in_place(a, b, 1)
    return add(b, a) if is_sparse(a) else add(a, b)


# ---- products and quotients ---------------------------------------------------------------------------------------------


def _common(a, b):
    """The elementwise product of two COO tensors."""
    if sparse_dims(a) != sparse_dims(b) or tuple(a.shape) != tuple(b.shape):
        raise RuntimeError("sparse_binary_op_intersection_cpu(): expects sparse inputs with equal dimensionality, number of sparse "
                           "dimensions, and shape of sparse dimensions")
    if is_coalesced(a) != is_coalesced(b):
        source, other = (b, a) if is_coalesced(a) else (a, b)
    else:
        source, other = (b, a) if parts(a)[0].shape[1] >= parts(b)[0].shape[1] else (a, b)
    indices, values = parts(source)
    values = _typed(values, a, b) * _typed(values_at(other, indices, a.shape), a, b)
    if not is_coalesced(source):
        return coo(indices, values, a.shape, False)
    known = flat(parts(coalesced(other))[0], a.shape[:indices.shape[0]])
    there = torch.isin(flat(indices, a.shape[:indices.shape[0]]), known).nonzero().reshape(-1)
    return coo(indices.index_select(1, there), values.index_select(0, there), a.shape, True)


def _times(a, b):
    """`a * b` outside the graph, with at least one of them sparse."""
    if not is_sparse(a) if not _number(a) else True:
        a, b = b, a
    if _single(b):
        b = b if _number(b) else plain(b)
        return like(a, values_of(a) * b)
    _same_device("mul", a, b)
    if not is_sparse(b):
        b = plain(b)
        if b.numel() == 1 and b.dim() <= a.dim():
            return like(a, _typed(values_of(a), a, b) * b.reshape(()))
        shape = tuple(torch.broadcast_shapes(tuple(a.shape), tuple(b.shape)))
        if shape != tuple(a.shape):
            raise NotImplementedError("torch.mul: a sparse tensor that is broadcast")
        b = b.expand(shape)
        if is_coo(a):
            return like(a, values_of(a) * values_at(b, parts(a)[0], shape))
        return like(a, values_of(a) * values_like(b, a))
    if is_coo(a) != is_coo(b):
        raise refusal("mul", (a, b), {}, a if not is_coo(a) else b)
    if is_coo(a):
        return _common(a, b)
    if tuple(a.shape) != tuple(b.shape):
        raise RuntimeError("torch.mul: sparse compressed tensors of different shapes")
    return _to_layout(_common(coalesced(to_coo(a)), coalesced(to_coo(b))), layout(a), a)


def _fitting(g, t):
    """A gradient of a product for a strided operand that was broadcast."""
    if _number(t) or tuple(g.shape) == tuple(t.shape):
        return g
    if t.dim() == 0 or t.numel() == 1:
        return (values_of(g).sum() if is_sparse(g) else g.sum()).reshape(t.shape)
    if is_sparse(g):
        raise missing("view", g)
    return g.sum_to_size(t.shape)


def mul(input, other, *, out=None):
    def back(g):
        left = g * other if _wants(input) else None
        right = g * input if _wants(other) else None
        return [None if left is None else _fitting(left, input), None if right is None else _fitting(right, other)]

    result = record("MulBackward0", [input, other], _times(input, other), back)
    return result if out is None else _into(out, result)


def _wants(t):
    return isinstance(t, torch.Tensor) and t.requires_grad


def mul_(self, other):
    if not is_sparse(self):
        if torch.is_grad_enabled() and (self.requires_grad or other.requires_grad):
            return self.mul_(other.to_dense())
        return self.mul_(dense(other))
    if _single(other):
        return _values_in_place(self, "mul_", other)
    return replaced(self, _times(self, other))


def _values_in_place(self, name, *args, **kwargs):
    """An operator on the values, in their memory."""
    _check_in_place(self)
    getattr(values_of(self), name)(*args, **kwargs)
    return _torch._take_parts(self, self)


def _divisor(other):
    if not _single(other):
        raise RuntimeError("Sparse division requires a scalar or zero-dim dense tensor divisor (got shape "
                           f"{show(other.shape)} for divisor)")
    return other if _number(other) else plain(other)


def div(input, other, *, rounding_mode=None, out=None):
    if _number(input):
        raise missing("reciprocal", other) if is_coo(other) else unsupported_layout(other)
    if not is_sparse(input):
        raise RuntimeError("Sparse division requires a scalar or zero-dim dense tensor divisor (got shape "
                           f"{show(other.shape)} for divisor)")
    if not is_coo(input):
        raise unsupported_layout(input)
    source = input if rounding_mode is None else coalesced(input)
    result = like(source, torch.div(values_of(source), _divisor(other), rounding_mode=rounding_mode))
    if rounding_mode is not None:
        return record("DivBackward1", [input], result, lambda g: [torch.zeros_like(g)])
    result = record("DivBackward0", [input], result, lambda g: [g / other])
    return result if out is None else _into(out, result)


def div_(self, other, *, rounding_mode=None):
    if not is_sparse(self):
        return div(self, other)
    if rounding_mode is None and self.is_floating_point():
        return _values_in_place(self, "div_", _divisor(other))
    return replaced(self, div(self.detach(), other, rounding_mode=rounding_mode))


def floor_divide(input, other):
    return div(input, other, rounding_mode="floor")


def floor_divide_(self, other):
    return div_(self, other, rounding_mode="floor")


def pow(input, exponent, *, out=None):
    if _number(input):
        raise missing("pow.Scalar", exponent)
    if not is_coo(input):
        raise unsupported_layout(input if is_sparse(input) else exponent)
    if not _number(exponent):
        if exponent.dim() or is_sparse(exponent):
            raise missing("pow.Tensor_Tensor", input)
        exponent = exponent.item()
    if exponent == 0:
        raise RuntimeError("pow: cannot raise to zeroth power on sparse tensor; it would make the result tensor dense")
    t = coalesced(input)
    result = like(t, values_of(t) ** exponent)
    return record("PowBackward0", [input], result, lambda g: [g * (input ** (exponent - 1) * exponent)])


# ---- functions of one tensor ---------------------------------------------------------------------------------------------


def _relu_back(g, x, y):
    t = coalesced(y) if is_coo(y) else y
    g = sparse_mask(g, t)
    return like(g, torch.where(values_of(t) > 0, values_of(g), 0))


def _nothing(g, x, y):
    return torch.zeros_like(g)


def _no(operator):
    def back(g, x, y):
        raise missing(operator, x)

    return back


# The gradients, by PyTorch's formulas. Some come to operators that don't exist for sparse tensors, there as here.
_UNARY = {
    "abs": lambda g, x, y: g * x.sgn(), "asin": lambda g, x, y: g * (1 - x * x).rsqrt(),
    "asinh": lambda g, x, y: g * (x.pow(2) + 1).rsqrt(), "atan": lambda g, x, y: g / (x * x + 1),
    "atanh": lambda g, x, y: g * (1 - x.pow(2)), "ceil": _nothing, "deg2rad": lambda g, x, y: g * (math.pi / 180),
    "erf": lambda g, x, y: g * _no("exp")(g, x, y), "erfinv": _no("exp"), "expm1": lambda g, x, y: g * (y + 1), "floor": _nothing,
    "frac": lambda g, x, y: g, "isinf": None, "isnan": None, "isneginf": None, "isposinf": None,
    "log1p": lambda g, x, y: g / (x + 1), "neg": lambda g, x, y: -g, "rad2deg": lambda g, x, y: g * (180 / math.pi),
    "relu": _relu_back, "round": _nothing, "sgn": _nothing, "sign": _nothing, "signbit": None, "sin": lambda g, x, y: g * x.cos(),
    "sinh": lambda g, x, y: g * x.cosh(), "sqrt": lambda g, x, y: g / (2 * y), "tan": lambda g, x, y: g * (1 + y.pow(2)),
    "tanh": _no("tanh_backward"), "trunc": _nothing, "nan_to_num": lambda g, x, y: g, "conj_physical": lambda g, x, y: g,
    "angle": None,
}
_ONLY_COMPRESSED = {"angle", "conj_physical"}
_NODES = {"expm1": "Expm1Backward0", "log1p": "Log1PBackward0", "deg2rad": "Deg2RadBackward0", "rad2deg": "Rad2DegBackward0",
          "nan_to_num": "NanToNumBackward0", "conj_physical": "ConjPhysicalBackward0"}


def unary(name):
    node = _NODES.get(name, name.capitalize() + "Backward0")

    def function(input, *args, out=None, **kwargs):
        if is_coo(input) and name in _ONLY_COMPRESSED:
            raise missing(name, input)
        t = coalesced(input) if is_coo(input) and name != "neg" else input
        result = like(t, getattr(values_of(t), name)(*args, **kwargs))
        if _UNARY[name] is not None:
            result = record(node, [input], result, lambda g: [_UNARY[name](g, input, result)])
        return result if out is None else _into(out, result)

    return function


def unary_in_place(name):
    def function(self, *args, **kwargs):
        if is_coo(self) and not is_coalesced(self) and name != "neg_":
            raise RuntimeError(f"{name} requires coalesced input")
        if not torch.can_cast(getattr(values_of(self)[:0], name[:-1])(*args, **kwargs).dtype, self.dtype):
            result = getattr(values_of(self)[:0], name[:-1])(*args, **kwargs)
            raise RuntimeError(f"result type {scalar_name(result.dtype)} can't be cast to the desired output type "
                               f"{scalar_name(self.dtype)}")
        return _values_in_place(self, name, *args, **kwargs)

    return function


def positive(input):
    return input


def square(input, *, out=None):
    return pow(input, 2, out=out)


# ---- sums ---------------------------------------------------------------------------------------------------------------


def _wrapped(dim, ndim):
    dims = [dim] if isinstance(dim, int) else list(dim)
    for d in dims:
        if not -ndim <= d < ndim:
            raise IndexError(f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got {d})")
    return sorted({d % ndim for d in dims})


def _summed(t, dims, keepdim=False):
    """The sum over some dimensions: sparse as long as a sparse dimension is left."""
    t = coalesced(t)
    indices, values = parts(t)
    depth = indices.shape[0]
    over = [d for d in dims if d < depth]
    inner = [d - depth + 1 for d in dims if d >= depth]
    if inner:
        values = values.sum(inner, keepdim=keepdim, dtype=values.dtype)
    left = [d for d in range(depth) if d not in over]
    rest = list(values.shape[1:])
    if not left and not keepdim:
        return values.sum(0, dtype=values.dtype)
    sizes = [t.shape[d] for d in left]
    if not over:
        return coo(indices, values, tuple(t.shape[:depth]) + tuple(rest), True)
    unique, places = torch.unique(flat(indices[left], sizes), return_inverse=True)
    rows = list(unflat(unique, sizes).unbind(0))
    shape = list(sizes)
    if keepdim:
        for d in over:
            rows.insert(d, torch.zeros_like(unique))
            shape.insert(d, 1)
    indices = torch.stack(rows) if rows else torch.empty((0, unique.shape[0]), dtype=torch.int64, device=values.device)
    return coo(indices, add_at(unique.shape[0], places, values), tuple(shape) + tuple(rest), not keepdim)


def sparse_sum(input, dim=None, dtype=None):
    """`torch.sparse.sum`."""
    if dim is None:
        values = coalesce(input).values()
        return values.sum() if dtype is None else values.sum(dtype=dtype)
    if dtype is not None:
        input = input.to(dtype)
    dims = _wrapped(dim, input.dim())
    out = _summed(input, dims)

    def back(g):
        t = coalesced(input)
        indices, values = parts(t)
        depth = indices.shape[0]
        left = [d for d in range(depth) if d not in dims]
        shape = [n for d, n in enumerate(t.shape) if d not in dims]
        grown = values_at(g, indices[left], shape) if left else plain(g).unsqueeze(0)
        for d in dims:
            if d >= depth:
                grown = grown.unsqueeze(d - depth + 1)
        if tuple(grown.shape) != tuple(values.shape):
            grown = grown.expand(values.shape).contiguous()
        return [coo(indices.clone(), grown, t.shape, True)]

    return record("SparseSumBackward0", [input], out, back)


def sum(input, dim=None, keepdim=False, *, dtype=None, out=None):
    if is_coo(input):
        if dtype is None and not (input.is_floating_point() or input.is_complex()):
            dtype = torch.int64
        t = input if dtype is None else moved(input.detach(), dtype=dtype)
        if dim is None or (isinstance(dim, (tuple, list)) and not dim):
            return record("SumBackward0", [input], parts(t)[1].sum(), lambda g: [g.expand(input.shape)])
        return record("SumBackward1", [input], _summed(t, _wrapped(dim, input.dim()), keepdim),
                      lambda g: [_expanded(g, input.shape, dim, keepdim)])
    if dim is None:
        return record("SumBackward0", [input], values_of(input).sum(dtype=dtype), lambda g: [like(input, g.expand(values_of(input).shape))])
    if not keepdim:
        raise RuntimeError("reduction operations on CSR tensors with keepdim=False is unsupported")
    if layout(input) != "sparse_csr":
        raise unsupported_layout(input)
    dims = _wrapped(dim, 2)
    out = _summed(coalesced(to_coo(input)), dims, True)
    result = _to_layout(coo(*parts(out), out.shape, True), "sparse_csr")
    return result if dtype is None else moved(result, dtype=dtype)


def _expanded(g, shape, dim, keepdim):
    if is_sparse(g):
        raise RuntimeError("expand is unsupported for Sparse tensors")
    if not keepdim:
        for d in _wrapped(dim, len(shape)):
            g = g.unsqueeze(d)
    return g.expand(shape)


def any(input, dim=None, keepdim=False, *, out=None):
    if dim is not None or not is_coo(input):
        raise refusal("any", (input, dim) if dim is not None else (input,), {}, input)
    return parts(coalesced(input))[1].any()


def norm(input, p=2, dim=None, keepdim=False, out=None, dtype=None):
    if not is_coo(input):
        raise missing("linalg_vector_norm", input)
    if dim is not None and len(_wrapped(dim, input.dim())) not in (0, input.dim()):
        raise RuntimeError("norm_sparse currently only supports full reductions, so 'dim' must either be empty or contain all dimensions "
                           "of the input")
    values = parts(coalesced(input))[1]
    result = values.norm(2 if p in (None, "fro") else p, dtype=dtype)

    def back(g):
        raise missing("masked_fill_.Scalar", input)

    return record("NormBackward1" if dim is None else "LinalgVectorNormBackward0", [input], result, back)


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None, out=None):
    return norm(x, ord, dim, keepdim, out, dtype)


# ---- softmax --------------------------------------------------------------------------------------------------------------


def _groups(t, dim):
    """For each element the number of its line along a sparse dimension, and how many lines there are."""
    indices, _ = parts(t)
    left = [d for d in range(indices.shape[0]) if d != dim]
    unique, places = torch.unique(flat(indices[left], [t.shape[d] for d in left]), return_inverse=True)
    return places, unique.shape[0]


def _softmax(input, dim, dtype, log):
    name = "_sparse_log_softmax" if log else "_sparse_softmax"
    if not is_coo(input):
        raise missing(name, input)
    if dtype is not None:
        input = input.to(dtype)
    if not input.is_floating_point():
        raise NotImplementedError(f'"{"log_softmax" if log else "softmax"}" not implemented for \'{scalar_name(input.dtype)}\'')
    (dim,) = _wrapped(dim, input.dim())
    t = coalesced(input)
    values = parts(t)[1]
    depth = sparse_dims(t)
    if dim >= depth:
        at = dim - depth + 1
        y = torch.log_softmax(values, at) if log else torch.softmax(values, at)

        def total(x):
            return x.sum(at, keepdim=True)
    else:
        places, count = _groups(t, dim)

        def total(x):
            return add_at(count, places, x).index_select(0, places)

        top = torch.full((count,) + tuple(values.shape[1:]), -math.inf, dtype=values.dtype, device=values.device)
        spread = places.reshape((-1,) + (1,) * (values.dim() - 1)).expand(values.shape)
        top = top.scatter_reduce(0, spread, values, "amax").index_select(0, places)
        shifted = values - top
        y = shifted - total(shifted.exp()).log() if log else shifted.exp() / total(shifted.exp())
    out = like(t, y, True)

    def back(g):
        gv = values_at(g, parts(t)[0], t.shape)
        return [coo(parts(t)[0].clone(), gv - y.exp() * total(gv) if log else y * (gv - total(gv * y)), t.shape, True)]

    return record("SparseLogSoftmaxBackward0" if log else "SparseSoftmaxBackward0", [input], out, back)


def sparse_softmax(input, dim, *, dtype=None):
    return _softmax(input, dim, dtype, False)


def sparse_log_softmax(input, dim, *, dtype=None):
    return _softmax(input, dim, dtype, True)

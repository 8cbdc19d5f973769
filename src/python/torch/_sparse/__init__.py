"""Sparse tensors: what each operator does with them, by name. The native half asks `_dispatch` for every call that has a sparse
tensor among its arguments; a name that isn't in the table raises PyTorch's error for an operator without a sparse kernel."""

import _torch
import torch

from . import _convert, _make, _math, _products, _shape
from ._errors import missing, refusal
from ._parts import NAMES, coo, dense, is_coo, is_sparse, layout, like, parts, values_of
from ._print import text

_add_gradients = _math.add_gradients

# Calls that only need what every tensor has: a shape, a dtype, a device, a place in the graph.
_AS_ALL = frozenset((
    "size dim ndimension numel nelement element_size is_floating_point is_complex is_signed is_tensor requires_grad_ retain_grad "
    "get_device is_inference storage_offset is_same_size result_type promote_types can_cast detach detach_ is_conj is_neg "
    "register_hook backward grad is_pinned is_distributed record_stream is_shared typename"
).split())


def _no_storage(self):
    raise NotImplementedError(f"Cannot access storage of {'SparseTensorImpl' if is_coo(self) else 'SparseCsrTensorImpl'}")


def _no_pointer(self, *args, **kwargs):
    raise RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")


def _no_strides(what):
    def function(self, *args, **kwargs):
        raise RuntimeError(f"Sparse {layout(self)[7:].upper()} tensors do not have {what}")

    return function


def _stride(self, dim=None):
    if not is_coo(self):
        return _no_strides("strides")(self)
    return NotImplemented


def _is_contiguous(self, memory_format=None):
    return False if is_coo(self) else _no_strides("is_contiguous")(self)


def _contiguous(self, memory_format=None):
    if is_coo(self):
        raise RuntimeError("unsupported memory format option Contiguous")
    return _no_strides("is_contiguous")(self)


def _numpy(self, *args, **kwargs):
    raise TypeError(f"can't convert {NAMES[layout(self)]} layout tensor to numpy. Use Tensor.to_dense() first.")


def _item(self):
    if self.numel() != 1:
        raise RuntimeError(f"a Tensor with {self.numel()} elements cannot be converted to Scalar")
    return dense(self).reshape(())


def _nbytes(self):
    raise RuntimeError("nbytes is not defined for sparse tensors.  If you want the size of the constituent tensors, add the nbytes of the "
                       "indices and values.  If you want the size of the  equivalent dense tensor, multiply numel() by element_size()")


def _cast(dtype):
    def function(self, memory_format=None):
        return _convert.moved(self, dtype=dtype)

    return function


def _cuda(self, device=None, non_blocking=False, memory_format=None):
    device = torch.device("cuda") if device is None else device
    device = torch.device("cuda", device) if isinstance(device, int) else torch.device(device)
    if device.type != "cuda":
        raise RuntimeError("Invalid device, must be cuda device")
    return _convert.moved(self, device, None, non_blocking)


def _cpu(self, memory_format=None):
    return _convert.moved(self, torch.device("cpu"))


def _pin_memory(self, device=None):
    places, values, _ = _torch._parts(self)
    pinned = [p.pin_memory() for p in places]
    return _torch._of_parts(layout(self), tuple(self.shape), pinned, values.pin_memory(), _torch._parts(self)[2])


def _real(self):
    return like(self, values_of(self).real) if self.is_complex() else self


def _imag(self):
    if not self.is_complex():
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return like(self, values_of(self).imag)


def _full(input, *args, **kwargs):
    raise missing("fill_.Scalar", input) if is_coo(input) else refusal("full_like", (), {}, input)


def _fill(self, value):
    if is_coo(self):
        raise missing("fill_.Scalar", self)
    return _math._values_in_place(self, "fill_", value)


def _reversed(self):
    raise missing("flip", self)


def _contains(self, value):
    raise missing("eq.Tensor" if isinstance(value, torch.Tensor) else "eq.Scalar", self)


def _chained(*matrices, out=None):
    result = matrices[0]
    for each in matrices[1:]:
        result = _products.mm(result, each) if is_sparse(result) or is_sparse(each) else result @ each
    return result


def _view_as(self, *args, **kwargs):
    raise missing("view", self)


def _no_padding(self, padding, output_size=None):
    raise missing("to_padded_tensor", self)


# By the names of functions and methods.
_TABLE = {
    "add": _math.add, "sub": _math.sub, "mul": _math.mul, "div": _math.div, "pow": _math.pow, "floor_divide": _math.floor_divide,
    "rsub": lambda a, b, alpha=1: _math.sub(b, a, alpha=alpha), "add_": _math.add_, "sub_": _math.sub_, "mul_": _math.mul_,
    "div_": _math.div_, "floor_divide_": _math.floor_divide_, "positive": _math.positive, "square": _math.square,
    "sum": _math.sum, "any": _math.any, "norm": _math.norm, "linalg_vector_norm": _math.vector_norm, "vector_norm": _math.vector_norm,
    "mm": _products.mm, "matmul": _products.matmul, "mv": _products.mv, "bmm": _products.bmm, "addmm": _products.addmm,
    "addmm_": _products.addmm_, "linear": _products.linear, "chain_matmul": _chained,
    "t": _shape.t, "transpose": _shape.transpose, "swapaxes": _shape.transpose, "swapdims": _shape.transpose,
    "permute": _shape.permute, "T": _shape.whole_transpose, "mT": _shape.matrix_transpose, "H": _shape.adjoint,
    "mH": _shape.adjoint, "adjoint": _shape.adjoint,
    "unsqueeze": _shape.unsqueeze, "select": _shape.select, "index_select": _shape.index_select,
    "_index_select": _shape.index_select, "narrow_copy": _shape.narrow_copy, "unbind": _shape.unbind, "cat": _shape.cat,
    "concat": _shape.cat, "concatenate": _shape.cat, "stack": _shape.stack, "vstack": _shape.vstack, "row_stack": _shape.vstack,
    "hstack": _shape.hstack, "zeros_like": _shape.zeros_like, "empty_like": _shape.zeros_like, "new_zeros": _shape.new_zeros,
    "new_empty": _shape.new_zeros, "zero_": _shape.zero_, "copy_": _shape.copy_, "embedding": _shape.embedding,
    "type": _shape.type_, "__getitem__": _shape.getitem, "__repr__": text, "__item__": _item, "__reversed__": _reversed, "__iter__": _shape.unbind,
    "__contains__": _contains, "item": lambda self: _item(self).item(), "tolist": _no_pointer, "data_ptr": _no_pointer,
    "numpy": _numpy, "nbytes": _nbytes, "stride": _stride, "is_contiguous": _is_contiguous, "contiguous": _contiguous,
    "untyped_storage": _no_storage, "storage": _no_storage, "_typed_storage": _no_storage, "real": _real, "imag": _imag,
    "full_like": _full, "ones_like": _full, "fill_": _fill, "view_as": _view_as, "view": _view_as,
    "to": _convert.to, "cuda": _cuda, "cpu": _cpu, "clone": _convert.clone, "pin_memory": _pin_memory,
    "new_tensor": lambda self, data, dtype=None, device=None, requires_grad=False: torch.tensor(
        data, dtype=dtype or self.dtype, device=device or self.device, requires_grad=requires_grad),
    "is_nonzero": lambda input: bool(input),
    "type_as": lambda self, other: _convert.moved(self, other.device, other.dtype),
    "conj": lambda self: self if not self.is_complex() else _conj(self),
}
_TABLE.update((name, _cast(getattr(_torch, kind))) for name, kind in (
    ("double", "float64"), ("float", "float32"), ("half", "float16"), ("bfloat16", "bfloat16"), ("long", "int64"), ("int", "int32"),
    ("short", "int16"), ("char", "int8"), ("byte", "uint8"), ("bool", "bool"), ("cfloat", "complex64"), ("cdouble", "complex128")))
_TABLE.update((name, _math.unary(name)) for name in _math._UNARY)
_TABLE.update((name + "_", _math.unary_in_place(name + "_")) for name, back in _math._UNARY.items()
              if back is not None and name not in ("conj_physical",))

# What a program can also call with strided tensors, which mostly refuses them in PyTorch's words.
_ALL = {
    "sparse_coo_tensor": _make.sparse_coo_tensor, "sparse_compressed_tensor": _make.sparse_compressed_tensor,
    "sparse_csr_tensor": _make.sparse_csr_tensor, "sparse_csc_tensor": _make.sparse_csc_tensor,
    "sparse_bsr_tensor": _make.sparse_bsr_tensor, "sparse_bsc_tensor": _make.sparse_bsc_tensor,
    "hspmm": _products.hspmm, "hsmm": _products.hspmm, "smm": _products.smm, "spmm": torch.mm, "dsmm": torch.mm,
    "saddmm": _products.saddmm, "sspaddmm": _products.sspaddmm, "indices": _convert.indices, "values": _convert.values,
    "_indices": _convert._indices, "_values": _convert._values, "_nnz": _convert._nnz, "_dimI": _convert._dim_i,
    "_dimV": _convert._dim_v, "coalesce": _convert.coalesce, "is_coalesced": _convert.is_coalesced_,
    "_coalesced_": _convert._coalesced_, "sparse_dim": _convert.sparse_dim, "dense_dim": _convert.dense_dim,
    "crow_indices": _convert.crow_indices, "col_indices": _convert.col_indices, "ccol_indices": _convert.ccol_indices,
    "row_indices": _convert.row_indices, "sparse_mask": _convert.sparse_mask, "sparse_resize_": _shape.sparse_resize_,
    "sparse_resize_and_clear_": _shape.sparse_resize_and_clear_, "to_dense": _convert.to_dense, "to_sparse": _convert.to_sparse,
    "to_sparse_coo": _convert.to_sparse_coo, "to_sparse_csr": _convert.to_sparse_csr, "to_sparse_csc": _convert.to_sparse_csc,
    "to_sparse_bsr": _convert.to_sparse_bsr, "to_sparse_bsc": _convert.to_sparse_bsc,
}
_TABLE.update(_ALL)
_ALL["to_padded_tensor"] = _no_padding
# Names of one function. In-place forms have them as well.
_OTHER_NAMES = {
    "subtract": "sub", "multiply": "mul", "divide": "div", "true_divide": "div", "true_div": "div", "negative": "neg", "absolute": "abs",
    "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan", "arctanh": "atanh", "fix": "trunc", "greater": "gt", "greater_equal": "ge",
    "less": "lt", "less_equal": "le", "not_equal": "ne", "special_expm1": "expm1", "special_log1p": "log1p",
}


def _conj(self):
    return like(self, values_of(self).conj())


def _first(args, kwargs):
    for each in list(args) + list(kwargs.values()):
        if is_sparse(each):
            return each
        if isinstance(each, (list, tuple)):
            for item in each:
                if is_sparse(item):
                    return item


def _dispatch(name, method, *args, **kwargs):
    """What a call gives. `NotImplemented` says that it doesn't depend on how its tensors are stored."""
    stem = name.rstrip("_")
    if stem in _OTHER_NAMES:
        name = _OTHER_NAMES[stem] + name[len(stem):]
    function = _TABLE.get(name)
    if function is not None:
        return function(*args, **kwargs)
    if name in _AS_ALL:
        return NotImplemented
    raise refusal(name, args, kwargs, _first(args, kwargs))


def _created(name, size, dtype, device, kind, requires_grad):
    """`torch.zeros(…, layout=torch.sparse_coo)`: a sparse tensor without elements."""
    if name not in ("zeros", "empty"):
        raise RuntimeError("full(...) is not implemented for sparse layout")
    return _make.empty(size, dtype, device, kind, requires_grad)


def _embedding_gradient(gradient, places, rows, padding_idx):
    """The gradient of a table, which names only the rows that were looked up."""
    places = places.reshape(-1)
    values = gradient.reshape(-1, gradient.shape[-1])
    if padding_idx >= 0:
        kept = (places != padding_idx).nonzero().reshape(-1)
        places, values = places.index_select(0, kept), values.index_select(0, kept)
    return coo(places.to(torch.int64).unsqueeze(0), values, (rows, gradient.shape[-1]), False)


def _reduced(t):
    """How `torch.save` and `copy` store a sparse tensor."""
    from torch import _utils

    kind = _utils._layout(layout(t))
    if is_coo(t):
        indices, values = parts(t)
        return _utils._rebuild_sparse_tensor, (kind, (indices, values, t.size(), _torch._parts(t)[2]))
    return _utils._rebuild_sparse_tensor, (kind, (*_convert.compressed_parts(t), t.size()))


def _rebuilt(kind, data):
    name = str(kind).removeprefix("torch.")
    if name == "sparse_coo":
        indices, values, size, *rest = data
        checks = bool(_make._STATE["checks"])
        return _make.sparse_coo_tensor(indices, values, size, check_invariants=checks, is_coalesced=bool(rest and rest[0]))
    if name in _convert.COMPRESSED:
        outer, inner, values, size = data
        _make._check_compressed(name, outer, inner, values, tuple(size))
        return _torch._of_parts(name, tuple(size), [outer, inner], values, False)
    raise NotImplementedError(f"rebuilding sparse tensor for layout {kind}")

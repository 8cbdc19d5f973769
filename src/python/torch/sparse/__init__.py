"""Functions of sparse tensors: products, sums and softmax whose gradients are sparse."""

from contextlib import ContextDecorator

import torch

from torch._said import warn_once
from torch._sparse import _make, _math, _products
from torch._sparse._errors import missing
from torch._sparse._parts import is_sparse, scalar_name

__all__ = ["addmm", "check_sparse_tensor_invariants", "log_softmax", "mm", "sampled_addmm", "softmax", "spdiags", "spsolve", "sum",
           "as_sparse_gradcheck", "to_sparse_semi_structured", "SparseSemiStructuredTensor"]

addmm = _products.sparse_addmm
sampled_addmm = _products.sampled_addmm


def mm(mat1, mat2, reduce=None):
    """A matrix product. The gradient of a sparse operand has its places."""
    return _products.sparse_mm(mat1, mat2, reduce)


def sum(input, dim=None, dtype=None):
    """The sum of all elements, or over some dimensions."""
    return _math.sparse_sum(input, dim, dtype)


def softmax(input, dim, *, dtype=None):
    """The softmax along a dimension, of those elements that are there."""
    return _math.sparse_softmax(input, dim, dtype=dtype)


def log_softmax(input, dim, *, dtype=None):
    """The logarithm of `softmax`."""
    return _math.sparse_log_softmax(input, dim, dtype=dtype)


def spsolve(input, other, *, left=True):
    """PyTorch has it only for CUDA, in builds with cuDSS."""
    if is_sparse(input) and input.device.type == "cpu":
        raise missing("_spsolve", input)
    raise NotImplementedError("torch.sparse.spsolve")


def spdiags(diagonals, offsets, shape, layout=None):
    """A matrix with the rows of `diagonals` on the diagonals that `offsets` names."""
    diagonals = diagonals.unsqueeze(0) if diagonals.dim() == 1 else diagonals
    offsets = offsets.unsqueeze(0) if offsets.dim() == 0 else offsets
    if diagonals.dim() != 2:
        raise RuntimeError("Diagonals must be vector or matrix")
    if len(shape) != 2:
        raise RuntimeError("Output shape must be 2d")
    if offsets.dim() != 1:
        raise RuntimeError("Offsets must be scalar or vector")
    if offsets.dtype not in (torch.int64,):
        raise RuntimeError(f"Offset Tensor must have dtype Long but got {scalar_name(offsets.dtype)}")
    if diagonals.shape[0] != offsets.shape[0]:
        raise RuntimeError(f"Number of diagonals ({diagonals.shape[0]}) does not match the number of offsets ({offsets.shape[0]})")
    if offsets.unique().shape[0] != offsets.shape[0]:
        raise RuntimeError("Offset tensor contains duplicate values")
    if layout is not None and str(layout) not in ("torch.sparse_coo", "torch.sparse_csr", "torch.sparse_csc"):
        raise RuntimeError(f"Only output layouts (Sparse, SparseCsc, SparseCsr) are supported, got {layout}")
    rows, columns = shape
    places, found = [], []
    for at, offset in enumerate(offsets.tolist()):
        begin = max(offset, 0)
        end = min(diagonals.shape[1], columns, rows + offset)
        across = torch.arange(begin, max(begin, end), device=diagonals.device)
        places.append(torch.stack([across - offset, across]))
        found.append(diagonals[at].index_select(0, across))
    out = torch.sparse_coo_tensor(torch.cat(places, 1), torch.cat(found), tuple(shape))
    return out if layout is None else out.to_sparse(layout=layout)


class check_sparse_tensor_invariants(ContextDecorator):
    """Whether new sparse tensors are checked completely. A context manager, a decorator, and two functions."""

    @staticmethod
    def is_enabled():
        return bool(_make._STATE["checks"])

    @staticmethod
    def enable():
        _make._STATE["checks"] = True

    @staticmethod
    def disable():
        _make._STATE["checks"] = False

    def __init__(self, enable=True):
        self.state = enable
        self._saved = []

    def __enter__(self):
        if self._saved:
            raise RuntimeError("This context manager instance is already activated. Use a different context manager instance for context "
                               "nesting.")
        self._saved.append(_make._STATE["checks"])
        _make._STATE["checks"] = self.state

    def __exit__(self, *exc):
        _make._STATE["checks"] = self._saved.pop()


def as_sparse_gradcheck(gradcheck):
    raise NotImplementedError("torch.sparse.as_sparse_gradcheck")


def to_sparse_semi_structured(original_tensor):
    raise NotImplementedError("torch.sparse.to_sparse_semi_structured")


class SparseSemiStructuredTensor:
    def __init__(self, *args, **kwargs):
        raise NotImplementedError("torch.sparse.SparseSemiStructuredTensor")


_KINDS = {
    "Float": "float32", "Double": "float64", "Half": "float16", "BFloat16": "bfloat16", "Long": "int64", "Int": "int32", "Short": "int16",
    "Char": "int8", "Byte": "uint8",
}


class _SparseType(type):
    """The type of `torch.sparse.FloatTensor` and the like, which make sparse tensors of one dtype."""

    def __instancecheck__(cls, instance):
        return (isinstance(instance, torch.Tensor) and instance.layout == torch.sparse_coo and instance.dtype == cls.dtype
                and instance.device.type == "cpu")


def _older(cls, *args, device=None):
    form = "(indices, values, shape)" if len(args) == 3 else "(indices, values)" if len(args) == 2 else "(shape)" if args else "((0,))"
    if len(args) > 1 and all(type(n) is int for n in args):
        form, args = "(shape)", (args,)
    elif len(args) > 1 and not all(isinstance(t, torch.Tensor) for t in args[:2]):
        got = ", ".join(type(a).__name__ for a in args)
        raise TypeError(f"new() received an invalid combination of arguments - got ({got})")
    tensors = len(args) > 1
    if tensors and args[0].dtype != torch.int64:
        raise RuntimeError("indices must be an int64 tensor")
    warn_once("torch.sparse.SparseTensor" + ("()" if not args else form[:-1] + ", *, device=)") + " is deprecated.  Please use "
              "torch.sparse_coo_tensor" + ("((0,), dtype=)." if not args else form[:-1] + ", dtype=, device=)."))
    # The values keep their dtype, as in PyTorch.
    dtype = args[1].dtype if tensors else cls.dtype
    return torch.sparse_coo_tensor(*(args or ((0,),)), dtype=dtype, device=device, check_invariants=False)


def __getattr__(name):
    kind = name.removesuffix("Tensor")
    if kind == name or kind not in _KINDS:
        raise AttributeError(f"module 'torch.sparse' has no attribute '{name}'")
    dtype = getattr(torch, _KINDS[kind])
    globals()[name] = _SparseType(name, (), {"__module__": "torch.sparse", "__new__": _older, "dtype": dtype})
    return globals()[name]

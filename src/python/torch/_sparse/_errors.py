"""PyTorch's errors for what sparse tensors can't do."""

import _torch
import torch

from ._parts import NAMES, layout

_ENDING = (" This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build "
           "process (if using custom build). If you are a Facebook employee using PyTorch on mobile, please visit "
           "https://fburl.com/ptmfixes for possible resolutions.")
_COMPARED = {"eq", "ne", "lt", "le", "gt", "ge", "bitwise_and", "bitwise_or", "bitwise_xor"}
# What PyTorch calls the operator that a function or method comes to.
_CALLED = {
    "mean": "mean.dim", "std": "std.correction", "var": "var.correction", "sort": "sort.stable", "argsort": "sort.stable",
    "count_nonzero": "count_nonzero.dim_IntList", "where": "where.self", "remainder": "remainder.Tensor", "fill_": "fill_.Scalar",
    "fmod": "fmod.Scalar", "dropout": "bernoulli_.float", "diag": "diagonal_copy", "allclose": "eq.Tensor",
    "isclose": "eq.Tensor", "pow_": "pow_.Scalar", "masked_fill_": "masked_fill_.Scalar", "ones_like": "fill_.Scalar",
    "full_like": "fill_.Scalar", "rand_like": "uniform_", "randn_like": "normal_", "softmax": "_softmax",
    "log_softmax": "_log_softmax", "index_put_": "_index_put_impl_", "median": "median", "minimum": "minimum", "cos_": "cos_",
    "sigmoid": "sigmoid", "__setitem__": "as_strided", "dropout_": "bernoulli_.float", "argwhere": "nonzero",
    **dict.fromkeys(("diagonal", "narrow", "split", "chunk", "squeeze", "as_strided", "tensor_split", "split_with_sizes", "unfold",
                     "swapdims"), "as_strided"),
}
_RESHAPED = {"reshape", "flatten", "unflatten", "ravel", "einsum", "outer", "tensordot"}
_EXPANDED = {"expand", "repeat", "expand_as", "broadcast_to", "tile"}


def backend(t):
    place = {"cpu": "CPU", "cuda": "CUDA", "mps": "MPS", "meta": "Meta"}.get(t.device.type, t.device.type)
    name = layout(t)
    return ("" if name is None else "Sparse" if name == "sparse_coo" else "SparseCsr") + place


def missing(operator, t):
    """The error for an operator without a kernel for tensors like `t`."""
    return NotImplementedError(f"Could not run 'aten::{operator}' with arguments from the '{backend(t)}' backend." + _ENDING)


def apart(operator, name, t, others):
    """The error for an argument on another device. `operator` ends with the overload, if there is one: `add.Tensor`."""
    operator, _, overload = operator.partition(".")
    kinds = [layout(each) for each in (t, others)]
    place = "Sparse" if "sparse_coo" in kinds else "SparseCsr" if any(kinds) else ""
    return RuntimeError(f"Expected all tensors to be on the same device, but got {name} is on {t.device}, different from other tensors on "
                        f"{others.device} (when checking argument in method wrapper_{place}CUDA_{overload}_{operator})")


def unsupported_layout(t):
    return RuntimeError(f"unsupported tensor layout: {NAMES[layout(t)]}")


def _called(name, args, kwargs):
    if name in _COMPARED or name.rstrip("_") in _COMPARED:
        other = args[1] if len(args) > 1 else kwargs.get("other")
        return f"{name}.{'Tensor' if isinstance(other, torch.Tensor) else 'Scalar'}"
    by_dim = len(args) > 1 or "dim" in kwargs
    if name in ("max", "min") and by_dim:
        return f"{name}imum" if isinstance(args[1] if len(args) > 1 else None, torch.Tensor) else f"{name}.dim"
    if name in ("any", "all") and by_dim:
        return f"{name}.dim"
    if name == "prod" and by_dim:
        return "prod.dim_int"
    if name == "median" and by_dim:
        return "median.dim"
    return _CALLED.get(name, name)


def refusal(name, args, kwargs, t):
    """The error for a call that no sparse tensor takes part in."""
    if layout(t) == "sparse_coo":
        if name in _RESHAPED:
            return RuntimeError("reshape is not implemented for sparse tensors")
        if name in _EXPANDED:
            return RuntimeError("expand is unsupported for Sparse tensors")
        if name == "masked_fill":
            return RuntimeError("unsupported memory format option Contiguous")
        if name == "kron":
            return NotImplementedError("Cannot access storage of SparseTensorImpl")
        if name == "bernoulli":
            return RuntimeError("memory format option is only supported by strided tensors")
    elif _torch._is_elementwise(name):
        return unsupported_layout(t)
    return missing(_called(name, args, kwargs), t)

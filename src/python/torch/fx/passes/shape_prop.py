"""Runs a graph and notes at each node what its value was: shape, dtype, strides."""

from collections import namedtuple

import torch
from torch.fx.interpreter import Interpreter
from torch.fx.node import map_aggregate

__all__ = ["ShapeProp", "TensorMetadata"]

TensorMetadata = namedtuple(
    "TensorMetadata", ["shape", "dtype", "requires_grad", "stride", "memory_format", "is_quantized", "qparams"])

_FORMATS = (torch.contiguous_format, torch.channels_last, torch.channels_last_3d)


def _extract_tensor_metadata(result, include_contiguity=True):
    fitting = None
    if include_contiguity:
        dims = {torch.contiguous_format: None, torch.channels_last: 4, torch.channels_last_3d: 5}
        fitting = next((f for f in _FORMATS if dims[f] in (None, result.dim()) and result.is_contiguous(memory_format=f)), None)
    return TensorMetadata(result.shape, result.dtype, result.requires_grad, result.stride(), fitting, False, {})


class ShapeProp(Interpreter):
    """`propagate(*inputs)` leaves `tensor_meta` and `type` in each node's `meta`."""

    def __init__(self, gm, fake_mode=None):
        super().__init__(gm)
        if fake_mode is not None:
            raise NotImplementedError("torch.fx.passes.shape_prop.ShapeProp(fake_mode=)")

    def run_node(self, n):
        try:
            result = super().run_node(n)
        except Exception as error:
            raise RuntimeError(f"ShapeProp error for: node={n.format_node()} with meta={n.meta}") from error
        found = False

        def noted(value):
            nonlocal found
            if isinstance(value, torch.Tensor):
                found = True
                return _extract_tensor_metadata(value)
            return value

        meta = map_aggregate(result, noted)
        if found:
            n.meta["tensor_meta"] = meta
        n.meta["type"] = type(result)
        return result

    def propagate(self, *args):
        return super().run(*args)

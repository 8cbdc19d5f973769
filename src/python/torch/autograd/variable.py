"""`Variable`, the name for a tensor with gradients before PyTorch 0.4."""

import warnings

from _torch import Tensor


class _Kind(type):
    def __instancecheck__(cls, other):
        return isinstance(other, Tensor)


class Variable(metaclass=_Kind):
    """Makes a leaf of a tensor; every tensor is an instance."""

    def __new__(cls, data=None, requires_grad=False, volatile=None):
        import torch

        if volatile:
            warnings.warn("volatile was removed and now has no effect. Use `with torch.no_grad():` instead.", stacklevel=2)
        if data is None:
            data = torch.empty(0)
        if not isinstance(data, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        leaf = data.detach()
        if requires_grad and not (leaf.is_floating_point() or leaf.is_complex()):
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        return leaf.requires_grad_(requires_grad)

"""The functions that make masked tensors."""

from .core import MaskedTensor, _constructed

__all__ = ["as_masked_tensor", "masked_tensor"]


def masked_tensor(data, mask, requires_grad=False):
    """A masked tensor with copies of `data` and `mask`, outside the graph."""
    return MaskedTensor(data, mask, requires_grad)


def as_masked_tensor(data, mask):
    """As `masked_tensor`, in the graph of `data`."""
    return _constructed(data, mask)

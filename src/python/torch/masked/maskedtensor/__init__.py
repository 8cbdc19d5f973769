"""Tensors with masks, as torch.masked.maskedtensor."""

from .core import is_masked_tensor, MaskedTensor
from .creation import as_masked_tensor, masked_tensor

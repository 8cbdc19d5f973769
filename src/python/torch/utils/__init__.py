"""Tools beside the tensor library, as torch.utils."""

from . import data

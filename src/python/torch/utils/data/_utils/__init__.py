"""What `torch.utils.data` is made of that programs also use by name."""

from . import collate

__all__ = ["collate"]

"""AdamW, under the name of its file in PyTorch."""

from .adam import AdamW

__all__ = ["AdamW"]

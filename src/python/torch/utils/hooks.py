"""Handles of hooks."""

from torch._tensor import HooksHandle as RemovableHandle

__all__ = ["RemovableHandle", "unserializable_hook"]


def unserializable_hook(f):
    """Marks a hook of which nobody expects that it's saved with its tensor."""
    f.__torch_unserializable__ = True
    return f

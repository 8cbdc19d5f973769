"""The handle that a registered hook comes with, under the name of its file in PyTorch."""

from torch.nn.modules.module import RemovableHandle

__all__ = ["RemovableHandle"]

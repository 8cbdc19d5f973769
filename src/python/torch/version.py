"""The version of PyTorch that this package follows."""

import _torch

__version__ = _torch.VERSION
cuda = "13.2" if _torch._machine()[2] else None
hip = None
git_version = "d0f2af8b66b2"
debug = False

"""Tensors that know where they live."""

from _torch import VERSION as __version__

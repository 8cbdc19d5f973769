"""Functions of `torch`, under the name of their file in PyTorch."""

import torch
from _torch import Tensor

_NAMES = frozenset((
    "atleast_1d atleast_2d atleast_3d block_diag broadcast_shapes broadcast_tensors cartesian_prod cdist chain_matmul einsum istft "
    "lu meshgrid norm split stft tensordot unique unique_consecutive unravel_index"
).split())
__all__ = [*_NAMES, "Tensor"]


def __getattr__(name):
    if name in _NAMES:
        return getattr(torch, name)
    raise AttributeError(f"module 'torch.functional' has no attribute '{name}'")

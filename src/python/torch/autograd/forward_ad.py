"""Forward mode, as in torch.autograd.forward_ad: a tensor carries the direction in which a function is differentiated.

The graph of the backward pass gives the same products, by two passes through it. A dual tensor therefore requires gradients
here, and what is computed from it inside `torch.no_grad()` has no tangent.
"""

from collections import namedtuple

import torch
from _torch import Tensor
from torch import _transforms
from torch.func import _check_tangent, _Forward

__all__ = ["UnpackedDualTensor", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual", "dual_level"]

UnpackedDualTensor = namedtuple("UnpackedDualTensor", ["primal", "tangent"])
UnpackedDualTensor.__doc__ = "A dual tensor's value and its tangent; None where it has none."

# The dual tensors of the level that is open, each with its tangent and whether something else differentiates it; None if
# there is no level.
_duals = None


def enter_dual_level():
    """Opens the one level that there can be."""
    global _duals
    if _duals is not None:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    _transforms.install()
    _duals = []
    return 0


def exit_dual_level(*, level=None):
    """Closes it: tensors lose their tangents."""
    global _duals
    if _duals is None:
        raise RuntimeError("Dual level must be a positive number.")
    if level not in (None, 0):
        raise RuntimeError("Trying to exit a forward AD level that was not the last one that was created. This is not supported.")
    for dual, _, connected in _duals:
        if not connected:
            dual.requires_grad = False
    _duals = None


class dual_level:
    """A block with a level."""

    def __enter__(self):
        return enter_dual_level()

    def __exit__(self, *error):
        exit_dual_level()


def make_dual(tensor, tangent, *, level=None):
    """The tensor with a tangent of its shape."""
    if _duals is None:
        raise RuntimeError("Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() "
                           "first.")
    _check_tangent(tensor, tangent)
    if _duals and tensor.requires_grad and unpack_dual(tensor).tangent is not None:
        raise RuntimeError("Making a dual Tensor based on a Tensor that already has a forward gradient at the same level 0 is not supported.")
    if not torch.is_grad_enabled():
        raise NotImplementedError("torch.autograd.forward_ad inside torch.no_grad()")
    connected = tensor.requires_grad
    dual = tensor.view_as(tensor) if connected else tensor.detach()
    # Not `requires_grad_`, which transforms refuse.
    dual.requires_grad = True
    _duals.append((dual, tangent, connected))
    return dual


def unpack_dual(tensor, *, level=None):
    """The tensor without its tangent, and the tangent."""
    if not isinstance(tensor, Tensor):
        raise TypeError(f"_unpack_dual(): argument 'dual' (position 1) must be Tensor, not {type(tensor).__name__}")
    if not _duals or not tensor.requires_grad:
        return UnpackedDualTensor(tensor, None)
    for dual, tangent, connected in _duals:
        if dual is tensor:
            return UnpackedDualTensor(tensor if connected else tensor.detach(), tangent)
    connected = any(known for _, _, known in _duals)
    forward = _Forward([tensor], [dual for dual, _, _ in _duals], connected)
    if all(back is None for back in forward.back):
        return UnpackedDualTensor(tensor, None)
    (found,) = forward.times([tangent for _, tangent, _ in _duals])
    if connected:
        return UnpackedDualTensor(tensor, found)
    return UnpackedDualTensor(tensor.detach(), found.detach())

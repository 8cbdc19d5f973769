"""What composed functions check, and which of them are only functions or only methods."""

import _torch
from _torch import Tensor

_ONLY_FUNCTIONS, _ONLY_METHODS = set(), set()


def _only_function(function):
    _ONLY_FUNCTIONS.add(function)
    return function


def _only_method(function):
    _ONLY_METHODS.add(function)
    return function


def _wrapped(dim, input):
    """The dimension counted from the front, or PyTorch's error for one that the tensor doesn't have."""
    n = max(input.dim(), 1)
    if not -n <= dim < n:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {dim})")
    return dim % n


def _check_scalar(name, dim):
    """PyTorch's error of functions that reduce one dimension, for a tensor without any."""
    if dim not in (-1, 0):
        raise IndexError(f"{name}(): Expected reduction dim -1 or 0 for scalar but got {dim}")


def _scalar_name(t):
    """The name of a tensor's dtype in PyTorch's messages: `Float`."""
    return t.type().split(".")[-1].removesuffix("Tensor")


def _refuse_complex(text, *inputs):
    """PyTorch's error for functions that it only has for real numbers. `{}` is replaced by the dtype's name."""
    for t in inputs:
        if isinstance(t, Tensor) and t.is_complex():
            raise NotImplementedError(text.format(_scalar_name(t)))


def _not_differentiable(operator, inputs, outs):
    """Makes `outs` results of an operator that has no derivative: the backward pass through them raises PyTorch's error."""
    tensors = [t for t in inputs if isinstance(t, Tensor)]
    if _torch.is_grad_enabled() and any(t.requires_grad for t in tensors):
        def refuse(grads):
            raise RuntimeError(f"derivative for aten::{operator} is not implemented")

        with _torch._grad_mode("no_grad"):
            outs = [t.detach() for t in outs]
        _torch._record("NotImplemented", tensors, outs, refuse)
    return outs


def _only_inexact(kernel, *inputs):
    """Refuses integers and bool with the message of the kernel that doesn't support them."""
    for t in inputs:
        if isinstance(t, Tensor) and not (t.is_floating_point() or t.is_complex()):
            raise NotImplementedError(f'"{kernel}" not implemented for \'{_scalar_name(t)}\'')

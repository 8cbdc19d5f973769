"""`torch.cond`: one of two functions, chosen by a tensor."""

import _torch
from _torch import Tensor
from torch._dynamo.exc import UncapturedHigherOrderOpError
from torch.utils import _pytree


def cond(pred, true_fn, false_fn, operands=()):
    """Calls `true_fn(*operands)` if `pred` is true, and `false_fn(*operands)` otherwise.

    The other function isn't called, so that nothing is computed and counted that PyTorch doesn't compute. PyTorch reads it, though,
    and refuses two functions that return different structures.
    """
    if not isinstance(pred, (bool, int, float, Tensor)):
        raise RuntimeError(f"Expected pred to be bool or tensor, but got {pred}.")
    if isinstance(pred, Tensor) and pred.numel() != 1:
        raise RuntimeError(f"Expected pred to be bool or single-element tensor, but got {pred}.")
    if not callable(true_fn) or not callable(false_fn):
        raise TypeError(f"'{type(false_fn if callable(true_fn) else true_fn).__name__}' object is not callable")
    chosen = bool(pred)
    found = (true_fn if chosen else false_fn)(*operands)
    if not isinstance(pred, Tensor):
        return found
    flat = [t for t in _pytree.tree_flatten(found)[0] if isinstance(t, Tensor)]
    given = [t for t in _pytree.tree_flatten(operands)[0] if isinstance(t, Tensor)]
    if any(t is g for t in flat for g in given):
        raise UncapturedHigherOrderOpError(
            "This higher order operator doesn't work unless it is captured completely with torch.compile. Got graph "
            "break/error:\n\nEncountered aliasing during higher order op tracing\n  Higher Order Operator: torch.cond\n"
            "  Explanation: Higher order ops do not support aliasing. Found in cond\n"
            "  Hint: Replace `return input` with `return input.clone()` to avoid aliasing."
        )
    return _pytree.tree_map(
        lambda t: _torch._under_node(t, "CondAutogradOpBackward") if isinstance(t, Tensor) and t.grad_fn is not None else t, found
    )

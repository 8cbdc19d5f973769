"""`torch.cond`: one of two functions, chosen by a tensor."""

import _torch
import torch
from _torch import Tensor
from torch._dynamo.exc import TorchRuntimeError, UncapturedHigherOrderOpError
from torch.utils import _pytree


def _differing(other_fn, operands, found):
    """PyTorch reads both branches before it runs one; here the other one runs too, on copies, to see what it gives."""
    with _torch._grad_mode("no_grad"):
        copies = _pytree.tree_map(lambda t: t.detach().clone() if isinstance(t, Tensor) else t, operands)
        state = torch.get_rng_state()
        try:
            other = other_fn(*copies)
        except Exception:
            # PyTorch doesn't compute this branch, so values that it can't take are no mistake.
            return None
        finally:
            torch.set_rng_state(state)
    mine, its = _pytree.tree_flatten(found)[1], _pytree.tree_flatten(other)[1]
    return (mine, its) if mine != its else None


def cond(pred, true_fn, false_fn, operands=()):
    """Calls `true_fn(*operands)` if `pred` is true, and `false_fn(*operands)` otherwise."""
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
    differ = _differing(false_fn if chosen else true_fn, operands, found)
    if differ is not None:
        mine, its = differ if chosen else differ[::-1]
        raise TorchRuntimeError(
            "RuntimeError when making fake tensor call\n  Explanation: Dynamo failed to run FX node with fake tensors: got "
            f"RuntimeError('Unmatched output spec from torch.cond branches: true branch tree_spec {mine} vs false branch "
            f"tree_spec {its}.')"
        )
    return _pytree.tree_map(
        lambda t: _torch._under_node(t, "CondAutogradOpBackward") if isinstance(t, Tensor) and t.grad_fn is not None else t, found
    )

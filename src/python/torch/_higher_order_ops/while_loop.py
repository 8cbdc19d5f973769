"""`torch.while_loop`: a loop whose condition is a tensor."""

from _torch import Tensor
from torch._dynamo.exc import UncapturedHigherOrderOpError
from torch.utils import _pytree


def while_loop(cond_fn, body_fn, carried_inputs):
    """Replaces `carried_inputs` by `body_fn(*carried_inputs)` while `cond_fn(*carried_inputs)` is true."""
    if not callable(cond_fn) or not callable(body_fn):
        raise RuntimeError("Expect cond_fn and body_fn to be callable.")
    if isinstance(carried_inputs, Tensor) and carried_inputs.dim() == 0:
        raise AssertionError("Can't unpack scalar tensors.")
    carried = tuple(carried_inputs)
    before = _pytree.tree_flatten(carried)[0]
    found = tuple(t.clone() if isinstance(t, Tensor) else t for t in carried)
    while bool(cond_fn(*carried)):
        found = body_fn(*carried)
        carried = tuple(found) if isinstance(found, (tuple, list)) else (found,)
        for place, (new, old) in enumerate(zip(_pytree.tree_flatten(carried)[0], before)):
            if not (isinstance(new, Tensor) and isinstance(old, Tensor)):
                continue
            differ = [
                f"'{name}: {a} vs {b}'" for name, a, b in (
                    ("shape", new.shape, old.shape), ("dtype", new.dtype, old.dtype), ("stride", new.stride(), old.stride()),
                ) if a != b
            ]
            if differ:
                lhs, rhs = (f"FakeTensor(..., size={tuple(t.shape)})" for t in (new, old))
                raise UncapturedHigherOrderOpError(
                    "Expected body_fn_output and carried_inputs to have same metadata but found:\n"
                    f"pair[{place}] differ in {', '.join(differ)}, where lhs is {lhs} and rhs is {rhs}\n"
                    "  Higher Order Operator: torch.while_loop"
                )
    return found

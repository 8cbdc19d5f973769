"""`scan`: a function that carries a value along a dimension."""

import torch
from torch.utils import _pytree


def scan(combine_fn, init, xs, *, dim=0, reverse=False):
    """Calls `combine_fn(carry, x)` for each slice of `xs`. Returns the last carry and the stacked outputs."""
    if not callable(combine_fn):
        raise RuntimeError("Combine_fn must be a callable, but got {combine_fn}")
    if not isinstance(dim, int):
        raise RuntimeError("Dim must be an int, but got " + str(type(dim)))
    if not isinstance(reverse, bool):
        raise RuntimeError("Reverse must be a bool, but got " + str(type(reverse)))
    leaves, spec = _pytree.tree_flatten(xs)
    if not leaves:
        return init, []
    if any(not isinstance(x, torch.Tensor) for x in leaves):
        raise RuntimeError("All xs leaves must be a Tensor but got " + str([type(x) for x in leaves]))
    slices = [x.movedim(dim, 0) for x in leaves]
    steps = range(slices[0].size(0))
    carry, made = init, []
    for at in reversed(steps) if reverse else steps:
        carry, out = combine_fn(carry, _pytree.tree_unflatten([x[at] for x in slices], spec))
        flat, form = _pytree.tree_flatten(out)
        made.append(flat)
    if reverse:
        made.reverse()
    return carry, _pytree.tree_unflatten([torch.stack(column) for column in zip(*made)], form)

"""`associative_scan`: prefixes combined by a function that is associative."""

import torch
from torch.utils import _pytree


def associative_scan(combine_fn, xs, dim, reverse=False, combine_mode="pointwise"):
    """Combines all slices up to each place along `dim`, from the first or, with `reverse`, from the last one."""
    if not callable(combine_fn):
        raise ValueError("Combine_fn must be a callable, but got {combine_fn}")
    if not isinstance(dim, int):
        raise ValueError("Dim must be an int, but got " + str(type(dim)))
    if combine_mode not in ("pointwise", "generic"):
        raise ValueError(f"Combine_mode must either 'pointwise' or 'generic', but got {combine_mode}")
    leaves, spec = _pytree.tree_flatten(xs)
    if combine_mode == "pointwise" and not all(x.device.type in ("cuda", "xpu") for x in leaves):
        raise ValueError("For combine_mode='pointwise', all input tensors need to be on CUDA or XPU")
    if not leaves:
        raise ValueError("Expected at least 1 xs leaf")
    slices = [x.movedim(dim, 0) for x in leaves]
    made = []
    for at in range(slices[0].size(0))[:: -1 if reverse else 1]:
        now = _pytree.tree_unflatten([x[at] for x in slices], spec)
        if made:
            now = combine_fn(_pytree.tree_unflatten(made[-1], spec), now)
        made.append(_pytree.tree_flatten(now)[0])
    if reverse:
        made.reverse()
    return _pytree.tree_unflatten([torch.stack(column).movedim(0, dim) for column in zip(*made)], spec)

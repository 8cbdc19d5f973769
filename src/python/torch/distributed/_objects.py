"""Collectives of any objects that can be pickled: their bytes are sent as tensors."""

import pickle

import _torch

from . import _collectives as collectives
from ._groups import find, member


def _as_tensor(obj):
    return _torch._storage_from(pickle.dumps(obj), _torch.uint8)


def _as_object(tensor, size):
    return pickle.loads(_torch._storage_bytes(tensor)[:size])


def _place(group):
    """NCCL only sends tensors on GPUs."""
    return "cuda" if group._wired or group._backend == "nccl" else "cpu"


def _padded(tensor, size, device):
    """The first `size` elements of a tensor."""
    out = _torch.zeros(size, dtype=_torch.uint8)
    out[: tensor.numel()] = tensor
    return out.to(device)


def _sizes(group, size):
    """The sizes on all ranks."""
    device = _place(group)
    all_sizes = _torch.zeros(group.size(), dtype=_torch.int64, device=device)
    collectives.all_gather_into_tensor(all_sizes, _torch.tensor([size], device=device), group)
    return all_sizes.tolist()


def all_gather_object(object_list, obj, group=None):
    found = member("all_gather_object", group)
    if found is None:
        return
    data = _as_tensor(obj)
    sizes = _sizes(found, data.numel())
    parts = [_torch.zeros(max(sizes), dtype=_torch.uint8, device=_place(found)) for _ in sizes]
    collectives.all_gather(parts, _padded(data, max(sizes), _place(found)), found)
    for at, (part, size) in enumerate(zip(parts, sizes)):
        object_list[at] = _as_object(part, size)


def gather_object(obj, object_gather_list=None, dst=None, group=None, group_dst=None):
    found = member("gather_object", group)
    if found is None:
        return
    root = collectives._root("gather_object", found, dst, group_dst)
    mine = found.rank() == root
    if mine and not object_gather_list:
        raise ValueError("Argument ``gather_list`` must be specified on destination rank.")
    data = _as_tensor(obj)
    sizes = _sizes(found, data.numel())
    device = _place(found)
    parts = [_torch.zeros(max(sizes), dtype=_torch.uint8, device=device) for _ in sizes] if mine else None
    collectives.gather(_padded(data, max(sizes), device), parts, group=found, group_dst=root)
    for at, size in enumerate(sizes if mine else ()):
        object_gather_list[at] = _as_object(parts[at], size)


def broadcast_object_list(object_list, src=None, group=None, device=None, group_src=None):
    found = member("broadcast_object_list", group)
    if found is None:
        return
    root = collectives._root("broadcast_object_list", found, src, group_src)
    place = device if device is not None else _place(found)
    data = _as_tensor(list(object_list)) if found.rank() == root else None
    size = _torch.tensor([data.numel() if data is not None else 0], device=place)
    collectives.broadcast(size, group=found, group_src=root)
    count = int(size.item())
    wire = data.to(place) if data is not None else _torch.zeros(count, dtype=_torch.uint8, device=place)
    collectives.broadcast(wire, group=found, group_src=root)
    if found.rank() != root:
        object_list[:] = _as_object(wire, count)


def scatter_object_list(scatter_object_output_list, scatter_object_input_list=None, src=None, group=None, group_src=None):
    found = member("scatter_object_list", group)
    if found is None:
        return
    if not isinstance(scatter_object_output_list, list) or len(scatter_object_output_list) < 1:
        raise ValueError("Expected argument scatter_object_output_list to be a list of size at least 1.")
    root = collectives._root("scatter_object_list", found, src, group_src)
    mine = found.rank() == root
    data = [_as_tensor(obj) for obj in scatter_object_input_list] if mine else []
    sizes = [[d.numel() for d in data]]
    broadcast_object_list(sizes, group=found, group_src=root)
    most = max(sizes[0])
    out = _torch.zeros(most, dtype=_torch.uint8, device=_place(found))
    parts = [_padded(d, most, _place(found)) for d in data] if mine else None
    collectives.scatter(out, parts, group=found, group_src=root)
    scatter_object_output_list[0] = _as_object(out, sizes[0][found.rank()])

"""Tensors in safetensors files."""

import os
from collections import defaultdict

import _torch

from safetensors import SafetensorError, _read, _tensor, _write

_SHARED = ("\n            Some tensors share memory, this will lead to duplicate memory on disk and potential differences when "
           "loading them again: {}.\n            A potential way to correctly save your model is to use `save_model`.\n"
           "            More information at https://huggingface.co/docs/safetensors/torch_shared_tensors\n            ")


def save(tensors, metadata=None):
    """The bytes of a file that contains these tensors."""
    return _write(_rows(tensors), metadata)


def save_file(tensors, filename, metadata=None):
    """Writes named tensors to a file. They must be contiguous and share no memory."""
    data = save(tensors, metadata)
    with open(filename, "wb") as file:
        file.write(data)


def load(data):
    """The named tensors in a file's bytes, in host memory."""
    _, rows = _read(data)
    return {name: _tensor(*row, "cpu") for name, *row in rows}


def load_file(filename, device="cpu"):
    """The named tensors in a file, on a device."""
    if not os.path.exists(filename):
        raise FileNotFoundError(f"No such file or directory: \"{os.fspath(filename)}\"")
    with open(filename, "rb") as file:
        _, rows = _read(file.read())
    return {name: _tensor(*row, device) for name, *row in sorted(rows)}


def _rows(tensors):
    if not isinstance(tensors, dict):
        raise ValueError(f"Expected a dict of [str, torch.Tensor] but received {type(tensors)}")
    for name, tensor in tensors.items():
        if not isinstance(tensor, _torch.Tensor):
            raise ValueError(f"Key `{name}` is invalid, expected torch.Tensor but received {type(tensor)}")
    failing = [names for names in _find_shared_tensors(tensors) if len(names) > 1]
    if failing:
        raise RuntimeError(_SHARED.format(failing))
    rows = []
    for name, tensor in tensors.items():
        if not tensor.is_contiguous():
            raise ValueError(
                f"You are trying to save a non contiguous tensor: `{name}` which is not allowed. It either means you are "
                "trying to save tensors which are reference of each other in which case it's recommended to save only the "
                "full tensors, and reslice at load time, or simply call `.contiguous()` on your tensor to pack it before "
                "saving.")
        start = tensor.storage_offset() * tensor.itemsize
        data = _torch._storage_bytes(tensor)
        rows.append((name, tensor.dtype, list(tensor.shape), data[start : start + tensor.nbytes]))
    return rows


def _find_shared_tensors(tensors):
    """Groups of names whose tensors overlap in one storage."""
    by_storage = defaultdict(list)
    for name, tensor in tensors.items():
        if tensor.numel() and tensor.device.type != "meta":
            by_storage[_torch._storage_id(tensor)].append((tensor.data_ptr(), tensor.data_ptr() + _reach(tensor), name))
    groups = []
    for members in by_storage.values():
        members.sort()
        end = None
        for start, stop, name in members:
            if end is None or start >= end:
                groups.append({name})
                end = stop
            else:
                groups[-1].add(name)
                end = max(end, stop)
    return groups


def _reach(tensor):
    """Bytes from a tensor's first element to the end of its last."""
    far = sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride()))
    return (far + 1) * tensor.itemsize


def _kept(state):
    """Which of several tensors that share memory is kept, for each name that isn't."""
    replaced = {}
    for names in _find_shared_tensors(state):
        if len(names) == 1:
            continue
        whole = sorted(name for name in names if state[name].nbytes == state[name].untyped_storage().nbytes())
        if not whole:
            raise RuntimeError("Error while trying to find names to remove to save state dict, but found no suitable name "
                               f"to keep for saving amongst: {names}. None is covering the entire storage. Refusing to "
                               "save/load the model since you could be storing much more memory than needed. Please refer "
                               "to https://huggingface.co/docs/safetensors/torch_shared_tensors for more information. Or "
                               "open an issue.")
        for name in sorted(names - {whole[0]}):
            replaced[name] = whole[0]
    return replaced


def save_model(model, filename, metadata=None, force_contiguous=True):
    """Writes a model's state. Of tensors that share memory, only one is written, and the metadata names the others."""
    state = model.state_dict()
    metadata = dict(metadata or {})
    for name, kept in _kept(state).items():
        metadata.setdefault(name, kept)
        del state[name]
    if force_contiguous:
        state = {name: tensor.contiguous() for name, tensor in state.items()}
    save_file(state, filename, metadata=metadata or None)


def load_model(model, filename, strict=True, device="cpu"):
    """Reads a model's state. Returns the names that were missing and those that weren't expected."""
    state = load_file(filename, device=device)
    found = model.state_dict()
    replaced = _kept(found)
    missing, unexpected = model.load_state_dict(state, strict=False)
    missing = [name for name in missing if replaced.get(name) not in state]
    if strict and (missing or unexpected):
        text = f"Error(s) in loading state_dict for {type(model).__name__}:"
        if missing:
            text += "\n    Missing key(s) in state_dict: " + ", ".join(f'"{name}"' for name in sorted(missing))
        if unexpected:
            text += "\n    Unexpected key(s) in state_dict: " + ", ".join(f'"{name}"' for name in sorted(unexpected))
        raise RuntimeError(text)
    return set(missing), unexpected

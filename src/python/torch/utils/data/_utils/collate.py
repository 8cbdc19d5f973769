"""Samples made into batches, as in torch.utils.data._utils.collate."""

import copy
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence

import _torch
from _torch import Tensor


def _is_numpy(value):
    return type(value).__module__ == "numpy" and not isinstance(value, (str, bytes))


def _holds_no_numbers(array):
    return array.dtype.kind in "SUO"


class _ByLook(type):
    """NumPy's types by their names: a program without NumPy doesn't load it."""

    def __instancecheck__(cls, value):
        return _is_numpy(value) and (type(value).__name__ == "ndarray") == cls.arrays


class _NumpyArray(metaclass=_ByLook):
    arrays = True


class _NumpyScalar(metaclass=_ByLook):
    arrays = False


def _like(container, items, mutable):
    """A container of the same type with other items; None for a type that can't be made this way."""
    try:
        if not isinstance(container, mutable):
            return type(container)(items)
        clone = copy.copy(container)
        if isinstance(items, dict):
            clone.update(items)
        else:
            for i, item in enumerate(items):
                clone[i] = item
        return clone
    except TypeError:
        return None


def default_convert(data):
    """Converts arrays and NumPy's numbers to tensors, including those inside containers. Everything else is returned unchanged."""
    if isinstance(data, Tensor):
        return data
    if _is_numpy(data):
        if type(data).__name__ == "ndarray" and _holds_no_numbers(data):
            return data
        return _torch.as_tensor(data)
    if isinstance(data, Mapping):
        items = {key: default_convert(data[key]) for key in data}
        made = _like(data, items, MutableMapping)
        return items if made is None else made
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(default_convert(member) for member in data))
    if isinstance(data, tuple):
        return [default_convert(member) for member in data]
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        items = [default_convert(member) for member in data]
        made = _like(data, items, MutableSequence)
        return items if made is None else made
    return data


def collate(batch, *, collate_fn_map=None):
    """Makes one batch of samples. `collate_fn_map` says which function collates elements of a type."""
    first = batch[0]
    if collate_fn_map is not None:
        if type(first) in collate_fn_map:
            return collate_fn_map[type(first)](batch, collate_fn_map=collate_fn_map)
        for kind, function in collate_fn_map.items():
            if isinstance(first, kind):
                return function(batch, collate_fn_map=collate_fn_map)
    if isinstance(first, Mapping):
        items = {key: collate([sample[key] for sample in batch], collate_fn_map=collate_fn_map) for key in first}
        made = _like(first, items, MutableMapping)
        return items if made is None else made
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(collate(members, collate_fn_map=collate_fn_map) for members in zip(*batch)))
    if isinstance(first, Sequence):
        size = len(first)
        if not all(len(sample) == size for sample in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        items = [collate(members, collate_fn_map=collate_fn_map) for members in zip(*batch)]
        made = None if isinstance(first, tuple) else _like(first, items, MutableSequence)
        return items if made is None else made
    raise TypeError(default_collate_err_msg_format.format(type(first)))


default_collate_err_msg_format = (
    "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"
)


def collate_tensor_fn(batch, *, collate_fn_map=None):
    if batch[0].is_nested or _torch._parts_layout(batch[0]) is not None:
        kind = "nested" if batch[0].is_nested else "sparse"
        raise RuntimeError(f"Batches of {kind} tensors are not currently supported by the default collate_fn; please provide a custom "
                           "collate_fn to handle them appropriately.")
    return _torch.stack(list(batch), 0)


def collate_numpy_array_fn(batch, *, collate_fn_map=None):
    if _holds_no_numbers(batch[0]):
        raise TypeError(default_collate_err_msg_format.format(batch[0].dtype))
    return collate([_torch.as_tensor(array) for array in batch], collate_fn_map=collate_fn_map)


def collate_numpy_scalar_fn(batch, *, collate_fn_map=None):
    return _torch.as_tensor(batch)


def collate_float_fn(batch, *, collate_fn_map=None):
    return _torch.tensor(batch, dtype=_torch.float64)


def collate_int_fn(batch, *, collate_fn_map=None):
    return _torch.tensor(batch)


def collate_str_fn(batch, *, collate_fn_map=None):
    return batch


default_collate_fn_map = {
    Tensor: collate_tensor_fn, _NumpyArray: collate_numpy_array_fn, _NumpyScalar: collate_numpy_scalar_fn,
    float: collate_float_fn, int: collate_int_fn, str: collate_str_fn, bytes: collate_str_fn,
}


def default_collate(batch):
    """Makes one batch of samples: tensors are stacked, numbers become tensors, and containers are collated element by
    element."""
    return collate(batch, collate_fn_map=default_collate_fn_map)

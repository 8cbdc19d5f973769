"""Distributes inputs to several devices and collects outputs, through tuples, lists and dictionaries."""

from _torch import Tensor

from torch.cuda import _utils
from ._functions import Gather, Scatter


def _is_namedtuple(obj):
    return isinstance(obj, tuple) and hasattr(obj, "_asdict") and hasattr(obj, "_fields")


def scatter(inputs, target_gpus, dim=0):
    """Splits tensors along `dim`, one piece for each device, and repeats everything else."""

    def each(obj):
        if isinstance(obj, Tensor):
            return Scatter.apply(target_gpus, None, dim, obj)
        if _is_namedtuple(obj):
            return [type(obj)(*parts) for parts in zip(*map(each, obj))]
        if isinstance(obj, tuple) and obj:
            return list(zip(*map(each, obj)))
        if isinstance(obj, list) and obj:
            return [list(parts) for parts in zip(*map(each, obj))]
        if isinstance(obj, dict) and obj:
            return [type(obj)(parts) for parts in zip(*map(each, obj.items()))]
        return [obj for _ in target_gpus]

    return each(inputs)


def scatter_kwargs(inputs, kwargs, target_gpus, dim=0):
    """`scatter` for a call: returns as many tuples of arguments as dictionaries of keyword arguments."""
    inputs = scatter(inputs, target_gpus, dim) if inputs else []
    kwargs = scatter(kwargs, target_gpus, dim) if kwargs else []
    inputs.extend(() for _ in range(len(kwargs) - len(inputs)))
    kwargs.extend({} for _ in range(len(inputs) - len(kwargs)))
    return tuple(inputs), tuple(kwargs)


def gather(outputs, target_device, dim=0):
    """Joins the devices' outputs on one of them (`-1` or `"cpu"`: in host memory)."""
    target = "cpu" if target_device in (-1, "cpu") else _utils._get_device_index(target_device, True)

    def each(outputs):
        first = outputs[0]
        if isinstance(first, Tensor):
            return Gather.apply(target, dim, *outputs)
        if first is None:
            return None
        if isinstance(first, dict):
            if not all(len(first) == len(other) for other in outputs):
                raise ValueError("All dicts must have the same number of keys")
            return type(first)((key, each([other[key] for other in outputs])) for key in first)
        if _is_namedtuple(first):
            return type(first)._make(map(each, zip(*outputs)))
        return type(first)(map(each, zip(*outputs)))

    return each(outputs)

"""Functions that checkpoints name, and that rebuild tensors."""

import _torch
from _torch import Tensor


def _rebuild_tensor(storage, storage_offset, size, stride):
    return _torch._storage_view(storage._flat, storage_offset, size, stride)


def _rebuild_tensor_v2(storage, storage_offset, size, stride, requires_grad, backward_hooks, metadata=None):
    tensor = _rebuild_tensor(storage, storage_offset, size, stride)
    if metadata:
        if metadata != {"conj" if tensor.is_complex() else "neg": True}:
            raise NotImplementedError(f"torch.load: a tensor with {', '.join(map(str, metadata))}")
        tensor = _torch._flipped(tensor)
    tensor.requires_grad = requires_grad
    if backward_hooks:
        raise NotImplementedError("torch.load: a tensor with backward hooks")
    return tensor


def _rebuild_parameter(data, requires_grad, backward_hooks):
    from torch.nn import Parameter

    if backward_hooks:
        raise NotImplementedError("torch.load: a parameter with backward hooks")
    return Parameter(data, requires_grad)


def _rebuild_parameter_with_state(data, requires_grad, backward_hooks, state):
    return _set_obj_state(_rebuild_parameter(data, requires_grad, backward_hooks), state)


def _rebuild_meta_tensor_no_storage(dtype, size, stride, requires_grad):
    tensor = _torch.empty_strided(size, stride, dtype=dtype, device="meta")
    return tensor.requires_grad_(requires_grad)


def _rebuild_nested_tensor(buffer, sizes, strides, storage_offsets):
    from torch import _nested

    return _nested.of_file(buffer, sizes, strides, storage_offsets)


def _layout(name):
    """A layout by its name."""
    import torch

    return torch.strided if name == "nested" else getattr(torch, name)


def _rebuild_sparse_tensor(layout, data):
    from torch import _sparse

    return _sparse._rebuilt(layout, data)


def _rebuild_from_type_v2(func, new_type, args, state):
    """A tensor of a subclass, or with attributes."""
    result = func(*args)
    if type(result) is not new_type:
        result = result.as_subclass(new_type)
    if getattr(type(result), "__setstate__", None) is not getattr(Tensor, "__setstate__", None):
        result.__setstate__(state)
        return result
    return _set_obj_state(result, state)


def _get_obj_state(obj):
    return getattr(obj, "__dict__", None) or None


def _set_obj_state(obj, state):
    if isinstance(state, tuple):
        if len(state) != 2:
            raise RuntimeError(f"Invalid serialized state: {state}")
        attributes, slots = state
    else:
        attributes, slots = state, None
    for each in (attributes, slots):
        for name, value in (each or {}).items():
            setattr(obj, name, value)
    return obj


_rebuild_from_type_v2.__module__ = "torch._tensor"


def _refusing(module, name, why):
    """A function that can be imported, and says when it's called that it isn't here."""

    def refused(*args, **kwargs):
        raise NotImplementedError(f"{module}.{name}: {why}")

    refused.__name__ = name
    return refused


def _keep_own(cls):
    """Makes `torch.tensor` and `torch.as_tensor`, which don't ask an object's class, keep this one: the elements alone don't say what
    they mean."""
    import functools
    import warnings

    import torch

    def keeping(name, copies):
        native = getattr(torch, name)

        @functools.wraps(native)
        def constructor(*args, **kwargs):
            if not args or not isinstance(args[0], cls):
                return native(*args, **kwargs)
            requires_grad = kwargs.pop("requires_grad", False)
            data = args[0]
            if copies:
                warnings.warn("To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
                              "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).", stacklevel=2)
                data = data.detach().clone()
            data = data.to(*args[1:], **kwargs) if args[1:] or kwargs else data
            return data.requires_grad_() if requires_grad else data

        return constructor

    for name in ("tensor", "as_tensor"):
        setattr(torch, name, keeping(name, name == "tensor"))

    def as_subclass(self, cls):
        raise NotImplementedError(f"{type(self).__name__}.as_subclass")

    cls.as_subclass = as_subclass


class KeyErrorMessage(str):
    """A message that a KeyError shows as it is, not as the string in quotes that it makes of its key."""

    __slots__ = ()

    def __repr__(self):
        return str(self)


class ExceptionWrapper:
    """An error that was raised elsewhere, as text: in another thread, or in another process."""

    def __init__(self, exc_info=None, where="in background"):
        import sys
        import traceback

        kind, error, tb = sys.exc_info() if exc_info is None else exc_info
        self.exc_type, self.where = kind, where
        self.exc_msg = "".join(traceback.format_exception(kind, error, tb))

    def reraise(self):
        """Raises an error of the same class. One whose class needs other arguments than a string becomes a RuntimeError."""
        message = f"Caught {self.exc_type.__name__} {self.where}.\nOriginal {self.exc_msg}"
        if self.exc_type is KeyError:
            message = KeyErrorMessage(message)
        elif getattr(self.exc_type, "message", None):
            raise self.exc_type(message=message)
        try:
            raised = self.exc_type(message)
        except Exception:
            raise RuntimeError(message) from None
        raise raised

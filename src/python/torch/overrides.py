"""torch.overrides, as far as Python alone can tell: functions of torch don't call `__torch_function__` here, but functions of
the program may, by `has_torch_function` and `handle_torch_function`."""

import torch

__all__ = ["handle_torch_function", "has_torch_function", "is_tensor_like", "is_tensor_method_or_property"]


def is_tensor_like(inp):
    """Whether `inp` is a tensor or its class has `__torch_function__`."""
    return (isinstance(inp, torch.Tensor) or isinstance(inp, type) and issubclass(inp, torch.Tensor)
            or hasattr(inp, "__torch_function__"))


def _overloaded(args):
    """The arguments whose classes implement `__torch_function__`, each class once and subclasses first."""
    found = []
    for arg in args:
        kind = type(arg)
        if hasattr(kind, "__torch_function__") and not any(type(other) is kind for other in found):
            at = next((i for i, other in enumerate(found) if issubclass(kind, type(other))), len(found))
            found.insert(at, arg)
    return found


def has_torch_function(relevant_args):
    return bool(_overloaded(relevant_args))


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    found = _overloaded(relevant_args)
    types = tuple(type(arg) for arg in found)
    for arg in found:
        result = arg.__torch_function__(public_api, types, args, kwargs)
        if result is not NotImplemented:
            return result
    name = f"{public_api.__module__}.{public_api.__name__}"
    raise TypeError(f"no implementation found for '{name}' on types that implement __torch_function__: {[*types]}")


def is_tensor_method_or_property(func):
    return any(value is func for value in (getattr(torch.Tensor, name) for name in dir(torch.Tensor)))


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module 'torch.overrides' has no attribute '{name}'")
    raise NotImplementedError(f"torch.overrides.{name}: functions of torch don't call __torch_function__ here")

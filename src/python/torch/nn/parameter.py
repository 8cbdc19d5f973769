"""`torch.nn.parameter`: tensors that a module registers when they are assigned to it."""

from collections import OrderedDict

import _torch
from _torch import Tensor

from torch import _utils


class _ParameterMeta(type(Tensor)):
    """Makes `isinstance(x, Parameter)` true for a tensor of another class that `Parameter(x)` has marked."""

    def __instancecheck__(self, instance):
        return super().__instancecheck__(instance) or (
            self is Parameter and isinstance(instance, Tensor) and getattr(instance, "_is_param", False))


class Parameter(Tensor, metaclass=_ParameterMeta):
    """A leaf tensor that counts as a module's parameter.

    `Parameter(data, requires_grad=True)` shares the storage of `data`.
    """

    __torch_function__ = _torch._disabled_torch_function_impl

    def __new__(cls, data=None, requires_grad=True):
        if data is None:
            data = _torch.empty(0)
        if type(data) is Tensor or getattr(type(data), "__torch_function__", None) is cls.__torch_function__:
            return Tensor._make_subclass(cls, data, requires_grad)
        # A tensor of a class that the program defined keeps its class, and is marked instead.
        result = data.detach().requires_grad_(requires_grad)
        if type(result) is not type(data):
            raise RuntimeError(
                f"Creating a Parameter from an instance of type {type(data).__name__} requires that detach() returns an instance "
                f"of the same type, but return type {type(result).__name__} was found instead. To use the type as a Parameter, "
                "please correct the detach() semantics defined by its __torch_dispatch__() implementation.")
        result._is_param = True
        return result

    def __deepcopy__(self, memo):
        if id(self) in memo:
            return memo[id(self)]
        result = type(self)(self.data.clone(), self.requires_grad)
        memo[id(self)] = result
        return result

    def __repr__(self):
        return "Parameter containing:\n" + super().__repr__()

    def __reduce_ex__(self, proto):
        state = _utils._get_obj_state(self)
        parts = self.data, self.requires_grad, OrderedDict()
        return (_utils._rebuild_parameter_with_state, (*parts, state)) if state else (_utils._rebuild_parameter, parts)


class Buffer(Tensor):
    """A tensor that a module registers as a buffer. It's a part of `state_dict()` if it's `persistent`."""

    __torch_function__ = _torch._disabled_torch_function_impl

    def __new__(cls, data=None, *, persistent=True):
        if data is None:
            data = _torch.empty(0)
        result = Tensor._make_subclass(cls, data, data.requires_grad)
        result.persistent = persistent
        return result


def is_lazy(tensor):
    """Whether this is a parameter or buffer whose shape is not known yet."""
    return getattr(type(tensor), "_shape_is_unknown", False)


def __getattr__(name):
    if name in ("UninitializedBuffer", "UninitializedParameter", "UninitializedTensorMixin"):
        # Loaded when a program first uses lazy modules.
        from . import _uninitialized

        return getattr(_uninitialized, name)
    raise AttributeError(f"module 'torch.nn.parameter' has no attribute '{name}'")

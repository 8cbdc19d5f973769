"""Tensors that a module registers when they are assigned to it."""

from collections import OrderedDict

import _torch
from _torch import Tensor

from torch import _utils


class Parameter(Tensor):
    """A leaf tensor that counts as a module's parameter.

    `Parameter(data, requires_grad=True)` shares the storage of `data`.
    """

    def __new__(cls, data=None, requires_grad=True):
        if data is None:
            data = _torch.empty(0)
        return Tensor._make_subclass(cls, data, requires_grad)

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
    """A tensor that a module registers as a buffer."""

    def __new__(cls, data=None, *, persistent=True):
        if data is None:
            data = _torch.empty(0)
        result = Tensor._make_subclass(cls, data, data.requires_grad)
        result.persistent = persistent
        return result

    def __repr__(self):
        return "Buffer containing:\n" + super().__repr__()


def is_lazy(tensor):
    """Whether this is a parameter or buffer whose shape is not known yet."""
    return getattr(type(tensor), "_shape_is_unknown", False)


def __getattr__(name):
    if name in ("UninitializedBuffer", "UninitializedParameter", "UninitializedTensorMixin"):
        # Loaded when a program first uses lazy modules.
        from . import _uninitialized

        return getattr(_uninitialized, name)
    raise AttributeError(f"module 'torch.nn.parameter' has no attribute '{name}'")

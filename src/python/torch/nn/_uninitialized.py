"""Parameters and buffers of lazy modules, whose shape isn't known yet."""

import _torch
from _torch import Tensor

from .parameter import Parameter

_HINT = "Call `forward` to initialize the parameters before "

# Attributes that work without a shape.
_FREE = frozenset((
    "size", "copy_", "is_complex", "is_floating_point", "half", "float", "double", "char", "short", "int", "long", "cuda",
    "cpu", "to", "get_device", "materialize", "share_memory_", "cls_to_become",
))

# The operators, and the method that PyTorch's error names for each.
_OPERATORS = {
    "__add__": "add", "__radd__": "add", "__iadd__": "add_", "__sub__": "sub", "__isub__": "sub_", "__rsub__": "__rsub__",
    "__mul__": "mul", "__rmul__": "mul", "__imul__": "mul_", "__truediv__": "div", "__rtruediv__": "reciprocal",
    "__itruediv__": "div_", "__floordiv__": "floor_divide", "__rfloordiv__": "__rfloordiv__",
    "__mod__": "remainder", "__rmod__": "__rmod__", "__pow__": "pow", "__rpow__": "__rpow__", "__matmul__": "matmul",
    "__rmatmul__": "__rmatmul__", "__neg__": "neg", "__abs__": "abs", "__invert__": "__invert__", "__and__": "__and__",
    "__or__": "__or__", "__xor__": "__xor__", "__lshift__": "__lshift__", "__rshift__": "__rshift__", "__lt__": "lt",
    "__le__": "le", "__gt__": "gt", "__ge__": "ge", "__eq__": "__eq__", "__ne__": "__ne__", "__bool__": "__bool__",
    "__float__": "__float__", "__int__": "__int__", "__index__": "__index__", "__len__": "__len__", "__iter__": "dim",
    "__contains__": "__contains__", "__getitem__": "__getitem__", "__setitem__": "__setitem__", "__format__": "__format__",
}


def _refused(tensor, name):
    """The method `name` of such a tensor, which raises when it's called."""
    own = type(tensor).__name__
    if name in ("__getitem__", "__setitem__"):
        function = f"<slot wrapper '{name}' of 'torch._C.TensorBase' objects>"
    else:
        function = f"<method '{name}' of 'torch._C.TensorBase' objects>"

    def refuse(*args, **kwargs):
        raise ValueError(
            f"Attempted to use an uninitialized parameter in {function}. This error happens when you are using a `LazyModule` "
            f"or explicitly manipulating `torch.nn.parameter.{own}` objects. When using LazyModules Call `forward` with a dummy "
            "batch to initialize the parameters before calling torch functions"
        )

    return refuse


class UninitializedTensorMixin:
    _shape_is_unknown = True

    def __getattribute__(self, name):
        if name in _FREE or name.startswith("_") or not callable(getattr(Tensor, name, None)):
            return super().__getattribute__(name)
        return _refused(self, "numel" if name == "nelement" else name)

    def materialize(self, shape, device=None, dtype=None):
        """Gives the tensor its shape (but not its values yet). It then is an ordinary parameter or buffer."""
        data = self.data
        made = _torch.empty(shape, device=data.device if device is None else device,
                            dtype=data.dtype if dtype is None else dtype)
        if made.is_meta != data.is_meta:
            raise RuntimeError("Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have incompatible "
                               "tensor type.")
        self.data = made
        self.__class__ = self.cls_to_become

    @property
    def shape(self):
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in `load_state_dict` "
            f"when trying to load an uninitialized parameter into an initialized one. {_HINT}accessing their attributes."
        )

    def share_memory_(self):
        raise RuntimeError(f"Can't share memory on an uninitialized parameter or buffer. {_HINT}calling "
                           "`module.share_memory()`.")

    def __repr__(self):
        return f"<{type(self).__name__}>"

    __hash__ = Tensor.__hash__

    def __reduce_ex__(self, proto):
        return type(self), (self.requires_grad,)


def _operator(method):
    def operate(self, *args):
        return _refused(self, method)()

    return operate


for _name, _method in _OPERATORS.items():
    setattr(UninitializedTensorMixin, _name, _operator(_method))


class UninitializedParameter(UninitializedTensorMixin, Parameter):
    """A parameter whose shape is determined by the first input of its module."""

    cls_to_become = Parameter

    def __new__(cls, requires_grad=True, device=None, dtype=None):
        return Tensor._make_subclass(cls, _torch.empty(0, device=device, dtype=dtype), requires_grad)

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, self.data.device, self.data.dtype)
        return memo[id(self)]


class UninitializedBuffer(UninitializedTensorMixin, Tensor):
    """A buffer whose shape is determined by the first input of its module."""

    cls_to_become = Tensor

    def __new__(cls, requires_grad=False, device=None, dtype=None, persistent=True):
        buffer = Tensor._make_subclass(cls, _torch.empty(0, device=device, dtype=dtype), requires_grad)
        buffer.persistent = persistent
        return buffer

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, self.data.device, self.data.dtype, self.persistent)
        return memo[id(self)]


for _class in (UninitializedTensorMixin, UninitializedParameter, UninitializedBuffer):
    _class.__module__ = "torch.nn.parameter"

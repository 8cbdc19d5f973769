"""Padding as modules."""

from .. import functional as F
from .module import Module

__all__ = [
    "CircularPad1d", "CircularPad2d", "CircularPad3d", "ConstantPad1d", "ConstantPad2d", "ConstantPad3d", "ReflectionPad1d",
    "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d", "ZeroPad1d", "ZeroPad2d", "ZeroPad3d",
]


# In PyTorch each kind of padding derives from `Module` through one class of its own, so that these functions are shared
# without a class that they have in common.
def _init(self, padding):
    """`padding` is one number, or two for every spatial dimension, last dimension first."""
    Module.__init__(self)
    self.padding = (padding,) * (2 * self._n) if isinstance(padding, int) else tuple(padding)


def _forward(self, input):
    return F.pad(input, self.padding, self._mode)


def _extra_repr(self):
    return f"{self.padding}"


class _ConstantPadNd(Module):
    _n = 1

    def __init__(self, padding, value):
        _init(self, padding)
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPadNd):
    pass


class ConstantPad2d(_ConstantPadNd):
    _n = 2


class ConstantPad3d(_ConstantPadNd):
    _n = 3


class ZeroPad1d(ConstantPad1d):
    def __init__(self, padding):
        super().__init__(padding, 0.0)

    extra_repr = _extra_repr


class ZeroPad2d(ConstantPad2d):
    def __init__(self, padding):
        super().__init__(padding, 0.0)

    extra_repr = _extra_repr


class ZeroPad3d(ConstantPad3d):
    def __init__(self, padding):
        super().__init__(padding, 0.0)

    extra_repr = _extra_repr


class _ReflectionPadNd(Module):
    _n = 1
    _mode = "reflect"
    __init__, forward, extra_repr = _init, _forward, _extra_repr


class ReflectionPad1d(_ReflectionPadNd):
    pass


class ReflectionPad2d(_ReflectionPadNd):
    _n = 2


class ReflectionPad3d(_ReflectionPadNd):
    _n = 3


class _ReplicationPadNd(Module):
    _n = 1
    _mode = "replicate"
    __init__, forward, extra_repr = _init, _forward, _extra_repr


class ReplicationPad1d(_ReplicationPadNd):
    pass


class ReplicationPad2d(_ReplicationPadNd):
    _n = 2


class ReplicationPad3d(_ReplicationPadNd):
    _n = 3


class _CircularPadNd(Module):
    _n = 1
    _mode = "circular"
    __init__, extra_repr = _init, _extra_repr

    def forward(self, input):
        if input.dim() not in (self._n + 1, self._n + 2):
            raise ValueError(f"expected {self._n + 1}D or {self._n + 2}D input (got {input.dim()}D input)")
        return _forward(self, input)


class CircularPad1d(_CircularPadNd):
    pass


class CircularPad2d(_CircularPadNd):
    _n = 2


class CircularPad3d(_CircularPadNd):
    _n = 3

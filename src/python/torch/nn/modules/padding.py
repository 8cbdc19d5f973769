"""Padding as modules."""

from .. import functional as F
from .module import Module

__all__ = [
    "CircularPad1d", "CircularPad2d", "CircularPad3d", "ConstantPad1d", "ConstantPad2d", "ConstantPad3d", "ReflectionPad1d",
    "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d", "ZeroPad1d", "ZeroPad2d", "ZeroPad3d",
]


class _Pad(Module):
    """`padding` is one number, or two for every spatial dimension, last dimension first."""

    _n = 1
    _mode = "constant"

    def __init__(self, padding):
        super().__init__()
        self.padding = (padding,) * (2 * self._n) if isinstance(padding, int) else tuple(padding)

    def forward(self, input):
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self):
        return f"{self.padding}"


class ConstantPad1d(_Pad):
    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class ConstantPad2d(ConstantPad1d):
    _n = 2


class ConstantPad3d(ConstantPad1d):
    _n = 3


class ZeroPad1d(ConstantPad1d):
    def __init__(self, padding):
        super().__init__(padding, 0.0)

    def extra_repr(self):
        return f"{self.padding}"


class ZeroPad2d(ZeroPad1d):
    _n = 2


class ZeroPad3d(ZeroPad1d):
    _n = 3


class ReflectionPad1d(_Pad):
    _mode = "reflect"


class ReflectionPad2d(ReflectionPad1d):
    _n = 2


class ReplicationPad1d(_Pad):
    _mode = "replicate"


class ReplicationPad2d(ReplicationPad1d):
    _n = 2


class ReflectionPad3d(ReflectionPad1d):
    _n = 3


class ReplicationPad3d(ReplicationPad1d):
    _n = 3


class CircularPad1d(_Pad):
    _mode = "circular"

    def forward(self, input):
        if input.dim() not in (self._n + 1, self._n + 2):
            raise ValueError(f"expected {self._n + 1}D or {self._n + 2}D input (got {input.dim()}D input)")
        return super().forward(input)


class CircularPad2d(CircularPad1d):
    _n = 2


class CircularPad3d(CircularPad1d):
    _n = 3

"""What deterministic mode does with memory that nobody has written to."""

import sys
import types

import _torch


class _Deterministic(types.ModuleType):
    @property
    def fill_uninitialized_memory(self):
        """Whether new tensors without values are filled, with NaN or the largest number, in deterministic mode."""
        return _torch._fill_uninitialized()

    @fill_uninitialized_memory.setter
    def fill_uninitialized_memory(self, mode):
        _torch._fill_uninitialized(mode)


sys.modules[__name__].__class__ = _Deterministic

"""Warnings that PyTorch gives once in a program, however often its cause comes up."""

import warnings

_said = set()


def warn_once(text, stacklevel=3):
    if text not in _said:
        _said.add(text)
        warnings.warn(text, stacklevel=stacklevel)

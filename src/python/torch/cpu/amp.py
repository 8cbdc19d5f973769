"""The older names of `torch.amp`, for the CPU."""

import warnings as _warnings

import torch as _torch
from torch import amp as _amp


def _deprecated(name):
    _warnings.warn(f"`torch.cpu.amp.{name}(args...)` is deprecated. Please use `torch.amp.{name}('cpu', args...)` instead.",
                   FutureWarning, stacklevel=3)


def autocast(enabled=True, dtype=_torch.bfloat16, cache_enabled=True):
    _deprecated("autocast")
    return _amp.autocast("cpu", dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)


def GradScaler(*args, **kwargs):
    _deprecated("GradScaler")
    return _amp.GradScaler("cpu", *args, **kwargs)

"""The older names of `torch.amp`."""

import warnings as _warnings

from torch import amp as _amp


def _deprecated(name):
    _warnings.warn(f"`torch.cuda.amp.{name}(args...)` is deprecated. Please use `torch.amp.{name}('cuda', args...)` instead.",
                   FutureWarning, stacklevel=3)


def autocast(enabled=True, dtype=None, cache_enabled=True):
    _deprecated("autocast")
    return _amp.autocast("cuda", dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)


def GradScaler(*args, **kwargs):
    _deprecated("GradScaler")
    return _amp.GradScaler("cuda", *args, **kwargs)


def custom_fwd(fwd=None, *, cast_inputs=None):
    _deprecated("custom_fwd")
    return _amp.custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)


def custom_bwd(bwd):
    _deprecated("custom_bwd")
    return _amp.custom_bwd(bwd, device_type="cuda")

"""The older names of `torch.amp`."""

from torch import amp as _amp


def autocast(enabled=True, dtype=None, cache_enabled=True):
    return _amp.autocast("cuda", dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)


def GradScaler(*args, **kwargs):
    return _amp.GradScaler("cuda", *args, **kwargs)

"""Apple's accelerator."""

import _torch


def is_available():
    return _torch._machine()[1]


def device_count():
    return int(is_available())


def synchronize():
    """Waits for the device."""
    if not is_available():
        raise RuntimeError("Cannot execute getDefaultMPSGenerator() without MPS backend.")


def empty_cache():
    """No memory is cached here."""


def manual_seed(seed):
    if is_available():
        _torch._seed_cuda(int(seed), None)

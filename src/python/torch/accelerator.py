"""The machine's accelerator, whichever kind it is."""

import _torch
from _torch import device as _device


def _kind():
    cuda_count, has_mps, cuda_build = _torch._machine()
    if has_mps:
        return "mps", 1
    # A CUDA build names CUDA even where there is no driver.
    return ("cuda", cuda_count) if cuda_build else (None, 0)


def is_available():
    return _kind()[1] > 0


def device_count():
    return _kind()[1]


def current_accelerator(check_available=False):
    """The accelerator's device without an index, or None."""
    kind, count = _kind()
    if kind is None or check_available and count == 0:
        return None
    return _device(kind)


def current_device_index():
    kind, count = _kind()
    if kind == "mps":
        return 0
    return _torch._cuda_current_device()


current_device_idx = current_device_index


def set_device_index(device):
    if _kind()[0] != "mps":
        _torch._cuda_set_device(device)


set_device_idx = set_device_index


def synchronize(device=None):
    if _kind()[0] != "mps":
        _torch._cuda_synchronize(device)

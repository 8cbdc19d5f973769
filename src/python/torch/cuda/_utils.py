"""Indices of CUDA devices."""

import _torch


def _get_device_index(device, optional=False, allow_cpu=False):
    """The index of a CUDA device, given as an int, a string or a `torch.device`.

    With `optional`, None and a device without an index mean the current device. With `allow_cpu`, the CPU is -1.
    Raises ValueError for anything else.
    """
    if isinstance(device, int) and not isinstance(device, bool):
        return device
    if isinstance(device, str):
        device = _torch.device(device)
    if isinstance(device, _torch.device):
        if allow_cpu and device.type == "cpu":
            return -1
        if device.type != "cuda":
            raise ValueError(f"Expected a cuda device, but got: {device}")
        if device.index is not None:
            return device.index
    if device is not None and not isinstance(device, _torch.device) or not optional:
        raise ValueError(f"Expected a torch.device with a specified index or an integer, but got:{device}")
    return _torch._cuda_current_device()

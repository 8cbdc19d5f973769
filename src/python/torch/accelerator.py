"""The machine's accelerator, of any kind."""

import _torch
from _torch import device as _device


def _kind():
    cuda_count, has_mps, cuda_build = _torch._machine()
    if has_mps:
        return "mps", 1
    # A CUDA build names CUDA even if there is no driver.
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


def current_stream(device=None):
    if _kind()[0] == "mps":
        raise NotImplementedError("torch.accelerator.current_stream on mps")
    from torch import cuda
    return cuda.current_stream(device)


def set_stream(stream):
    from torch import cuda
    cuda.set_stream(stream)


class device_index:
    """Changes the current device inside a `with` block. None changes nothing."""

    def __init__(self, device):
        self.idx = device

    def __enter__(self):
        if self.idx is not None:
            self._before = current_device_index()
            set_device_index(self.idx)

    def __exit__(self, *exc):
        if self.idx is not None:
            set_device_index(self._before)


def _memory(name):
    def ask(device_index=None, /):
        if _kind()[0] == "mps":
            raise NotImplementedError(f"torch.accelerator.{name} on mps")
        from torch import cuda
        return getattr(cuda, name)(device_index)

    ask.__name__ = ask.__qualname__ = name
    return ask


memory_allocated = _memory("memory_allocated")
max_memory_allocated = _memory("max_memory_allocated")
memory_reserved = _memory("memory_reserved")
max_memory_reserved = _memory("max_memory_reserved")
memory_stats = _memory("memory_stats")
reset_peak_memory_stats = _memory("reset_peak_memory_stats")
reset_accumulated_memory_stats = _memory("reset_accumulated_memory_stats")


def get_memory_info(device_index=None):
    """Free and total bytes."""
    from torch import cuda
    return cuda.mem_get_info(device_index)


def empty_cache():
    """Gives cached segments without tensors back to the device."""
    _torch._cuda_empty_cache()

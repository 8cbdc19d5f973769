"""What the caching allocator counts."""

from collections import OrderedDict

import _torch
from _torch import device as _device

__all__ = ["empty_cache", "mem_get_info", "memory_allocated", "memory_reserved", "memory_cached", "max_memory_allocated",
           "max_memory_reserved", "max_memory_cached", "memory_stats", "memory_stats_as_nested_dict", "memory_summary",
           "reset_peak_memory_stats", "reset_max_memory_allocated", "reset_max_memory_cached",
           "reset_accumulated_memory_stats", "set_per_process_memory_fraction", "memory_snapshot",
           "get_allocator_backend"]


def _index(device=None):
    return _torch._cuda_index(device)


def empty_cache():
    """Gives cached segments that hold no tensor back to the device."""
    _torch._cuda_empty_cache()


def mem_get_info(device=None):
    """Free and total bytes of a device."""
    _torch._cuda_require()
    return _torch._cuda_mem_get_info(device)


def memory_stats(device=None):
    """Every counter by its dotted name, sorted."""
    return OrderedDict(sorted(_torch._cuda_memory_stats(device).items()))


def memory_stats_as_nested_dict(device=None):
    nested = {}
    for name, value in memory_stats(device).items():
        *path, last = name.split(".")
        place = nested
        for part in path:
            place = place.setdefault(part, {})
        place[last] = value
    return nested


def memory_allocated(device=None):
    """Bytes of blocks that tensors hold."""
    return memory_stats(device).get("allocated_bytes.all.current", 0)


def max_memory_allocated(device=None):
    return memory_stats(device).get("allocated_bytes.all.peak", 0)


def memory_reserved(device=None):
    """Bytes of the segments that the allocator took from the device."""
    return memory_stats(device).get("reserved_bytes.all.current", 0)


def max_memory_reserved(device=None):
    return memory_stats(device).get("reserved_bytes.all.peak", 0)


memory_cached = memory_reserved
max_memory_cached = max_memory_reserved


def memory_summary(device=None, abbreviated=False):
    """The counters as a table."""
    if not _torch._machine()[0]:
        memory_stats(device)["allocated_bytes.all.current"]
    return _torch._cuda_memory_summary(device, abbreviated)


def reset_peak_memory_stats(device=None):
    """Peaks start again from what is in use now."""
    _torch._cuda_reset_peak(device)


reset_max_memory_allocated = reset_max_memory_cached = reset_peak_memory_stats


def reset_accumulated_memory_stats(device=None):
    _torch._cuda_reset_accumulated(device)


def set_per_process_memory_fraction(fraction, device=None):
    raise NotImplementedError("torch.cuda.set_per_process_memory_fraction")


def memory_snapshot(*args):
    raise NotImplementedError("torch.cuda.memory_snapshot")


def get_allocator_backend():
    return "native"

"""`torch.cuda.memory`: the caching allocator's counters, limits and snapshots. All sizes are in bytes."""

import sys
import warnings
from collections import OrderedDict

import _torch
from _torch import device as _device

__all__ = ["empty_cache", "mem_get_info", "memory_allocated", "memory_reserved", "memory_cached", "max_memory_allocated",
           "max_memory_reserved", "max_memory_cached", "memory_stats", "memory_stats_as_nested_dict", "memory_summary",
           "reset_peak_memory_stats", "reset_max_memory_allocated", "reset_max_memory_cached",
           "reset_accumulated_memory_stats", "set_per_process_memory_fraction", "get_per_process_memory_fraction",
           "memory_snapshot", "get_allocator_backend"]


def _index(device=None):
    return _torch._cuda_index(device)


def empty_cache():
    """Gives cached segments that hold no tensors back to the device."""
    _torch._cuda_empty_cache()


def mem_get_info(device=None):
    """The free and the total bytes of a device, as a tuple."""
    _torch._cuda_require()
    return _torch._cuda_mem_get_info(device)


def memory_stats(device=None):
    """Every counter by its dotted name, sorted."""
    return OrderedDict(sorted(_torch._cuda_memory_stats(device).items()))


def memory_stats_as_nested_dict(device=None):
    """The counters of `memory_stats`, with a dict for each part of their dotted names."""
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
    """The most bytes that tensors held since the start or the last `reset_peak_memory_stats`."""
    return memory_stats(device).get("allocated_bytes.all.peak", 0)


def memory_reserved(device=None):
    """Bytes of the segments that the allocator has taken from the device."""
    return memory_stats(device).get("reserved_bytes.all.current", 0)


def max_memory_reserved(device=None):
    """The most bytes that were reserved since the start or the last `reset_peak_memory_stats`."""
    return memory_stats(device).get("reserved_bytes.all.peak", 0)


def memory_cached(device=None):
    """The old name of `memory_reserved`."""
    warnings.warn("`torch.cuda.memory_cached` has been renamed to `torch.cuda.memory_reserved`", FutureWarning, stacklevel=2)
    return memory_reserved(device)


def max_memory_cached(device=None):
    """The old name of `max_memory_reserved`."""
    warnings.warn("`torch.cuda.max_memory_cached` has been renamed to `torch.cuda.max_memory_reserved`", FutureWarning,
                  stacklevel=2)
    return max_memory_reserved(device)


def memory_summary(device=None, abbreviated=False):
    """The counters as a table."""
    if not _torch._machine()[0]:
        # Without CUDA there are no counters, and PyTorch ends in this KeyError.
        memory_stats(device)["allocated_bytes.all.current"]
    return _torch._cuda_memory_summary(device, abbreviated)


def reset_peak_memory_stats(device=None):
    """Sets the peaks to the current values."""
    _torch._cuda_reset_peak(device)


def _reset_max(name):
    """The old function `name`, which resets all peaks and warns of that."""
    def reset(device=None):
        warnings.warn(f"torch.cuda.{name} now calls torch.cuda.reset_peak_memory_stats, which resets /all/ peak memory stats.",
                      FutureWarning, stacklevel=2)
        return reset_peak_memory_stats(device)

    reset.__name__ = reset.__qualname__ = name
    return reset


reset_max_memory_allocated = _reset_max("reset_max_memory_allocated")
reset_max_memory_cached = _reset_max("reset_max_memory_cached")


def reset_accumulated_memory_stats(device=None):
    """Sets the counters of everything allocated and freed so far to 0."""
    _torch._cuda_reset_accumulated(device)


# The fractions that the program has set, by the device's index.
_fractions = {}


def set_per_process_memory_fraction(fraction, device=None):
    """Limits the allocator to a fraction of the device's memory, from 0.0 to 1.0."""
    _torch._cuda_require()
    device = _index(device)
    if not isinstance(fraction, float):
        raise TypeError("Invalid type for fraction argument, must be `float`")
    if fraction < 0 or fraction > 1:
        raise ValueError(f"Invalid fraction value: {fraction}. Allowed range: 0~1")
    _torch._cuda_set_fraction(device, fraction)
    _fractions[device] = fraction


def get_per_process_memory_fraction(device=None):
    """The fraction that was set, otherwise 1.0."""
    _torch._cuda_require()
    return _fractions.get(_index(device), 1.0)


def memory_snapshot(mempool_id=None, include_traces=True):
    """Every segment of every device, with its blocks."""
    if mempool_id is not None:
        raise NotImplementedError("torch.cuda.memory_snapshot(mempool_id=)")
    return _snapshot()["segments"]


def _record_memory_history(enabled="all", context="all", stacks="all", max_entries=sys.maxsize, device=None,
                           clear_history=False, **legacy):
    """Starts recording which lines allocate and free memory, for `_snapshot`. `enabled=None` stops it. With
    `enabled="state"`, only the origin of the memory in use is recorded, not the order of events."""
    if isinstance(enabled, bool):
        max_entries = legacy.pop("trace_alloc_max_entries", 1 if max_entries == sys.maxsize else max_entries)
        legacy.pop("trace_alloc_record_context", None)
        enabled = "all" if enabled else None
    if legacy:
        raise NotImplementedError(f"torch.cuda.memory._record_memory_history({', '.join(legacy)}=)")
    if enabled not in (None, "state", "all"):
        raise RuntimeError(f"expected state to be 'state', 'all', or None but got {enabled}")
    if context not in (None, "state", "alloc", "all"):
        raise RuntimeError(f"expected context to be 'state', 'alloc', 'all', or None but got {context}")
    _torch._cuda_require()
    if enabled is None:
        _torch._cuda_record_history()
    else:
        _torch._cuda_record_history(enabled == "all", max_entries, context is not None, clear_history)


def _snapshot(device=None, augment_with_fx_traces=False):
    """The state of every device's allocator and its recorded history, in the form that PyTorch's viewer reads."""
    _torch._cuda_require()
    return _torch._cuda_snapshot()


def _dump_snapshot(filename="dump_snapshot.pickle", augment_with_fx_traces=False):
    """Writes `_snapshot()` to a file that https://pytorch.org/memory_viz opens."""
    import pickle

    with open(filename, "wb") as file:
        pickle.dump(_snapshot(), file, protocol=4)


def _save_segment_usage(filename="output.svg", snapshot=None):
    raise NotImplementedError("torch.cuda.memory._save_segment_usage")


def _save_memory_usage(filename="output.svg", snapshot=None):
    raise NotImplementedError("torch.cuda.memory._save_memory_usage")


def host_memory_stats():
    raise NotImplementedError("torch.cuda.host_memory_stats")


def get_allocator_backend():
    """"native": PyTorch's own caching allocator."""
    return "native"

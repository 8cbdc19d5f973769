"""The machine's CUDA devices."""

import contextlib
from collections import OrderedDict

import _torch
from _torch import OutOfMemoryError, device as _device
from torch.cuda.graphs import CUDAGraph, graph, graph_pool_handle, is_current_stream_capturing, make_graphed_callables
from torch.cuda.memory import *
from torch.cuda.memory import _index, host_memory_stats
from torch.cuda.random import *
from torch.cuda.streams import Event, ExternalStream, Stream, StreamContext, current_stream, default_stream, \
    set_stream, stream

AcceleratorError = _torch.AcceleratorError


def is_available():
    """Whether a CUDA device can be used."""
    return _torch._cuda_count() > 0


def device_count():
    return _torch._machine()[0]


def is_initialized():
    """Whether CUDA has been used: it's initialized by the first tensor or query that needs it."""
    return _torch._cuda_initialized()


def init():
    _torch._cuda_require()


def current_device():
    """Index of the device that `"cuda"` means."""
    return _torch._cuda_current_device()


def set_device(device):
    """Sets the device that `"cuda"` means."""
    if isinstance(device, str):
        device = _device(device)
    if isinstance(device, _device):
        if device.type == "cuda" and device.index is None:
            raise ValueError(f"Expected a torch.device with a specified index or an integer, but got:{device}")
    _torch._cuda_require()
    _torch._cuda_set_device(device)


class device:
    """Changes the current device inside a `with` block."""

    def __init__(self, device):
        _torch._cuda_require()
        self.idx = -1 if device is None else _torch._cuda_index(device)
        self.prev_idx = -1

    def __enter__(self):
        self.prev_idx = _torch._cuda_current_device()
        if self.idx >= 0:
            _torch._cuda_set_device(self.idx)

    def __exit__(self, *exc):
        _torch._cuda_set_device(self.prev_idx)


class device_of(device):
    """Makes a tensor's device the current one inside a `with` block."""

    def __init__(self, obj):
        super().__init__(obj.get_device() if obj.is_cuda else -1)


class _CudaDeviceProperties:
    def __init__(self, index):
        self.name, self.total_memory, self.multi_processor_count, self.major, self.minor = _torch._cuda_properties(index)
        self.is_integrated = self.is_multi_gpu_board = 0
        self.max_threads_per_multi_processor = 2048
        self.warp_size = 32
        self.L2_cache_size = 40 << 20
        self.pci_bus_id, self.pci_device_id, self.pci_domain_id = index + 1, 0, 0
        self.uuid = f"{index:02x}010203-0405-0607-0809-0a0b0c0d0e0f"
        self.gcnArchName = self.name

    def __repr__(self):
        return (f"_CudaDeviceProperties(name='{self.name}', major={self.major}, minor={self.minor}, "
                f"total_memory={self.total_memory >> 20}MB, multi_processor_count={self.multi_processor_count}, "
                f"uuid={self.uuid}, pci_bus_id={self.pci_bus_id}, pci_device_id={self.pci_device_id}, "
                f"pci_domain_id={self.pci_domain_id}, L2_cache_size={self.L2_cache_size >> 20}MB)")


def get_device_properties(device=None):
    _torch._cuda_require()
    return _CudaDeviceProperties(_index(device))


def get_device_name(device=None):
    """The card's name; for a simulated card, its model's name with a note that it's simulated."""
    return get_device_properties(device).name


def get_device_capability(device=None):
    properties = get_device_properties(device)
    return properties.major, properties.minor


def can_device_access_peer(device, peer_device):
    _torch._cuda_require()
    count = device_count()
    for which in (_index(device), _index(peer_device)):
        if not 0 <= which < count:
            raise AssertionError("Invalid peer device id" if which == _index(peer_device) else "Invalid device id")
    return _index(device) != _index(peer_device)


def synchronize(device=None):
    """Waits until a device has done all its work."""
    _torch._cuda_synchronize(device)


def is_bf16_supported(including_emulation=True):
    return is_available()


def get_arch_list():
    """The architectures that PyTorch's CUDA wheel is compiled for."""
    return ["sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"] if is_available() else []


def get_gencode_flags():
    """The compiler options for these architectures."""
    pairs = [name.split("_") for name in get_arch_list()]
    return " ".join(f"-gencode compute=compute_{arch},code={kind}_{arch}" for kind, arch in pairs)


def list_gpu_processes(device=None):
    """NVIDIA's management library would know about processes, but it isn't installed here."""
    return "pynvml module not found, please install nvidia-ml-py"


def ipc_collect():
    """There's no other process whose memory could be collected."""
    _torch._cuda_require()


def _ask_library(device=None):
    raise ModuleNotFoundError("nvidia-ml-py does not seem to be installed or it can't be imported.")


# Only NVIDIA's management library could answer these, and it isn't installed here.
utilization = memory_usage = temperature = power_draw = clock_rate = device_memory_used = _ask_library


def get_sync_debug_mode():
    _torch._cuda_require()
    return _torch._cuda_sync_debug()


_SYNC_DEBUG_MODES = {"default": 0, "warn": 1, "error": 2}
_told_of_sync_debug = False


def set_sync_debug_mode(debug_mode):
    """From now on, PyTorch's waits for a stream warn ("warn", 1), or raise ("error", 2)."""
    global _told_of_sync_debug
    _torch._cuda_require()
    if isinstance(debug_mode, str):
        if debug_mode not in _SYNC_DEBUG_MODES:
            raise RuntimeError("invalid value of debug_mode, expected one of `default`, `warn`, `error`")
        debug_mode = _SYNC_DEBUG_MODES[debug_mode]
    if not _told_of_sync_debug:
        _told_of_sync_debug = True
        import warnings
        warnings.warn("Synchronization debug mode is a prototype feature and does not yet detect all "
                      "synchronizing operations")
    if not isinstance(debug_mode, int) or isinstance(debug_mode, bool):
        raise RuntimeError("invalid argument to set_sync_debug_mode")
    _torch._cuda_sync_debug(debug_mode)


has_half = has_magma = True

# Other names of torch.cuda.
_ABSENT = frozenset((
    "BFloat16Storage", "BoolStorage", "ByteStorage", "CUDAPluggableAllocator", "CharStorage", "ComplexDoubleStorage",
    "ComplexFloatStorage", "CudaError", "DeferredCudaCallError", "DoubleStorage", "FloatStorage", "GreenContext",
    "HalfStorage", "IntStorage", "LongStorage", "MemPool", "ShortStorage", "caching_allocator_alloc",
    "caching_allocator_delete", "caching_allocator_disabled", "caching_allocator_enable", "change_current_allocator",
    "check_error", "cudaStatus", "cudart", "current_blas_handle", "current_solver_handle", "default_generators",
    "export_dot", "export_graph_data", "get_stream_from_external", "graph_annotations",
    "host_memory_stats_as_nested_dict", "is_tf32_supported", "jiterator", "nccl", "profiler",
    "reset_accumulated_host_memory_stats", "reset_peak_host_memory_stats", "sparse", "tunable", "use_mem_pool",
))


def __getattr__(name):
    if name in _ABSENT:
        raise NotImplementedError(f"torch.cuda.{name}")
    raise AttributeError(f"module 'torch.cuda' has no attribute '{name}'")


try:
    from posix import register_at_fork as _at_fork
except ImportError:
    # In a page there are no processes.
    pass
else:
    _at_fork(after_in_child=lambda: _torch._cuda_forked(True))

from torch import _legacy

globals().update(_legacy.types("cuda"))
from torch.cuda import amp, graphs, memory, nvtx, random, streams

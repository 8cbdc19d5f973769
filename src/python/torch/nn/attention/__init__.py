"""Which ways of computing attention a program allows, as in torch.nn.attention."""

import contextlib
import enum

from torch.nn._attention import BACKENDS

__all__ = ["SDPBackend", "sdpa_kernel", "WARN_FOR_UNFUSED_KERNELS"]

WARN_FOR_UNFUSED_KERNELS = False


class _SDPBackend(enum.Enum):
    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4

    def __int__(self):
        return self.value

    __index__ = __int__

    def __repr__(self):
        return f"<SDPBackend.{self.name}: {self.value}>"

    def __str__(self):
        return f"SDPBackend.{self.name}"


SDPBackend = _SDPBackend
SDPBackend.__name__ = "SDPBackend"

_names = {
    "cudnn": SDPBackend.CUDNN_ATTENTION, "flash": SDPBackend.FLASH_ATTENTION, "mem_efficient": SDPBackend.EFFICIENT_ATTENTION,
    "math": SDPBackend.MATH, "overrideable": SDPBackend.OVERRIDEABLE,
}
# The order in which they are tried. Every way gives the same numbers here, so that it is only remembered.
_priority = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH, SDPBackend.CUDNN_ATTENTION,
             SDPBackend.OVERRIDEABLE]


def _cur_sdpa_kernel_backends(with_priority=False):
    allowed = [backend for name, backend in _names.items() if BACKENDS[name]]
    return sorted(allowed, key=_priority.index) if with_priority else allowed


def _allow(backends, set_priority):
    for name, backend in _names.items():
        BACKENDS[name] = backend in backends
    if set_priority:
        first = [backend for backend in backends if backend in _priority]
        _priority[:] = first + [backend for backend in _priority if backend not in first]


@contextlib.contextmanager
def sdpa_kernel(backends, set_priority=False):
    """While it is entered, scaled_dot_product_attention may use only these backends."""
    if not isinstance(backends, (list, SDPBackend)):
        raise AssertionError(
            "Backend must be an instance of SDPBackend or a list of SDPBackend instances, got " + type(backends).__name__
        )
    if isinstance(backends, SDPBackend):
        backends = [backends]
    before = _cur_sdpa_kernel_backends(set_priority)
    try:
        _allow(list(dict.fromkeys(backends)), set_priority)
        yield {}
    finally:
        _allow(before, set_priority)


def __getattr__(name):
    if name in ("bias", "flex_attention"):
        import importlib

        return importlib.import_module(f"torch.nn.attention.{name}")
    if name in ("register_flash_attention_impl", "activate_flash_attention_impl", "list_flash_attention_impls",
                "current_flash_attention_impl", "restore_flash_attention_impl", "varlen", "experimental"):
        raise NotImplementedError(f"torch.nn.attention.{name}")
    raise AttributeError(f"module 'torch.nn.attention' has no attribute '{name}'")

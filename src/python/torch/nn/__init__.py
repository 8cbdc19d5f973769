"""Neural network modules, as torch.nn."""

from . import functional, init, modules, utils
from .modules import *
from .modules import __all__ as _modules
from . import parameter
from .parameter import Buffer, Parameter
from . import parallel
from .parallel import DataParallel

__all__ = ["Buffer", "DataParallel", "Parameter", "functional", "init", "parallel", "utils",
           *_modules]

# Loaded when a program first uses them.
_LAZY = frozenset((
    "LazyBatchNorm1d", "LazyBatchNorm2d", "LazyBatchNorm3d", "LazyConv1d", "LazyConv2d", "LazyConv3d",
    "LazyConvTranspose1d", "LazyConvTranspose2d", "LazyConvTranspose3d", "LazyInstanceNorm1d", "LazyInstanceNorm2d",
    "LazyInstanceNorm3d", "LazyLinear",
))

# Other names of torch.nn.
_ABSENT = frozenset((
    "quantizable", "quantized", "intrinsic", "qat",
))


def __getattr__(name):
    if name in _LAZY:
        from .modules import lazy

        if hasattr(lazy, name):
            return getattr(lazy, name)
        raise NotImplementedError(f"torch.nn.{name}")
    if name == "CrossMapLRN2d":
        from .modules._lrn import CrossMapLRN2d

        return CrossMapLRN2d
    if name in ("attention", "grad"):
        import importlib

        return importlib.import_module("torch.nn." + name)
    if name == "AdaptiveLogSoftmaxWithLoss":
        from .modules import adaptive

        return adaptive.AdaptiveLogSoftmaxWithLoss
    if name == "SyncBatchNorm":
        return getattr(modules.batchnorm, name)
    if name in ("UninitializedBuffer", "UninitializedParameter"):
        return getattr(parameter, name)
    if name in _ABSENT:
        raise NotImplementedError(f"torch.nn.{name}")
    raise AttributeError(f"module 'torch.nn' has no attribute '{name}'")

"""Neural network modules, as torch.nn."""

from . import functional, init, utils
from .modules import *
from .modules import __all__ as _modules
from .parameter import Buffer, Parameter, UninitializedParameter

__all__ = ["Buffer", "Parameter", "UninitializedParameter", "functional", "init", "utils", *_modules]

"""Neural network modules, as torch.nn."""

from . import functional, init, utils
from .modules import *
from .modules import __all__ as _modules
from .parameter import Buffer, Parameter, UninitializedParameter
from . import parallel
from .parallel import DataParallel

__all__ = ["Buffer", "DataParallel", "Parameter", "UninitializedParameter", "functional", "init", "parallel", "utils",
           *_modules]

"""The part of IPython that programs use to show things, as it behaves outside a notebook."""

import importlib

from .core.getipython import get_ipython

__version__ = "8.12.3"
version_info = (8, 12, 3, "")


def __getattr__(name):
    if name in ("core", "display", "lib"):
        return importlib.import_module(f"IPython.{name}")
    if name in ("embed", "start_ipython", "InteractiveShell"):
        raise NotImplementedError(f"IPython.{name}: there is no interactive prompt here, programs run from beginning to end")
    raise AttributeError(f"module 'IPython' has no attribute '{name}'")

"""The part of SciPy that courses use beside torch: statistics, filters, distances, clusters, matrices and more."""

import importlib

__version__ = "1.17.1"

_PARTS = ("cluster", "constants", "fft", "integrate", "interpolate", "io", "linalg", "ndimage", "optimize", "signal", "sparse", "spatial", "special", "stats")
_MISSING = ("datasets", "differentiate", "fftpack", "odr")


def __getattr__(name):
    if name in _PARTS:
        return importlib.import_module(f"scipy.{name}")
    if name in _MISSING:
        raise AttributeError(f"scipy.{name} is not part of this scipy")
    raise AttributeError(f"Module 'scipy' has no attribute '{name}'")


def lacking(module):
    """A `__getattr__` for a module: its error names the function that this scipy lacks."""
    def __getattr__(name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(f"{module}.{name} is not part of this scipy")

    return __getattr__

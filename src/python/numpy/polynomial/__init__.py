"""Polynomials by their coefficients in six bases, the lowest degree first."""

import importlib as _importlib

_CLASSES = {"Polynomial": "polynomial", "Chebyshev": "chebyshev", "Legendre": "legendre", "Hermite": "hermite", "HermiteE": "hermite_e",
            "Laguerre": "laguerre"}


def set_default_printstyle(style):
    from . import _family

    if style not in ("ascii", "unicode"):
        raise ValueError(f"Unsupported format string '{style}'. Valid options are 'ascii' and 'unicode'")
    _family.style = style


def __getattr__(name):
    if name in _CLASSES:
        return getattr(_importlib.import_module(f"numpy.polynomial.{_CLASSES[name]}"), name)
    if name in _CLASSES.values():
        return _importlib.import_module(f"numpy.polynomial.{name}")
    raise AttributeError(f"module 'numpy.polynomial' has no attribute {name!r}")

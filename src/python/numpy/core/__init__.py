"""The name that `numpy._core` had in NumPy 1, for pickles that were written then."""


def __getattr__(name):
    import importlib
    import warnings

    if name.startswith("__") or name not in ("multiarray", "numeric"):
        raise AttributeError(f"module 'numpy.core' has no attribute {name!r}")
    warnings.warn(
        "numpy.core is deprecated and has been renamed to numpy._core. The numpy._core namespace contains private NumPy internals and "
        "its use is discouraged, as NumPy internals can change without warning in any release. In practice, most real-world usage of "
        "numpy.core is to access functionality in the public NumPy API. If that is the case, use the public NumPy API. If not, you are "
        f"using NumPy internals. If you would still like to access an internal attribute, use numpy._core.{name}.",
        DeprecationWarning, stacklevel=2)
    return importlib.import_module(f"numpy._core.{name}")

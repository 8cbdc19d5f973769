"""The part of mlxtend that courses use: a confusion matrix as a figure."""

__version__ = "0.25.0"


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    import importlib
    if name == "plotting":
        return importlib.import_module("mlxtend.plotting")
    raise AttributeError(f"mlxtend.{name} is not here")

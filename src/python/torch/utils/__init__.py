"""Tools for use with tensors, as in torch.utils."""

from . import data, deterministic


def __getattr__(name):
    if name == "checkpoint":
        # The module and its function have the same name; and it needs all of torch.
        import importlib

        return importlib.import_module("torch.utils.checkpoint")
    raise AttributeError(f"module 'torch.utils' has no attribute '{name}'")

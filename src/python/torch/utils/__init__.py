"""Tools beside the tensor library, as torch.utils."""

from . import data


def __getattr__(name):
    if name == "checkpoint":
        # Its name is also that of its function; and it needs all of torch.
        import importlib

        return importlib.import_module("torch.utils.checkpoint")
    raise AttributeError(f"module 'torch.utils' has no attribute '{name}'")

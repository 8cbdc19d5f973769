"""One module on several devices."""

from .data_parallel import DataParallel, data_parallel
from .parallel_apply import parallel_apply
from .replicate import replicate
from .scatter_gather import gather, scatter, scatter_kwargs

__all__ = ["DataParallel", "DistributedDataParallel", "data_parallel", "gather", "parallel_apply", "replicate", "scatter",
           "scatter_kwargs"]


def __getattr__(name):
    if name in ("DistributedDataParallel", "distributed"):
        # It imports torch.distributed and pickle, which most programs never need.
        import importlib

        module = importlib.import_module("torch.nn.parallel.distributed")
        return module if name == "distributed" else module.DistributedDataParallel
    raise AttributeError(f"module 'torch.nn.parallel' has no attribute '{name}'")

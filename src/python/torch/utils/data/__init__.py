"""Data sets and loaders, as in torch.utils.data."""

from .dataloader import DataLoader, default_collate, default_convert, get_worker_info
from . import _utils
from .dataset import ChainDataset, ConcatDataset, Dataset, IterableDataset, StackDataset, Subset, TensorDataset, random_split
from .sampler import (
    BatchSampler, RandomSampler, Sampler, SequentialSampler, SubsetRandomSampler, WeightedRandomSampler,
)

__all__ = [
    "BatchSampler", "ChainDataset", "ConcatDataset", "DataLoader", "Dataset", "DistributedSampler", "IterableDataset",
    "RandomSampler", "Sampler", "SequentialSampler", "StackDataset", "Subset", "SubsetRandomSampler", "TensorDataset",
    "WeightedRandomSampler", "default_collate", "default_convert", "get_worker_info", "random_split",
]

# Other names of torch.utils.data.
_ABSENT = frozenset(("DFIterDataPipe", "DataChunk", "IterDataPipe", "MapDataPipe", "datapipes",
                     "functional_datapipe", "guaranteed_datapipes_determinism"))


def __getattr__(name):
    if name in ("DistributedSampler", "distributed"):
        # It needs torch.distributed, which needs all of torch.
        import importlib

        module = importlib.import_module("torch.utils.data.distributed")
        return module if name == "distributed" else module.DistributedSampler
    if name in _ABSENT:
        raise NotImplementedError(f"torch.utils.data.{name}")
    raise AttributeError(f"module 'torch.utils.data' has no attribute '{name}'")

"""The part of a data set that one of several processes trains on."""

import math

import _torch
from torch.utils.data.sampler import Sampler


def _process(num_replicas, rank):
    if num_replicas is None or rank is None:
        from torch import distributed

        if num_replicas is None:
            num_replicas = distributed.get_world_size()
        if rank is None:
            rank = distributed.get_rank()
    return num_replicas, rank


class DistributedSampler(Sampler):
    """Deals the indices out among the processes, to each the same number: the first ones are dealt again to fill up, or with
    `drop_last` the last ones not at all."""

    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        num_replicas, rank = _process(num_replicas, rank)
        if rank >= num_replicas or rank < 0:
            raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]")
        self.dataset, self.num_replicas, self.rank = dataset, num_replicas, rank
        self.epoch, self.drop_last, self.shuffle, self.seed = 0, drop_last, shuffle, seed
        count = len(dataset)
        if drop_last and count % num_replicas:
            self.num_samples = math.ceil((count - num_replicas) / num_replicas)
        else:
            self.num_samples = math.ceil(count / num_replicas)
        self.total_size = self.num_samples * num_replicas

    def __iter__(self):
        count = len(self.dataset)
        if self.shuffle:
            # All processes shuffle alike.
            generator = _torch.Generator()
            generator.manual_seed(self.seed + self.epoch)
            indices = _torch.randperm(count, generator=generator).tolist()
        else:
            indices = list(range(count))
        missing = self.total_size - count
        if self.drop_last:
            indices = indices[: self.total_size]
        elif missing > 0:
            indices += (indices * math.ceil(missing / count))[:missing]
        return iter(indices[self.rank : self.total_size : self.num_replicas])

    def __len__(self):
        return self.num_samples

    def set_epoch(self, epoch):
        """Without it every epoch has the same order."""
        self.epoch = epoch

"""What a DataLoader's workers draw, set and start with. PyTorch 2.15 recorded `data_workers.txt` from this file."""

import math
import random

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, WeightedRandomSampler, get_worker_info


class Drawn(Dataset):
    def __init__(self):
        self.calls, self.bias = 0, 0.0

    def __len__(self):
        return 8

    def __getitem__(self, i):
        self.calls += 1
        info = get_worker_info()
        own = torch.initial_seed() == info.seed
        return i + self.bias, info.id, own, self.calls, torch.rand(()), random.random(), np.random.rand()


class Span(IterableDataset):
    def __init__(self, start, end):
        self.start, self.end = start, end

    def __iter__(self):
        return iter(range(self.start, self.end))


def share(worker):
    data = get_worker_info().dataset
    start, end = data.start, data.end
    each = math.ceil((end - start) / get_worker_info().num_workers)
    data.start = start + worker * each
    data.end = min(data.start + each, end)


def shift(worker):
    get_worker_info().dataset.bias = 100.0 * worker


def fail(worker):
    raise RuntimeError(f"no worker {worker}")


def say(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, str(e).splitlines()[0])


if __name__ == "__main__":
    torch.manual_seed(3)
    for more in (
        dict(num_workers=2),
        dict(num_workers=2, shuffle=True, worker_init_fn=shift),
        dict(num_workers=3, persistent_workers=True, shuffle=True),
        dict(num_workers=2, drop_last=True, generator=torch.Generator().manual_seed(1)),
    ):
        data = Drawn()
        loader = DataLoader(data, batch_size=3, **more)
        for _ in range(2):
            for batch in loader:
                print([[round(v, 4) if isinstance(v, float) else v for v in column.tolist()] for column in batch])
        print(torch.rand(1), data.calls, data.bias)
    span = Span(3, 10)
    for n in range(1, 5):
        print([list(DataLoader(span, num_workers=n, worker_init_fn=share, **more)) for more in (
            dict(batch_size=None), dict(batch_size=2), dict(batch_size=2, drop_last=True))], span.start, span.end)
    say("init", lambda: list(DataLoader(Drawn(), num_workers=2, worker_init_fn=fail)))
    say("timeout", lambda: list(DataLoader(range(2), timeout=3)))
    say("context", lambda: DataLoader(range(2), multiprocessing_context="fork"))
    say("start", lambda: DataLoader(range(2), num_workers=1, multiprocessing_context="run"))
    say("prefetch", lambda: DataLoader(range(2), num_workers=1, prefetch_factor=-1))
    say("order", lambda: DataLoader(range(2)).in_order)
    say("weights", lambda: WeightedRandomSampler([[1.0]], 1))

"""Batches of samples.  Workers aren't processes here: samples are fetched where the program runs, in the order and
with the random numbers of PyTorch's workers."""

import copy
import operator
import os
import sys
import types
import warnings
from collections import deque, namedtuple
from collections.abc import Mapping

import _torch
from _torch import Tensor

from . import _utils
from ._utils.collate import default_collate, default_convert
from .dataset import Dataset, IterableDataset, TensorDataset
from .sampler import BatchSampler, RandomSampler, SequentialSampler


def _pin(value):
    if isinstance(value, Tensor):
        return value.pin_memory()
    if isinstance(value, Mapping):
        return {key: _pin(item) for key, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_pin(item) for item in value))
    if isinstance(value, (tuple, list)):
        return type(value)([_pin(item) for item in value])
    return value


WorkerInfo = namedtuple("WorkerInfo", ["id", "num_workers", "seed", "dataset"])
_worker = None


def get_worker_info():
    """Inside a worker's code, the worker's identity; elsewhere None."""
    return _worker


# What a loader's samples come from can't be exchanged later.
_FIXED = frozenset(("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers"))


class _BaseDataLoaderIter:
    """What `iter(loader)` gives."""

    def __init__(self, loader, batches):
        self._loader = loader
        self._batches = batches

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._batches)

    def __len__(self):
        return len(self._loader)


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    pass


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    pass


class DataLoader:
    _initialized = False

    def __class_getitem__(cls, item):
        return cls

    def __setattr__(self, name, value):
        if self._initialized and name in _FIXED:
            raise ValueError(f"{name} attribute should not be set after {type(self).__name__} is initialized")
        object.__setattr__(self, name, value)

    @property
    def _auto_collation(self):
        return self.batch_sampler is not None or (self._iterable and self.batch_size is not None)

    def __init__(
        self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None,
        pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None, generator=None, *,
        prefetch_factor=None, persistent_workers=False, pin_memory_device="", in_order=True,
    ):
        if num_workers < 0:
            raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
        if timeout < 0:
            raise ValueError("timeout option should be non-negative")
        if num_workers == 0 and prefetch_factor is not None:
            raise ValueError(
                "prefetch_factor option could only be specified in multiprocessing."
                "let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None."
            )
        if prefetch_factor is not None and prefetch_factor < 0:
            raise ValueError("prefetch_factor option should be non-negative")
        if persistent_workers and num_workers == 0:
            raise ValueError("persistent_workers option needs num_workers > 0")
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = 2 if num_workers > 0 and prefetch_factor is None else prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        if multiprocessing_context is not None and num_workers == 0:
            raise ValueError("multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got "
                             f"num_workers={num_workers}")
        starts = ["fork", "spawn", "forkserver"]
        if isinstance(multiprocessing_context, str) and multiprocessing_context not in starts:
            raise ValueError(f"multiprocessing_context option should specify a valid start method in {starts}, but got "
                             f"multiprocessing_context={multiprocessing_context!r}")
        self.multiprocessing_context = multiprocessing_context
        self.in_order = in_order
        self.persistent_workers = persistent_workers
        self._iterable = isinstance(dataset, IterableDataset)
        if self._iterable:
            if shuffle not in (False, None):
                raise ValueError(
                    f"DataLoader with IterableDataset: expected unspecified shuffle option, but got shuffle={shuffle}"
                )
            if sampler is not None:
                raise ValueError(
                    f"DataLoader with IterableDataset: expected unspecified sampler option, but got sampler={sampler}"
                )
            if batch_sampler is not None:
                raise ValueError(
                    "DataLoader with IterableDataset: expected unspecified "
                    f"batch_sampler option, but got batch_sampler={batch_sampler}"
                )
        shuffle = bool(shuffle)
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(
                    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
                )
            batch_size = None
            drop_last = False
        elif batch_size is None and drop_last:
            raise ValueError(
                "batch_size=None option disables auto-batching and is mutually exclusive with drop_last"
            )
        if sampler is None and not self._iterable:
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None and not self._iterable:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.generator = generator
        # Rows of plain tensors can be selected together, which gives the same values in one step.
        self._rows = (
            type(dataset) is TensorDataset and collate_fn is None and batch_sampler is not None
            and all(type(t) is Tensor for t in dataset.tensors)
        )
        if collate_fn is None:
            collate_fn = default_collate if self._auto_collation else default_convert
        self.collate_fn = collate_fn
        self._workers = None
        self._initialized = True
        self._warn_workers()

    def _warn_workers(self):
        available = os.cpu_count() or 1
        if self.num_workers > available:
            warnings.warn(
                f"This DataLoader will create {self.num_workers} worker processes in total. Our suggested max number of worker "
                f"in current system is {available}, which is smaller than what this DataLoader is going to create. Please be "
                "aware that excessive worker creation might get DataLoader running slow or even freeze, lower the worker "
                "number to avoid potential slowness/freeze if necessary.",
                stacklevel=3,
            )

    def __len__(self):
        if self._iterable:
            count = len(self.dataset)
            if self.batch_size is None:
                return count
            return count // self.batch_size if self.drop_last else -(-count // self.batch_size)
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)

    def __iter__(self):
        pin = self.pin_memory
        if pin and not _torch._accelerator_available():
            warnings.warn(
                "'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be used.",
                stacklevel=2,
            )
            pin = False
        elif pin and _torch._machine()[1]:
            warnings.warn("'pin_memory' argument is set as true but not supported on MPS now, device pinned memory won't be "
                          "used.", stacklevel=2)
            pin = False
        workers = self._workers
        if workers is None:
            # Drawn with or without workers, as in PyTorch: the workers' seeds count up from it.
            base_seed = int(_torch.empty((), dtype=_torch.int64).random_(generator=self.generator).item())
            workers = _worker_states(self, base_seed) if self.num_workers else ()
            if self.persistent_workers:
                self._workers = workers
        batches = self._batches(workers)
        if self.timeout and not self.num_workers:
            raise AssertionError("_SingleProcessDataLoaderIter requires timeout == 0")
        kind = _MultiProcessingDataLoaderIter if self.num_workers else _SingleProcessDataLoaderIter
        return kind(self, map(_pin, batches) if pin else batches)

    def _batches(self, workers):
        for worker in workers:
            # All workers start before the first sample.
            with _as_worker(self, worker):
                pass
        if self._iterable:
            yield from self._iterate(workers)
            return
        dataset = self.dataset
        collate = self.collate_fn
        if self._rows and collate is default_collate:
            take = _torch._take_rows
            tensors = dataset.tensors
            for indices in self.batch_sampler:
                yield take(tensors, indices)
            return
        if self.batch_sampler is None:
            for number, index in enumerate(self.sampler):
                worker = workers and workers[number % len(workers)]
                with _as_worker(self, worker):
                    sample = collate((worker.info.dataset if worker else dataset)[index])
                yield sample
            return
        for number, indices in enumerate(self.batch_sampler):
            worker = workers and workers[number % len(workers)]
            dataset = worker.info.dataset if worker else dataset
            fetch_many = getattr(dataset, "__getitems__", None)
            with _as_worker(self, worker):
                samples = fetch_many(indices) if fetch_many else [dataset[i] for i in indices]
                batch = collate(samples)
            yield batch

    def _iterate(self, workers):
        collate = self.collate_fn
        # Every worker has its own iterator over the entire data set, which may use get_worker_info() to find its share.
        iterators = []
        for worker in range(max(1, self.num_workers)):
            with _as_worker(self, workers and workers[worker]):
                iterators.append(iter(workers[worker].info.dataset if workers else self.dataset))
        live, turn = list(range(len(iterators))), 0
        while live:
            turn %= len(live)
            worker = live[turn]
            with _as_worker(self, workers and workers[worker]):
                samples = []
                for sample in iterators[worker]:
                    samples.append(sample)
                    if self.batch_size is None or len(samples) == self.batch_size:
                        break
            ended = not samples or (self.batch_size is not None and len(samples) < self.batch_size)
            if samples and not (ended and self.drop_last):
                with _as_worker(self, workers and workers[worker]):
                    batch = collate(samples[0] if self.batch_size is None else samples)
                yield batch
            if ended:
                # The next one takes its place.
                del live[turn]
            else:
                turn += 1


_MASK = 0xFFFFFFFF


def _numpy_seed(base_seed, worker):
    """The seed of a worker's `numpy.random`, mixed as in PyTorch."""
    const = 0x43B0D7E5

    def mixed(value, factor):
        nonlocal const
        value ^= const
        const = const * factor & _MASK
        value = value * const & _MASK
        return value ^ value >> 16

    pool = [mixed(n, 0x931E8875) for n in (worker, base_seed & _MASK, base_seed >> 32, 0)]
    for source in range(4):
        for i in range(4):
            if i != source:
                value = (0xCA01F9DD * pool[i] - 0x4973F715 * mixed(pool[source], 0x931E8875)) & _MASK
                pool[i] = value ^ value >> 16
    const = 0x8B51F9DD
    return [mixed(n, 0x58F38DED) for n in pool]


def _own(x, made):
    """A worker's copy of a data set: what the worker sets in it, or in what it holds, stays there, as in a process of its own.
    Tensors and arrays are shared, so that no data is copied."""
    if id(x) in made:
        return made[id(x)][0]
    kind = type(x)
    if kind in (tuple, frozenset) or isinstance(x, tuple) and hasattr(x, "_fields"):
        parts = [_own(part, made) for part in x]
        same = all(map(operator.is_, parts, x))
        return x if same else kind._make(parts) if hasattr(x, "_fields") else kind(parts)
    if kind.__name__ in ("Generator", "RandomState"):
        if isinstance(x, _torch.Generator):
            return _torch.Generator(x.device).set_state(x.get_state())
        try:
            return copy.deepcopy(x)
        except TypeError:
            return x
    is_container = isinstance(x, (list, dict, set, bytearray, deque))
    if not is_container and (
        not hasattr(x, "__dict__")
        or isinstance(x, (type, types.ModuleType, types.FunctionType, types.MethodType, Tensor, BaseException))
        or not isinstance(x, Dataset) and kind.__module__.partition(".")[0] in _SHARED
    ):
        return x
    try:
        out = copy.copy(x)
    except Exception:
        return x
    # `x` is kept, so that its number isn't that of another object.
    made[id(x)] = out, x
    if isinstance(x, (list, deque)):
        for i, part in enumerate(x):
            if not isinstance(part, _PLAIN):
                out[i] = _own(part, made)
    elif isinstance(x, dict):
        for key, part in x.items():
            if not isinstance(part, _PLAIN):
                dict.__setitem__(out, key, _own(part, made))
    fields = getattr(out, "__dict__", None)
    if fields is not None and out is not x:
        for name, part in list(fields.items()):
            fields[name] = _own(part, made)
    return out


# What can't change.
_PLAIN = (int, float, complex, str, bytes, type(None))
# Objects of these modules are shared by workers.
_SHARED = frozenset(("torch", "numpy", "pandas", "PIL", "io", "_io", "threading", "_thread", "logging", "re", "builtins"))


class _WorkerState:
    """One worker: who it is, and the random numbers that it has come to."""

    def __init__(self, number, count, base_seed, dataset):
        dataset = _own(dataset, {})
        self.info = WorkerInfo(number, count, base_seed + number, dataset)
        self.base_seed = base_seed
        self.started = False
        self.states = None

    def swap(self):
        """Exchanges the program's random numbers with the worker's."""
        import random

        from torch import default_generator

        numpy = sys.modules.get("numpy")
        program = (default_generator.get_state(), random.getstate(), numpy and numpy.random.get_state())
        if self.states is None:
            default_generator.manual_seed(self.info.seed)
            random.seed(self.info.seed)
        else:
            default_generator.set_state(self.states[0])
            random.setstate(self.states[1])
        if numpy and (self.states is None or self.states[2] is None):
            numpy.random.seed(_numpy_seed(self.base_seed, self.info.id))
        elif numpy:
            numpy.random.set_state(self.states[2])
        self.states = program


def _worker_states(loader, base_seed):
    return [_WorkerState(i, loader.num_workers, base_seed, loader.dataset) for i in range(loader.num_workers)]


class _as_worker:
    """While a worker's code runs, it draws its own random numbers, and get_worker_info() says which worker it is."""

    def __init__(self, loader, worker):
        self.loader = loader
        self.worker = worker or None
        context = loader.multiprocessing_context
        # Worker processes are forked unless the program chooses another way.
        self.forked = worker and getattr(context, "_name", context) in (None, "fork")

    def __enter__(self):
        global _worker
        if self.worker is None:
            return
        _worker = self.worker.info
        self.worker.swap()
        if self.forked:
            _torch._cuda_forked(True)
        if not self.worker.started:
            self.worker.started = True
            if self.loader.worker_init_fn is not None:
                try:
                    self.loader.worker_init_fn(_worker.id)
                except Exception as e:
                    self.__exit__(type(e), e, e.__traceback__)

    def __exit__(self, kind, error, tb):
        global _worker
        _worker = None
        if self.worker is None:
            return
        self.worker.swap()
        if self.forked:
            _torch._cuda_forked(False)
        if isinstance(error, Exception):
            # An error from a worker process arrives as text.
            from torch._utils import ExceptionWrapper

            where = f"in DataLoader worker process {self.worker.info.id}"
            try:
                ExceptionWrapper((kind, error, tb), where).reraise()
            except Exception as raised:
                raise raised from None

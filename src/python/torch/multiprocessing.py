"""Processes that share tensors. There is only one process here, and starting another raises."""

_START_METHODS = ["fork", "spawn", "forkserver"]
_method = None


def get_all_start_methods():
    return list(_START_METHODS)


def get_start_method(allow_none=False):
    return _method if allow_none else _method or "fork"


def set_start_method(method, force=False):
    """Stored, because programs call it even if they then train in a single process."""
    global _method
    if _method is not None and not force:
        raise RuntimeError("context has already been set")
    if method is not None and method not in _START_METHODS:
        raise ValueError(f"cannot find context for {method!r}")
    _method = method


def cpu_count():
    from multiprocessing import cpu_count

    return cpu_count()


def get_all_sharing_strategies():
    return {"file_descriptor", "file_system"}


def get_sharing_strategy():
    return "file_descriptor"


_ABSENT = {"spawn", "start_processes", "Process", "Pool", "Queue", "SimpleQueue", "JoinableQueue", "Pipe", "Manager", "Lock",
           "RLock", "Event", "Condition", "Semaphore", "BoundedSemaphore", "Barrier", "Value", "Array", "get_context",
           "set_sharing_strategy", "current_process", "active_children", "ProcessContext", "SpawnContext"}


def __getattr__(name):
    if name in _ABSENT:
        raise NotImplementedError(f"torch.multiprocessing.{name}")
    raise AttributeError(f"module 'torch.multiprocessing' has no attribute '{name}'")

"""The pool of threads, which an interpreter with one thread can't have."""

from . import _base


class BrokenThreadPool(_base.BrokenExecutor):
    """What a pool raises whose threads couldn't start."""


class ThreadPoolExecutor(_base.Executor):
    """Refuses: its workers would wait for work that only the program after them could give."""

    def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=(), **ctxkwargs):
        raise RuntimeError("a ThreadPoolExecutor needs threads, and this Python has one: call the function in a loop, or use map()")

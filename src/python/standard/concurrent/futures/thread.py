"""The pool of threads, in an interpreter with one thread."""

import itertools
import threading

from . import _base


class BrokenThreadPool(_base.BrokenExecutor):
    """What a pool raises whose initializer failed."""


class ThreadPoolExecutor(_base.Executor):
    """Runs each call to its end when it's submitted, as `threading.Thread` does when it's started."""

    _counter = itertools.count().__next__

    def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=(), **ctxkwargs):
        if max_workers is not None and max_workers <= 0:
            raise ValueError("max_workers must be greater than 0")
        if initializer is not None and not callable(initializer):
            raise TypeError("initializer must be a callable")
        self._max_workers = 5 if max_workers is None else max_workers
        self._thread_name_prefix = thread_name_prefix or f"ThreadPoolExecutor-{self._counter()}"
        self._initializer = initializer, initargs
        self._broken = self._shutdown = False

    def submit(self, fn, /, *args, **kwargs):
        if self._broken:
            raise BrokenThreadPool(self._broken)
        if self._shutdown:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future = _base.Future()
        thread = threading.Thread(target=self._run, args=(future, fn, args, kwargs), name=f"{self._thread_name_prefix}_0")
        thread.start()
        return future

    def _run(self, future, fn, args, kwargs):
        (initializer, initargs), self._initializer = self._initializer, (None, ())
        if initializer is not None:
            try:
                initializer(*initargs)
            except Exception:
                _base.LOGGER.critical("Exception in initializer:", exc_info=True)
                self._broken = "A thread initializer failed, the thread pool is not usable anymore"
                future.set_exception(BrokenThreadPool(self._broken))
                return
        future.set_running_or_notify_cancel()
        try:
            result = fn(*args, **kwargs)
        except BaseException as e:
            future.set_exception(e)
            if not isinstance(e, Exception):
                raise
        else:
            future.set_result(result)

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._shutdown = True

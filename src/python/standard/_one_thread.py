"""Mends the interpreter's `_thread`, which has one thread: `threading.Condition`, `asyncio` and `multiprocessing` need these."""

import _thread


class _local:
    """The attributes of the only thread. Unlike the interpreter's own, its subclasses can have attributes."""


def _is_owned(self):
    return self.locked_count > 0


def _recursion_count(self):
    return self.locked_count


def _release_save(self):
    count, self.locked_count = self.locked_count, 0
    return count


def _acquire_restore(self, count):
    self.locked_count = count


_thread._local = _local
for _function in (_is_owned, _recursion_count, _release_save, _acquire_restore):
    setattr(_thread.RLock, _function.__name__, _function)

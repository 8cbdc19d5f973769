"""Mends the interpreter's `_thread`, which has one thread: `threading.Condition`, `asyncio` and `multiprocessing` need these."""

import sys

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


def _keeps_names(start):
    def started(*args, **options):
        # The new thread has the number of the one that starts it, which gets its place back when the new one is done.
        active = getattr(sys.modules.get("threading"), "_active", {})
        before = dict(active)
        try:
            return start(*args, **options)
        finally:
            active.update(before)
    return started


_thread._local = _local
_thread.start_joinable_thread = _keeps_names(_thread.start_joinable_thread)
for _function in (_is_owned, _recursion_count, _release_save, _acquire_restore):
    setattr(_thread.RLock, _function.__name__, _function)

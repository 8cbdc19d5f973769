"""Mends the locks of the interpreter's `_thread`: `threading.Condition`, `asyncio` and `multiprocessing` need these.

The types outlive the program: the next one in this process replaces what this one sets. No function stays in this namespace,
because a cycle of the two would never be freed."""

import _thread
import time

_lock = _thread.LockType
if not hasattr(_lock, "_acquire"):
    _lock._acquire, _lock._release = _lock.acquire, _lock.release


def acquire(self, blocking=True, timeout=-1):
    if not (blocking and self.locked()):
        return self._acquire(blocking)
    if timeout < 0:
        raise RuntimeError("this waits for another thread, and this Python has one, which runs a thread to its end at once")
    time.sleep(timeout)
    return False


def release(self):
    if not self.locked():
        raise RuntimeError("release unlocked lock")
    self._release()


def _is_owned(self):
    return self.locked_count > 0


def _recursion_count(self):
    return self.locked_count


def _release_save(self):
    count, self.locked_count = self.locked_count, 0
    return count


def _acquire_restore(self, count):
    self.locked_count = count


for _function in (_is_owned, _recursion_count, _release_save, _acquire_restore):
    setattr(_thread.RLock, _function.__name__, _function)
_lock.acquire, _lock.release = acquire, release
del _function, _is_owned, _recursion_count, _release_save, _acquire_restore, acquire, release

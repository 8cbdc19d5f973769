"""Mends the interpreter's `_thread`, which has one thread: `threading.Condition`, `asyncio` and `multiprocessing` need these.
A thread runs to its end when it's started. While it does, it has a number and local attributes of its own."""

import _thread
import time

_running = [_thread.get_ident()]
_started = 1
_start = _thread.start_joinable_thread


def get_ident():
    return _running[-1]


def start_joinable_thread(function, handle=None, daemon=True):
    global _started
    _started += 1
    _running.append(_running[0] + _started)
    try:
        return _start(function, handle=handle, daemon=daemon)
    finally:
        _running.pop()


class _local:
    """Attributes that each thread has for itself."""

    __slots__ = ("_local__all", "__dict__")

    def __new__(cls, /, *args, **kwargs):
        self = object.__new__(cls)
        object.__setattr__(self, "_local__all", ({get_ident(): object.__getattribute__(self, "__dict__")}, args, kwargs))
        return self


def _switched(access):
    def accessed(self, name, *value):
        fields, args, kwargs = object.__getattribute__(self, "_local__all")
        own = get_ident()
        if own not in fields:
            fields[own] = {}
            object.__setattr__(self, "__dict__", fields[own])
            type(self).__init__(self, *args, **kwargs)
        object.__setattr__(self, "__dict__", fields[own])
        return access(self, name, *value)

    return accessed


# The type outlives the program: the next one in this process finds what this one sets.
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


for _name in ("__getattribute__", "__setattr__", "__delattr__"):
    setattr(_local, _name, _switched(getattr(object, _name)))
_thread._local = _local
_thread.get_ident, _thread.start_joinable_thread = get_ident, start_joinable_thread
for _function in (_is_owned, _recursion_count, _release_save, _acquire_restore):
    setattr(_thread.RLock, _function.__name__, _function)
_lock.acquire, _lock.release = acquire, release

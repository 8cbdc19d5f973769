"""Mends the interpreter's `_thread`, which has one thread: a thread runs to its end when it's started. While it does, it has a
number and local attributes of its own."""

import _thread

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


for _name in ("__getattribute__", "__setattr__", "__delattr__"):
    setattr(_local, _name, _switched(getattr(object, _name)))
_thread._local = _local
_thread.get_ident, _thread.start_joinable_thread = get_ident, start_joinable_thread

"""`select` over what sockets of a page there are: ends of pairs in memory."""

import _thread
import time

import _socket

error = OSError


# Static, because `selectors` keeps it in a class, where a function of Python's would become a method.
@staticmethod
def select(rlist, wlist, xlist, timeout=None):
    """Waits until one of `rlist` has something to read. What is written never has to wait."""
    number = lambda end: end if isinstance(end, int) else end.fileno()
    until = None if timeout is None else time.monotonic() + timeout
    while True:
        ready = [end for end in rlist if _socket._has_data(number(end))]
        left = None if until is None else until - time.monotonic()
        if ready or wlist or (left is not None and left <= 0):
            return ready, list(wlist), []
        if not _thread._count():
            if left is None:
                raise OSError("the program would wait forever: nothing is left that could wake it")
            time.sleep(left)
        else:
            # Only another thread can write meanwhile.
            time.sleep(0.001 if left is None else min(left, 0.001))

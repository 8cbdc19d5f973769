"""Marks for profilers. There's no profiler here to see them."""

import contextlib


def range_push(msg):
    return 0


def range_pop():
    return 0


def mark(msg):
    """No profiler listens."""


@contextlib.contextmanager
def range(msg, *args, **kwargs):
    yield

"""The names of `os` that `importlib` looks for under this one."""


def __getattr__(name):
    import os

    return getattr(os, name)

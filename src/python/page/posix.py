"""The names of `os` again: `importlib` looks for them in a module called `posix`."""


def __getattr__(name):
    import os

    return getattr(os, name)

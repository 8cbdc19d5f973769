"""The names of `os`, under the module name in which `importlib` looks them up."""


def __getattr__(name):
    import os

    return getattr(os, name)

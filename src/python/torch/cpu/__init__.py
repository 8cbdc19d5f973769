"""The host with the interface of an accelerator, so that a program doesn't have to check which device it has."""

from contextlib import contextmanager


class Stream:
    """The host runs everything in order."""

    def wait_stream(self, stream):
        pass

    def record_event(self):
        pass

    def wait_event(self, event):
        pass


_current = Stream()


def is_available():
    return True


def is_initialized():
    return True


def device_count():
    return 1


def current_device():
    return "cpu"


def set_device(device):
    """There is only one."""


def synchronize(device=None):
    """Returns immediately: the host has done all its work."""


def current_stream(device=None):
    return _current


@contextmanager
def stream(stream):
    yield


def __getattr__(name):
    if name == "amp":
        import importlib

        return importlib.import_module("torch.cpu.amp")
    if name in ("Event", "StreamContext", "get_capabilities"):
        raise NotImplementedError(f"torch.cpu.{name}")
    raise AttributeError(f"module 'torch.cpu' has no attribute '{name}'")

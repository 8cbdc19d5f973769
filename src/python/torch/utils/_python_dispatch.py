"""Modes that see every operator in PyTorch's dispatcher, which doesn't exist here."""


class TorchDispatchMode:
    """Refused when it's entered: operators run in the engine, which doesn't call Python."""

    def __init__(self, _dispatch_key=None):
        pass

    def __enter__(self):
        raise NotImplementedError("torch.utils._python_dispatch.TorchDispatchMode: operators aren't dispatched to Python here. "
                                  "torch.overrides.TorchFunctionMode sees the functions that a program calls, and "
                                  "torch.profiler.profile the operators that run")

    def __exit__(self, *exc):
        pass

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

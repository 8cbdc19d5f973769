"""Intel's GPUs, which this PyTorch isn't built for."""


def is_available():
    return False


def is_initialized():
    return False


def device_count():
    return 0


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(f"module 'torch.xpu' has no attribute '{name}'")
    raise AssertionError("Torch not compiled with XPU enabled")

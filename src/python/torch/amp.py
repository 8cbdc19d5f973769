"""Mixed precision. Casting is not here yet: a context that would change results raises instead."""

import functools
import warnings

import _torch


class autocast:
    """Computes chosen operators in half precision inside a `with` block."""

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        if enabled and device_type == "cuda" and not _torch._machine()[0]:
            warnings.warn("CUDA is not available or torch_xla is imported. Disabling autocast.", stacklevel=2)
            enabled = False
        self.device = device_type
        self.fast_dtype = dtype if dtype is not None else get_autocast_dtype(device_type)
        self._enabled = enabled

    def __enter__(self):
        if self._enabled:
            raise NotImplementedError("torch.autocast (mixed precision)")
        return self

    def __exit__(self, *exc):
        return False

    def __call__(self, function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return wrapper


def get_autocast_dtype(device_type):
    return _torch.float16 if device_type in ("cuda", "mps") else _torch.bfloat16


def is_autocast_enabled(device_type="cuda"):
    return False


class GradScaler:
    """Scales losses so that half-precision gradients do not vanish; disabled, it does nothing."""

    def __init__(self, device="cuda", init_scale=2.0**16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000,
                 enabled=True):
        if enabled and device == "cuda" and not _torch._machine()[0]:
            warnings.warn("torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.", stacklevel=2)
            enabled = False
        if enabled:
            raise NotImplementedError("torch.amp.GradScaler")
        self._enabled = enabled

    def scale(self, outputs):
        return outputs

    def unscale_(self, optimizer):
        """Nothing was scaled."""

    def step(self, optimizer, *args, **kwargs):
        return optimizer.step(*args, **kwargs)

    def update(self, new_scale=None):
        """There is no scale to update."""

    def get_scale(self):
        return 1.0

    def is_enabled(self):
        return self._enabled

    def state_dict(self):
        return {}

    def load_state_dict(self, state_dict):
        """There is no state."""

"""Helpers for training, as torch.nn.utils."""

import math
import sys
import types
import warnings

import _torch
from _torch import Tensor

from . import rnn


def _gradients(parameters):
    parameters = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    return [p.grad for p in parameters if p.grad is not None]


def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    tensors = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    if not tensors:
        return _torch.tensor(0.0)
    device = tensors[0].device
    norms = [t.norm(float(norm_type)).to(device) for t in tensors]
    total = _torch.stack(norms).norm(float(norm_type))
    if error_if_nonfinite and not math.isfinite(total.item()):
        raise RuntimeError(
            f"The total norm of order {float(norm_type)} for gradients from `parameters` is non-finite, so it cannot be clipped. "
            "To disable this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return total


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Scales gradients in place so that their common norm is at most `max_norm`. Returns the norm before scaling."""
    if isinstance(parameters, types.GeneratorType):
        parameters = list(parameters)
        if not parameters:
            warnings.warn("`parameters` is an empty generator, no gradient clipping will occur.", stacklevel=2)
    with _torch._grad_mode("no_grad"):
        grads = _gradients(parameters)
        total = get_total_norm(grads, norm_type, error_if_nonfinite)
        # Multiplying by a clamped coefficient avoids a branch, which would wait for the device.
        scale = (float(max_norm) / (total + 1e-6)).clamp(max=1.0)
        for grad in grads:
            grad.mul_(scale.to(grad.device))
        return total


def clip_grad_value_(parameters, clip_value, foreach=None):
    clip_value = float(clip_value)
    with _torch._grad_mode("no_grad"):
        for grad in _gradients(parameters):
            grad.clamp_(-clip_value, clip_value)


def _same_device(param, device):
    if device is not None and param.device != device:
        raise TypeError("Found two parameters on different devices, this is currently not supported.")
    return param.device


def parameters_to_vector(parameters):
    device, flat = None, []
    for p in parameters:
        device = _same_device(p, device)
        flat.append(p.view(-1))
    return _torch.cat(flat)


def vector_to_parameters(vec, parameters):
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec).__name__}")
    device, start = None, 0
    for p in parameters:
        device = _same_device(p, device)
        count = p.numel()
        p.data = vec[start : start + count].view_as(p).data
        start += count


# Loaded when a program first uses them.
_LATER = {
    "clip_grad": None, "convert_parameters": None, "fusion": None,
    "parametrizations": None, "parametrize": None, "prune": None, "stateless": None, "remove_spectral_norm": "_hooked_norms",
    "remove_weight_norm": "_hooked_norms", "spectral_norm": "_hooked_norms", "weight_norm": "_hooked_norms",
}
_LATER.update(dict.fromkeys((
    "clip_grad_norm", "clip_grads_with_norm_", "fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval",
    "fuse_linear_bn_weights", "skip_init", "convert_conv2d_weight_memory_format", "convert_conv3d_weight_memory_format",
), "_more"))

# What `from torch.nn.utils import *` brings, those that are loaded later among them.
__all__ = [
    "clip_grad_norm_", "clip_grad_value_", "get_total_norm", "parameters_to_vector", "rnn", "vector_to_parameters",
    *(name for name in _LATER if name not in ("clip_grad", "convert_parameters", "fusion", "prune", "stateless")),
]


def __getattr__(name):
    if name in _LATER:
        import importlib

        module = importlib.import_module(f"torch.nn.utils.{_LATER[name] or name}")
        found = getattr(module, name) if _LATER[name] else module
        globals()[name] = found
        return found
    raise AttributeError(f"module 'torch.nn.utils' has no attribute '{name}'")


class _Hooked(types.ModuleType):
    """A module named like the function in it, for files and imports. The function stays what `torch.nn.utils` has by that name."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        from torch.nn.utils import _hooked_norms

        return getattr(_hooked_norms, name)


for _name in ("weight_norm", "spectral_norm"):
    sys.modules[f"{__name__}.{_name}"] = _Hooked(f"{__name__}.{_name}")

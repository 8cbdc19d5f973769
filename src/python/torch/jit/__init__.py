"""TorchScript's entry points, as in torch.jit. A scripted or traced object stays the Python object that it was, and a
warning says so once."""

import builtins
import warnings
from typing import Final

from torch.nn import Module as ScriptModule

_said = False


def _say_once():
    global _said
    if not _said:
        _said = True
        warnings.warn("torch.jit doesn't make a TorchScript program here: you get your own module or function back, which "
                      "computes the same. It has no `.graph` or `.code` and can't be saved with torch.jit.save.",
                      stacklevel=3)


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    warnings.warn("`torch.jit.script` is deprecated. Please switch to `torch.compile` or `torch.export`.", FutureWarning,
                  stacklevel=2)
    if obj is None or builtins.isinstance(obj, (bool, int, float, complex, str)):
        raise TypeError(f"{type(obj)} is a built-in class")
    _say_once()
    return obj


def trace(func, example_inputs=None, *args, example_kwarg_inputs=None, **options):
    """Runs `func` once, as tracing does, and returns it."""
    warnings.warn("`torch.jit.trace` is deprecated. Please switch to `torch.compile` or `torch.export`.", FutureWarning,
                  stacklevel=2)
    _say_once()
    if example_kwarg_inputs is not None:
        func(**example_kwarg_inputs)
    else:
        func(*(example_inputs if builtins.isinstance(example_inputs, (tuple, list)) else (example_inputs,)))
    return func


def trace_module(mod, inputs, *args, **options):
    """Runs each method of `mod` that `inputs` names with its arguments, and returns the module."""
    if not builtins.isinstance(mod, ScriptModule):
        raise AttributeError("expected torch.nn.Module as the first argument")
    if not builtins.isinstance(inputs, dict):
        raise AttributeError("expected a dictionary of (method_name, input) pairs")
    _say_once()
    for name, given in inputs.items():
        method = mod if name == "forward" else getattr(mod, name)
        method(*(given if builtins.isinstance(given, (tuple, list)) else (given,)))
    return mod


def script_if_tracing(fn):
    return fn


def script_method(fn):
    return fn


def export(fn):
    return fn


def ignore(drop=False, **kwargs):
    return drop if callable(drop) else lambda fn: fn


def unused(fn):
    return fn


def interface(obj):
    return obj


def annotate(the_type, the_value):
    return the_value


def isinstance(obj, target_type):
    return builtins.isinstance(obj, target_type)


def is_scripting():
    return False


def is_tracing():
    return False


def freeze(mod, preserved_attrs=None, optimize_numerics=True):
    if mod.training:
        raise RuntimeError("Freezing is currently only implemented for modules in eval mode. Please call .eval() on your module "
                           "before freezing.")
    return mod


def optimize_for_inference(mod, other_methods=None):
    return mod


def fork(func, *args, **kwargs):
    """Calls the function immediately. Its result is kept for `wait`."""
    future = _Future()
    future._result = func(*args, **kwargs)
    return future


def wait(future):
    return future.wait()


class _Future:
    def wait(self):
        return self._result


def enable_onednn_fusion(enabled):
    """The executor decides what is fused."""


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module 'torch.jit' has no attribute '{name}'")
    raise NotImplementedError(f"torch.jit.{name}")

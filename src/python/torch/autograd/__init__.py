"""Gradients: the engine's entry points, functions of your own, modes."""

import warnings

import _torch
from torch import _modes
from torch.autograd import graph
from torch.autograd.function import Function
from torch.autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from torch.autograd.variable import Variable
from _torch import Tensor


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None):
    """Adds the gradients of `tensors` to the `.grad` of the leaves from which they were computed."""
    _torch._backward(tensors, grad_tensors, retain_graph, create_graph, inputs)


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None,
         is_grads_batched=False, materialize_grads=False):
    """The gradients of `outputs` for `inputs`; no `.grad` changes."""
    if is_grads_batched:
        raise NotImplementedError("torch.autograd.grad(is_grads_batched=True)")
    if not isinstance(inputs, Tensor) and len(inputs) == 0:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    if materialize_grads and allow_unused is False:
        raise ValueError("Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
                         "allow_unused=False.")
    found = _torch._grad(outputs, inputs, grad_outputs, retain_graph, create_graph, only_inputs,
                         allow_unused or materialize_grads)
    if materialize_grads:
        inputs = (inputs,) if isinstance(inputs, Tensor) else inputs
        found = tuple(_torch.zeros_like(i) if g is None else g for i, g in zip(inputs, found))
    return found


_NO_ANOMALIES = ("Anomaly detection isn't available here: a backward pass that computes NaN is neither stopped nor explained. Look for "
                 "NaN with torch.isnan, for example in a hook: tensor.register_hook(lambda g: print(g.isnan().any())).")
_anomaly = [False, True]


class set_detect_anomaly:
    """Keeps PyTorch's switch, and says that nothing looks for anomalies."""

    def __init__(self, mode, check_nan=True):
        self._before = list(_anomaly)
        if mode:
            warnings.warn(_NO_ANOMALIES, stacklevel=2 if type(self) is set_detect_anomaly else 3)
        _anomaly[:] = mode, check_nan

    def __enter__(self):
        pass

    def __exit__(self, *exc):
        _anomaly[:] = self._before


class detect_anomaly(set_detect_anomaly):
    """Needs the engine to look at every gradient, so it isn't here."""

    def __init__(self, check_nan=True):
        raise NotImplementedError("torch.autograd.detect_anomaly: a backward pass here can't be stopped at the first NaN. Look for NaN with "
                                  "torch.isnan, for example in a hook: tensor.register_hook(lambda g: print(g.isnan().any()))")


def gradcheck(func, inputs, **options):
    from torch.autograd.gradcheck import gradcheck

    return gradcheck(func, inputs, **options)


def gradgradcheck(func, inputs, grad_outputs=None, **options):
    from torch.autograd.gradcheck import gradgradcheck

    return gradgradcheck(func, inputs, grad_outputs, **options)


def __getattr__(name):
    if name in ("forward_ad", "functional", "profiler"):
        import importlib

        return importlib.import_module("torch.autograd." + name)
    if name in ("anomaly_mode", "inference_mode"):
        raise NotImplementedError(f"torch.autograd.{name}")
    raise AttributeError(f"module 'torch.autograd' has no attribute '{name}'")

"""Gradients: the engine's entry points, functions of your own, modes."""

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


class set_detect_anomaly:
    """Anomaly detection isn't implemented. Switching it on changes nothing that a program computes."""

    def __init__(self, mode=True, check_nan=True):
        pass

    def __enter__(self):
        pass

    def __exit__(self, *exc):
        pass


class detect_anomaly(set_detect_anomaly):
    def __init__(self, check_nan=True):
        raise NotImplementedError("torch.autograd.detect_anomaly")


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

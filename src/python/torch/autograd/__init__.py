"""Gradients: the engine's entry points, functions of your own, modes."""

import sys
import warnings
from collections.abc import Mapping

import _torch
from torch import _modes
from torch.autograd import graph
from torch.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from torch.autograd.function import Function
from torch.autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from torch.autograd.variable import Variable
from _torch import Tensor


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None):
    """Adds the gradients of `tensors` to the `.grad` of the leaves from which they were computed."""
    if grad_variables is not None:
        warnings.warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning, stacklevel=2)
        if grad_tensors is not None:
            raise RuntimeError("`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only "
                               "use `grad_tensors`.")
        grad_tensors = grad_variables
    if inputs is not None:
        inputs = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs.values() if type(inputs) is dict else inputs)
        if not inputs:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    if not isinstance(tensors, Tensor):
        tensors = tuple(tensors)
    grad_tensors = _counted(tensors, grad_tensors)
    transforms = sys.modules.get("torch._transforms")
    if transforms is not None and transforms.stack:
        raise RuntimeError(transforms.NO_BACKWARD)
    with graph._pass(tensors, inputs):
        _torch._backward(tensors, grad_tensors, retain_graph, create_graph, inputs)


def _counted(outputs, gradients):
    """The gradients that were given, as many as there are outputs. More than that are ignored, as in PyTorch."""
    if gradients is None:
        return None
    gradients = (gradients,) if isinstance(gradients, Tensor) else tuple(gradients)
    count = 1 if isinstance(outputs, Tensor) else len(outputs)
    if count > len(gradients):
        raise RuntimeError(f"got {count} tensors and {len(gradients)} gradients")
    return gradients[:count]


def _grad_of_each(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused):
    """The gradients for each item of a batch of `grad_outputs`, stacked: one pass through the graph for each."""
    given = (grad_outputs,) if isinstance(grad_outputs, Tensor) else tuple(grad_outputs or ())
    if len(given) != len(outputs):
        raise RuntimeError(f"got {len(outputs)} tensors and {len(given)} gradients")
    for output, seed in zip(outputs, given):
        if seed is not None and seed.shape[1:] != output.shape:
            raise RuntimeError("If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch "
                               "dimension. The sizes of the remaining dimensions are expected to match the shape of corresponding "
                               f"output, but a mismatch was detected: grad_output[0] has a shape of {seed.shape[2:]} and output[0] has a "
                               f"shape of {output.shape}. If you only want some tensors in `grad_output` to be considered batched, "
                               "consider using vmap.")
    counts = [len(seed) for seed in given if seed is not None]
    if not counts:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    if min(counts) == 0:
        raise NotImplementedError("torch.autograd.grad(is_grads_batched=True) with an empty batch")
    if min(counts) != max(counts):
        raise ValueError("vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
                         f"{counts} for the mapped dimension")
    keep = create_graph if retain_graph is None else retain_graph
    rows = []
    for i in range(counts[0]):
        seeds = tuple(None if seed is None else seed[i] for seed in given)
        rows.append(_torch._grad(outputs, inputs, seeds, keep or i + 1 < counts[0], create_graph, True, allow_unused))
    return tuple(None if column[0] is None else _torch.stack(column) for column in zip(*rows))


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None,
         is_grads_batched=False, materialize_grads=False):
    """The gradients of `outputs` for `inputs`; no `.grad` changes."""
    if materialize_grads and allow_unused is False:
        raise ValueError("Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
                         "allow_unused=False.")
    if allow_unused is None:
        allow_unused = materialize_grads
    outputs = tuple(graph._of_edge(t) for t in ((outputs,) if isinstance(outputs, (Tensor, graph.GradientEdge)) else outputs))
    names = None
    if isinstance(inputs, (Tensor, graph.GradientEdge)):
        inputs = (inputs,)
    elif type(inputs) is dict:
        names, inputs = inputs.keys(), tuple(inputs.values())
    elif isinstance(inputs, Mapping):
        raise TypeError(f"`inputs` argument to `grad()` must be a dict, not {type(inputs).__name__}. Other Mapping types are not "
                        "supported.")
    else:
        inputs = tuple(inputs)
    if not inputs:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    if materialize_grads and any(isinstance(i, graph.GradientEdge) for i in inputs):
        raise RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge")
    inputs = tuple(map(graph._of_edge, inputs))
    if not only_inputs:
        warnings.warn("only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for other "
                      "parts of the graph, please use torch.autograd.backward.", FutureWarning, stacklevel=2)
    grad_outputs = _counted(outputs, grad_outputs)
    with graph._pass(outputs, inputs, True):
        if is_grads_batched:
            found = _grad_of_each(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused)
        else:
            found = _torch._grad(outputs, inputs, grad_outputs, retain_graph, create_graph, True, allow_unused)
    if materialize_grads:
        found = tuple(_torch.zeros_like(i, requires_grad=create_graph) if g is None else g for i, g in zip(inputs, found))
    return found if names is None else dict(zip(names, found))


def __getattr__(name):
    if name in ("forward_ad", "functional", "profiler"):
        import importlib

        return importlib.import_module("torch.autograd." + name)
    if name == "inference_mode":
        raise NotImplementedError(f"torch.autograd.{name}")
    raise AttributeError(f"module 'torch.autograd' has no attribute '{name}'")


# The functions come after their module, which would otherwise take the name.
from torch.autograd.gradcheck import gradcheck, gradgradcheck

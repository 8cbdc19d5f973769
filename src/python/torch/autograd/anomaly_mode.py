"""Anomaly detection: a backward pass that computes NaN is an error.

PyTorch looks at what every function of the graph returns. Here only the gradients that a pass ends with are looked at, so the
error can't name the function.
"""

import warnings

import _torch
from _torch import Tensor
from torch.autograd import graph

__all__ = ["detect_anomaly", "set_detect_anomaly"]

_enabled, _check_nan = False, True
_native = Tensor.backward


def is_anomaly_enabled():
    return _enabled


def is_anomaly_check_nan_enabled():
    return _check_nan


def set_anomaly_enabled(mode, check_nan=True):
    global _enabled, _check_nan
    _enabled, _check_nan = bool(mode), check_nan
    watch()


def watch():
    """Has `Tensor.backward` go through Python, if something needs to know of it."""
    Tensor.backward = _watched if _enabled and _check_nan or graph._asked else _native


def _watched(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    backward(_native, self, gradient, retain_graph, create_graph, inputs)


def _leaves(tensors):
    """The tensors that a pass from these ends at."""
    nodes, seen, found = [t.grad_fn for t in tensors if t.grad_fn is not None], set(), []
    while nodes:
        node = nodes.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        leaf = getattr(node, "variable", None)
        if leaf is not None:
            found.append(leaf)
        # Nodes are made when they're asked for, so they're kept until the end.
        seen.add(node)
        nodes += [after for after, _ in node.next_functions if after is not None]
    return found


def backward(run, tensors, *options):
    """Runs a pass, and looks at the gradients of its leaves if anomalies are wanted."""
    with graph._pass(tensors, options[3]):
        _checked(run, tensors, *options)


def _checked(run, tensors, *options):
    if not (_enabled and _check_nan):
        return run(tensors, *options)
    leaves = _leaves([tensors] if isinstance(tensors, Tensor) else tensors)
    before = [leaf.grad is not None and _has_nan(leaf.grad) for leaf in leaves]
    run(tensors, *options)
    check([leaf.grad for leaf, had in zip(leaves, before) if not had])


def _has_nan(t):
    return (t.is_floating_point() or t.is_complex()) and bool(_torch.isnan(t.detach()).any())


def check(gradients):
    if _enabled and _check_nan and any(isinstance(g, Tensor) and _has_nan(g) for g in gradients):
        raise RuntimeError("A function of this backward pass returned nan values. Anomaly detection here finds them in the gradients at "
                           "the end of the pass, so it can't name the function.")


class set_detect_anomaly:
    """Switches the check on or off, at once or for a `with` block."""

    def __init__(self, mode, check_nan=True):
        self.prev, self.prev_check_nan = _enabled, _check_nan
        set_anomaly_enabled(mode, check_nan)

    def __enter__(self):
        pass

    def __exit__(self, *_):
        set_anomaly_enabled(self.prev, self.prev_check_nan)


class detect_anomaly:
    """A block with the check on."""

    def __init__(self, check_nan=True):
        self.prev, self.prev_check_nan, self.check_nan = _enabled, _check_nan, check_nan
        warnings.warn("Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for debugging.",
                      stacklevel=2)

    def __enter__(self):
        set_anomaly_enabled(True, self.check_nan)

    def __exit__(self, *_):
        set_anomaly_enabled(self.prev, self.prev_check_nan)

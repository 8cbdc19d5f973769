"""The graph's nodes and edges, and hooks for the tensors that nodes save."""

import abc
import contextlib
from collections import namedtuple

import _torch
from _torch import Tensor

from torch.autograd.function import BackwardCFunction

# Why `saved_tensors_hooks` are refused now, or None, and how many blocks have some.
_refusal = None
_entered = 0

# Whether a hook asks which pass it's called in, and the passes that run: for each, the nodes that it runs.
_asked = False
_passes = []
# For each pass that runs, whether it goes to given tensors only.
_selective = []
# What is called once when the pass that runs now ends.
_at_end = []


class Node(abc.ABC):
    """A node of the graph: `tensor.grad_fn`."""

    def __new__(cls, *args, **kwargs):
        raise TypeError("cannot create 'torch.autograd.graph.Node' instances")

    @classmethod
    def __subclasshook__(cls, subclass):
        if cls is Node and issubclass(subclass, (_torch.Node, BackwardCFunction)):
            return True
        return NotImplemented


# Where the gradient of a tensor goes: a node, and which of its outputs the tensor is.
GradientEdge = namedtuple("GradientEdge", ("node", "output_nr", "ownership_token"), defaults=(None,))


class _Edge(GradientEdge):
    """An edge that keeps its tensor, which stands for it in a backward pass."""


_Edge.__name__ = _Edge.__qualname__ = "GradientEdge"


def get_gradient_edge(tensor):
    """The edge of a tensor. `torch.autograd.grad` takes it in place of the tensor."""
    if not tensor.requires_grad:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    node = tensor.grad_fn
    if node is None:
        with _torch._grad_mode("enable_grad"):
            node = tensor.view_as(tensor).grad_fn.next_functions[0][0]
    edge = _Edge(node, tensor.output_nr)
    edge._tensor = tensor
    return edge


def _of_edge(value):
    """The tensor of an edge; other values as they are."""
    if not isinstance(value, GradientEdge):
        return value
    if isinstance(value, _Edge):
        return value._tensor
    leaf = getattr(value.node, "variable", None)
    if leaf is None:
        raise NotImplementedError("torch.autograd.graph.GradientEdge of a node: use get_gradient_edge(tensor)")
    return leaf


def increment_version(tensor):
    """Counts a change of one tensor or several, as if an operator had written into them."""
    if not (isinstance(tensor, Tensor) or hasattr(tensor, "__iter__")):
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
    for t in (tensor,) if isinstance(tensor, Tensor) else tensor:
        with _torch._grad_mode("no_grad"):
            # Writing nothing counts as a change.
            t.detach().unsqueeze(0)[:0].zero_()


class saved_tensors_hooks:
    """Inside the block, `pack` is called with every tensor that an operator saves, and `unpack` with the result of
    `pack`."""

    def __init__(self, pack_hook, unpack_hook):
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self):
        global _entered
        if _refusal is not None:
            raise RuntimeError(_refusal)
        _torch._push_saved_hooks(self.pack_hook, self.unpack_hook)
        _entered += 1

    def __exit__(self, *exc):
        global _entered
        _torch._pop_saved_hooks()
        _entered -= 1


class save_on_cpu(saved_tensors_hooks):
    """Keeps saved tensors in host memory until the backward pass needs them."""

    def __init__(self, pin_memory=False, device_type="cuda"):
        def pack(tensor):
            if not pin_memory:
                return tensor.device, tensor.cpu()
            packed = _torch.empty(
                tensor.size(), dtype=tensor.dtype, pin_memory=_torch._machine()[0] and not tensor.device.type == "cpu"
            )
            packed.copy_(tensor)
            return tensor.device, packed

        def unpack(packed):
            device, tensor = packed
            return tensor.to(device, non_blocking=pin_memory)

        super().__init__(pack, unpack)


@contextlib.contextmanager
def disable_saved_tensors_hooks(error_message):
    """Within this, `saved_tensors_hooks` raise an error with this text."""
    global _refusal
    if _entered:
        raise RuntimeError(error_message)
    before, _refusal = _refusal, error_message
    try:
        yield
    finally:
        _refusal = before


_mutation = []


class _AllowMutationOnSavedContext:
    """What the block is given. It only stands for the block."""


@contextlib.contextmanager
def allow_mutation_on_saved_tensors():
    """Within this, tensors may be changed in place after an operator saved them. PyTorch copies a tensor before it's changed; here
    each is copied when it's saved."""
    if _mutation:
        raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
    context = _AllowMutationOnSavedContext()

    def pack(tensor):
        with _torch._grad_mode("no_grad"):
            return tensor.clone()

    def unpack(copy):
        if context not in _mutation:
            raise AssertionError("Trying to backward outside of the 'allow_mutation_on_saved_tensors' contextin which the graph was "
                                 "originally recorded.")
        return copy

    with saved_tensors_hooks(pack, unpack):
        _mutation.append(context)
        try:
            yield context
        finally:
            _mutation.clear()


def _executed(roots, inputs):
    """The nodes that a pass from these tensors runs: all, or those that lead to `inputs`."""
    waiting, before = [_node(t) for t in roots], {}
    for node in waiting:
        before[node] = []
    while waiting:
        node = waiting.pop()
        for after, _ in node.next_functions:
            if after is not None:
                if after not in before:
                    waiting.append(after)
                before.setdefault(after, []).append(node)
    if inputs is None:
        return set(before)
    waiting = [node for t in inputs if (node := _node(t)) in before]
    found = set(waiting)
    while waiting:
        waiting += (more := [node for node in before[waiting.pop()] if node not in found])
        found.update(more)
    return found


def _node(tensor):
    return get_gradient_edge(tensor).node


@contextlib.contextmanager
def _pass(roots, inputs, captures=False):
    """A backward pass, for hooks that ask which one they're called in."""
    watched = _asked
    _selective.append(inputs is not None)
    if watched:
        roots = (roots,) if isinstance(roots, Tensor) else roots
        inputs = (inputs,) if isinstance(inputs, Tensor) else inputs
        _passes.append((_executed([t for t in roots if t.requires_grad], inputs), captures))
    try:
        yield
    finally:
        _selective.pop()
        if watched:
            _passes.pop()
            while _at_end:
                _at_end.pop()()


class _MultiHandle:
    def __init__(self, handles):
        self.handles = handles

    def remove(self):
        for handle in self.handles:
            handle.remove()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.remove()


def register_multi_grad_hook(tensors, fn, *, mode="all"):
    """Calls `fn` once in a pass: with the gradients of all tensors, None for those that have none in this pass, or with the first of
    them ("any")."""
    global _asked
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    if not _asked:
        _asked = True
        native = Tensor.backward

        def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
            with _pass(self, inputs):
                native(self, gradient, retain_graph, create_graph, inputs)

        Tensor.backward = backward
    if mode == "all" and not all(t.requires_grad for t in tensors):
        raise AssertionError("Expected gradient function to be set")
    nodes = [_node(t) for t in tensors if t.requires_grad] if mode == "any" else [_node(t) for t in tensors]
    known = []

    def hook_of(place):
        def hook(grad):
            executed, captures = _passes[-1]
            if not known or known[0] is not executed:
                if captures and mode == "all" and any(hasattr(node, "variable") for node in nodes):
                    raise RuntimeError("A leaf node was passed to _will_engine_execute_node but we are currently running "
                                       "autograd.grad(). This is currently not supported.")
                known[:] = executed, [None] * len(nodes), sum(node in executed for node in nodes)
                if mode == "any":
                    fn(grad)
            known[1][place] = grad
            known[2] -= 1
            if mode == "all" and known[2] == 0:
                fn(known[1])

        return hook

    wanted = [t for t in tensors if t.requires_grad]
    return _MultiHandle(tuple(t.register_hook(hook_of(i)) for i, t in enumerate(wanted)))

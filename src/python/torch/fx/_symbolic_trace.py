"""Tracing: a module or function is called with proxies, while torch's functions record calls with them."""

import contextlib
import functools
import inspect
import sys
import types
import warnings

import torch
from torch.nn import Module, Parameter, Sequential
from torch.overrides import _as_handed_over

from .graph import Graph
from .graph_module import GraphModule
from .node import Node, map_aggregate, named_in_c
from .proxy import Proxy, TraceError

# The functions registered with `wrap`: globals of a module, and a name in them.
_wrapped = []


def wrap(fn_or_name):
    """Makes each call of a function with proxies a node of its own. Used at the top of a module, by name or as a
    decorator."""
    if not callable(fn_or_name) and not isinstance(fn_or_name, str):
        raise RuntimeError("Unsupported type for global function! Must be either a callable or string name")
    name = fn_or_name if isinstance(fn_or_name, str) else fn_or_name.__name__
    frame = sys._getframe(1)
    if frame.f_code.co_name != "<module>":
        raise NotImplementedError("wrap must be called at the top level of a module")
    _wrapped.append((frame.f_globals, name))
    return fn_or_name


def is_wrapped(function):
    return any(space.get(name) is function for space, name in _wrapped)


def _has_proxy(value):
    if isinstance(value, Proxy):
        return True
    if isinstance(value, (tuple, list)):
        return any(_has_proxy(v) for v in value)
    if isinstance(value, dict):
        return any(_has_proxy(v) for v in value.values())
    return isinstance(value, slice) and any(_has_proxy(v) for v in (value.start, value.stop, value.step))


def _proxy_in(value):
    if isinstance(value, Proxy):
        return value
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (tuple, list)) else ()
    return next((p for p in map(_proxy_in, parts) if p is not None), None)


def _recording(function, handed_over=False, op="call_function"):
    """Records calls with proxies. `handed_over` is whether PyTorch has the function in Python: such functions hand over their
    arguments by name, with the defaults.
    """
    target = function if op == "call_function" else function.__name__

    def call(*args, **kwargs):
        if _has_proxy(args) or (kwargs and _has_proxy(kwargs)):
            if handed_over:
                args, kwargs = _as_handed_over(function, args, kwargs)
            return _proxy_in((args, kwargs)).tracer.create_proxy(op, target, args, kwargs)
        return function(*args, **kwargs)

    return call


def _recording_of(module, name, function):
    if module is not torch.nn.functional or named_in_c(function):
        return _recording(function)
    # In PyTorch, these call the method.
    if name in ("sigmoid", "tanh"):
        return _recording(function, op="call_method")
    return _recording(function, handed_over=isinstance(function, types.FunctionType))


@contextlib.contextmanager
def _patched(tracer):
    """During a trace, torch's functions and calls of modules record calls with proxies."""
    undo = []
    for module in (torch, torch.nn.functional, torch.linalg):
        space = vars(module)
        for name, value in list(space.items()):
            ours = not name.startswith("_") and callable(value) and not isinstance(value, type)
            if ours and not isinstance(value, (torch.dtype,)) and hasattr(value, "__name__"):
                undo.append((space, name, value))
                space[name] = _recording_of(module, name, value)
    for space, name in _wrapped:
        value = space.get(name, getattr(__import__("builtins"), name, None))
        undo.append((space, name, space.get(name, undo)))
        space[name] = _recording(value)
    call = Module.__call__

    def recorded(module, *args, **kwargs):
        return tracer.call_module(module, lambda *a, **k: call(module, *a, **k), args, kwargs)

    Module.__call__ = recorded
    try:
        yield
    finally:
        Module.__call__ = call
        for space, name, value in reversed(undo):
            if value is undo:
                del space[name]
            else:
                space[name] = value


class Tracer:
    """Makes a graph from a module or a function. `is_leaf_module` decides which modules are recorded as one call."""

    def __init__(self, autowrap_modules=(), autowrap_functions=(), param_shapes_constant=False):
        self.tensor_attrs = {}

    def is_leaf_module(self, m, module_qualified_name):
        return m.__module__.startswith(("torch.nn", "torch.ao.nn")) and not isinstance(m, Sequential)

    def path_of_module(self, mod):
        for name, module in self.root.named_modules():
            if module is mod:
                return name
        raise NameError("module is not installed as a submodule")

    def call_module(self, m, forward, args, kwargs):
        path = self.path_of_module(m)
        if self.is_leaf_module(m, path):
            return self.create_proxy("call_module", path, args, kwargs)
        return forward(*args, **kwargs)

    def iter(self, obj):
        raise TraceError("Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or as a *args or "
                         "**kwargs function argument. See the torch.fx docs on pytorch.org for a more detailed explanation of "
                         "what types of control flow can be traced, and check out the Proxy docstring for help troubleshooting "
                         "Proxy iteration errors")

    def to_bool(self, obj):
        raise TraceError("symbolically traced variables cannot be used as inputs to control flow")

    def proxy(self, node):
        return Proxy(node, self)

    def create_node(self, kind, target, args, kwargs, name=None, type_expr=None):
        return self.graph.create_node(kind, target, args, kwargs, name, type_expr)

    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None):
        args, kwargs = self.create_arg(args), self.create_arg(kwargs)
        return self.proxy(self.create_node(kind, target, args, kwargs, name, type_expr))

    def _path_of(self, named, value):
        return next((name for name, known in named if known is value), None)

    def create_arg(self, a):
        def convert(value):
            if isinstance(value, Proxy):
                return value.node
            if isinstance(value, torch.Tensor):
                return self._tensor(value)
            return value

        return map_aggregate(a, convert)

    def _tensor(self, value):
        root = self.root
        if isinstance(value, Parameter):
            path = self._path_of(root.named_parameters(), value)
            if path is None:
                raise NameError("parameter is not a member of this module")
            return self.create_node("get_attr", path, (), {})
        path = self._path_of(root.named_buffers(), value) or self.tensor_attrs.get(id(value))
        if path is None:
            number = 0
            while hasattr(root, f"_tensor_constant{number}"):
                number += 1
            path = f"_tensor_constant{number}"
            self.tensor_attrs[id(value)] = path
            setattr(root, path, value)
        return self.create_node("get_attr", path, (), {})

    def _attributes(self, module, prefix=""):
        """Plain tensors in attributes of the module and its children."""
        for name, value in module.__dict__.items():
            if isinstance(value, torch.Tensor):
                self.tensor_attrs[id(value)] = prefix + name
        for name, child in module.named_children():
            self._attributes(child, f"{prefix}{name}.")

    def trace(self, root, concrete_args=None):
        if isinstance(root, Module):
            self.root = root
            function = type(root).forward
            self._attributes(root)
        else:
            self.root = Module()
            function = root
        self.graph = Graph(tracer_cls=type(self))
        concrete = concrete_args or {}
        with _patched(self):
            called, args = self._placeholders(function, isinstance(root, Module), concrete)
            result = called(*args)
        returns = inspect.signature(function).return_annotation
        self.create_node("output", "output", (self.create_arg(result),), {},
                         type_expr=None if returns is inspect.Signature.empty else returns)
        return self.graph

    def _specialized(self, name, value):
        """A parameter that the trace knows: the graph checks that it gets this value."""
        made = self.create_proxy("placeholder", name + "_1", (), {}, name=name + "_1")
        if isinstance(value, (bool, int, float)):
            text = f"{name} has been specialized to have value {value} but got another value"
            self.create_proxy("call_function", torch._assert, (made == value, text), {})
        elif value is None:
            text = f"{name} has been specialized to have value None but got another value"
            self.create_proxy("call_function", _assert_is_none, (made, text), {})
        else:
            warnings.warn(f"Was not able to add assertion to guarantee correct input {name} to specialized function. It is up "
                          "to the user to make sure that your inputs match the inputs you specialized the function with.",
                          stacklevel=4)
        return value

    def _placeholders(self, function, is_method, concrete):
        """What to call, and with what. Each parameter gets one proxy, also `*args` and `**kwargs`, as in PyTorch."""
        parameters = list(inspect.signature(function).parameters.values())
        called = _without_stars(function, parameters)
        args = []
        if is_method:
            args.append(self.root)
            parameters = parameters[1:]
        # Python stores the parameters of a function in this order.
        parameters.sort(key=lambda p: _PLACES[p.kind])
        for p in parameters:
            if p.name in concrete:
                args.append(self._specialized(p.name, concrete[p.name]))
                continue
            star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
            default = () if p.default is p.empty else (p.default,)
            kind = None if p.annotation is p.empty else p.annotation
            args.append(self.create_proxy("placeholder", star + p.name, default, {}, type_expr=kind))
        return called, args


_PLACES = {
    inspect.Parameter.POSITIONAL_ONLY: 0, inspect.Parameter.POSITIONAL_OR_KEYWORD: 0, inspect.Parameter.KEYWORD_ONLY: 1,
    inspect.Parameter.VAR_POSITIONAL: 2, inspect.Parameter.VAR_KEYWORD: 3,
}


def _without_stars(function, parameters):
    """The function with all its parameters positional, so that `args` of `*args` is one proxy and no tuple around it."""
    if all(_PLACES[p.kind] == 0 for p in parameters):
        return function
    function = inspect.unwrap(function)
    if isinstance(function, types.MethodType):
        return functools.partial(_without_stars(function.__func__, parameters), function.__self__)
    code = function.__code__
    stars = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    code = code.replace(
        co_argcount=code.co_argcount + code.co_kwonlyargcount + stars, co_kwonlyargcount=0,
        co_flags=code.co_flags & ~(inspect.CO_VARARGS | inspect.CO_VARKEYWORDS),
    )
    return types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)


def _assert_is_none(value, msg):
    if value is not None:
        raise AssertionError(msg)


def symbolic_trace(root, concrete_args=None):
    """A module that computes what `root` does, with its graph."""
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    name = type(root).__name__ if isinstance(root, Module) else root.__name__
    return GraphModule(tracer.root, graph, name)

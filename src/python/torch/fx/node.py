"""A call in a graph."""

import builtins
import collections.abc
import operator
import types

import torch

_side_effects = {torch._assert} if hasattr(torch, "_assert") else set()


def has_side_effect(fn):
    _side_effects.add(fn)
    return fn


def map_arg(a, fn):
    """`a` with `fn` applied to every node in it."""
    return map_aggregate(a, lambda x: fn(x) if isinstance(x, Node) else x)


def map_aggregate(a, fn):
    if isinstance(a, tuple):
        parts = [map_aggregate(x, fn) for x in a]
        return type(a)(*parts) if hasattr(a, "_fields") else tuple(parts)
    if isinstance(a, list):
        return [map_aggregate(x, fn) for x in a]
    if isinstance(a, dict):
        return {k: map_aggregate(v, fn) for k, v in a.items()}
    if isinstance(a, slice):
        return slice(*(map_aggregate(x, fn) for x in (a.start, a.stop, a.step)))
    return fn(a)


_names = {}

# Functions of torch.nn.functional that PyTorch has in C++, and not in `torch`, with their names there.
_in_c = {getattr(torch.nn.functional, name): name for name in (
    "avg_pool2d", "avg_pool3d", "gelu", "linear", "one_hot", "scaled_dot_product_attention", "softplus", "softshrink")}
_in_c[torch.nn.functional.logsigmoid] = "log_sigmoid"

torch._C._nn = types.ModuleType("torch._C._nn")
for _function, _name in _in_c.items():
    setattr(torch._C._nn, _name, _function)


def named_in_c(function):
    """The name in `torch._C._nn`; `None` if it isn't there."""
    return _in_c.get(function) if isinstance(function, collections.abc.Hashable) else None


def _named_by_torch(function):
    """The module of torch in which this function is: functions written in C++ don't know it."""
    if not _names:
        for module in (torch.nn.functional, torch.linalg, torch):
            for name, value in vars(module).items():
                if callable(value) and not isinstance(value, type) and not name.startswith("_"):
                    _names[id(value)] = module.__name__, name
    return _names.get(id(function))


def qualified_name(function):
    name = getattr(function, "__name__", str(function))
    if getattr(builtins, name, None) is function:
        return name
    if getattr(operator, name, None) is function:
        return f"operator.{name}"
    if (there := named_in_c(function)) is not None:
        return f"torch._C._nn.{there}"
    known = _named_by_torch(function)
    if known is not None:
        return ".".join(known)
    if isinstance(function, types.FunctionType) or isinstance(function, type) or getattr(function, "__module__", None):
        return f"{function.__module__}.{name}"
    return name


def snake_case(text):
    result = []
    for i, c in enumerate(text):
        if c.isupper() and i and not text[i - 1].isupper() and text[i - 1] != "_":
            result.append("_")
        result.append(c.lower())
    return "".join(result)


class Node:
    """`op` is placeholder, get_attr, call_function, call_method, call_module or output; `target` is what is called."""

    def __init__(self, graph, name, op, target, args, kwargs, return_type=None):
        self.graph = graph
        self.name = name
        if op in ("call_method", "call_module") and not isinstance(target, str):
            raise ValueError(f"Node [graph = {graph}, name = '{name}'] target {target} has type {type(target)} but a str is "
                             "expected")
        if op == "call_function" and not callable(target):
            raise ValueError(f"Node [graph = {graph}, name = '{name}'] target {target} has type {type(target)} but a Callable is "
                             "expected")
        self.op = op
        self.target = target
        self._input_nodes = {}
        self.users = {}
        self.type = return_type
        self.meta = {}
        self._erased = False
        self._update_args_kwargs(args, kwargs)

    def _update_args_kwargs(self, args, kwargs):
        for old in self._input_nodes:
            old.users.pop(self, None)
        self._args = map_arg(tuple(args), lambda n: n)
        self._kwargs = map_arg(dict(kwargs), lambda n: n)
        self._input_nodes = {}
        map_arg((self._args, self._kwargs), lambda n: self._input_nodes.setdefault(n))
        for new in self._input_nodes:
            new.users.setdefault(self)

    @property
    def args(self):
        return self._args

    @args.setter
    def args(self, value):
        self._update_args_kwargs(value, self._kwargs)

    @property
    def kwargs(self):
        return self._kwargs

    @kwargs.setter
    def kwargs(self, value):
        self._update_args_kwargs(self._args, value)

    @property
    def all_input_nodes(self):
        return list(self._input_nodes)

    def _neighbor(self, step):
        nodes = self.graph._nodes
        return nodes[(nodes.index(self) + step) % len(nodes)]

    next = property(lambda self: self._neighbor(1))
    prev = property(lambda self: self._neighbor(-1))

    def update_arg(self, idx, arg):
        args = list(self.args)
        args[idx] = arg
        self.args = tuple(args)

    def insert_arg(self, idx, arg):
        if not 0 <= idx <= len(self.args):
            raise AssertionError("insert_args index must be between 0 and len(self.args)")
        self.args = self.args[:idx] + (arg,) + self.args[idx:]

    def update_kwarg(self, key, arg):
        self.kwargs = {**self.kwargs, key: arg}

    def prepend(self, x):
        self.graph._move(x, self, 0)

    def append(self, x):
        self.graph._move(x, self, 1)

    def replace_all_uses_with(self, replace_with, delete_user_cb=lambda user: True, *, propagate_meta=False):
        if propagate_meta:
            replace_with.meta.update(self.meta)
        changed = []
        for user in list(self.users):
            if delete_user_cb(user):
                user.replace_input_with(self, replace_with)
                changed.append(user)
        return changed

    def replace_input_with(self, old_input, new_input):
        swap = lambda n: new_input if n is old_input else n
        self._update_args_kwargs(map_arg(self.args, swap), map_arg(self.kwargs, swap))

    def is_impure(self, impure_random=True):
        if self.op in ("placeholder", "output"):
            return True
        return self.op == "call_function" and self.target in _side_effects

    def _pretty_target(self):
        if isinstance(self.target, str):
            return self.target
        name = qualified_name(self.target)
        return f"builtins.{name}" if "." not in name and hasattr(builtins, name) else name

    def format_node(self, placeholder_names=None, maybe_return_typename=None, *, include_tensor_metadata=False):
        head = f"%{self.name} : "
        if self.op == "placeholder":
            default = f"(default={self.args[0]})" if self.args else ""
            if placeholder_names is not None:
                placeholder_names.append(self.target)
                return None if not self.users else self._placeholder(head, default)
            return self._placeholder(head, default)
        if self.op == "get_attr":
            return f"{head}[num_users={len(self.users)}] = {self.op}[target={self._pretty_target()}]"
        if self.op == "output":
            return f"return {self.args[0]}"
        return (f"{head}[num_users={len(self.users)}] = {self.op}[target={self._pretty_target()}](args = "
                f"{_printed(self.args)}, kwargs = {_printed(self.kwargs)})")

    def _placeholder(self, head, default):
        kind = self.type
        if kind is not None:
            name = kind.__name__ if isinstance(kind, type) else str(kind)
            module = getattr(kind, "__module__", "builtins")
            head += (f"{module}.{name}" if isinstance(kind, type) and module != "builtins" else name) + " "
        return f"{head}[num_users={len(self.users)}] = {self.op}[target={self.target}]{default}"

    def __repr__(self):
        return self.name

    __hash__ = object.__hash__

    def __eq__(self, other):
        return self is other


def _printed(value):
    """As Python prints it, with `%` before nodes."""
    if isinstance(value, Node):
        return f"%{value.name}"
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        inner = ", ".join(_printed(v) for v in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, list):
        return f"[{', '.join(_printed(v) for v in value)}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {_printed(v)}" for k, v in value.items()) + "}"
    if isinstance(value, slice):
        return f"slice({_printed(value.start)}, {_printed(value.stop)}, {_printed(value.step)})"
    return str(value) if isinstance(value, str) else repr(value)

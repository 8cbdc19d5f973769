"""A stand-in for a value: operations on it become nodes of a graph."""

import builtins
import operator

from .node import Node, map_aggregate


class TraceError(ValueError):
    """The trace would need a value that it doesn't have."""


class Proxy:
    def __init__(self, node, tracer=None):
        self.tracer = tracer
        self.node = node

    def __repr__(self):
        return f"Proxy({self.node.name})"

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Attribute(self, name)

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_method", "__call__", (self,) + args, kwargs)

    def __iter__(self):
        return self.tracer.iter(self)

    def __bool__(self):
        return self.tracer.to_bool(self)

    def __len__(self):
        raise RuntimeError("'len' is not supported in symbolic tracing by default. If you want this call to be recorded, please "
                           "call torch.fx.wrap('len') at module scope")

    def __contains__(self, item):
        raise TraceError("'in' on a value that is traced")

    __hash__ = object.__hash__

    @classmethod
    def __torch_function__(cls, orig_method, types, args=(), kwargs=None):
        """Records a call of a function of torch, or of a tensor's method."""
        from torch.overrides import is_tensor_method_or_property

        tracers = []
        map_aggregate((args, kwargs or {}), lambda v: tracers.append(v.tracer) if isinstance(v, Proxy) else None)
        if is_tensor_method_or_property(orig_method):
            return tracers[0].create_proxy("call_method", orig_method.__name__, args, kwargs or {})
        return tracers[0].create_proxy("call_function", orig_method, args, kwargs or {})


class Attribute(Proxy):
    """An attribute of a proxy: a method if it's called, otherwise a value."""

    def __init__(self, root, attr):
        self.root = root
        self.attr = attr
        self.tracer = root.tracer
        self._node = None

    @property
    def node(self):
        if self._node is None:
            self._node = self.tracer.create_proxy("call_function", builtins.getattr, (self.root, self.attr), {}).node
        return self._node

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_method", self.attr, (self.root,) + args, kwargs)


def _operator(target, reflected=False):
    def operate(self, *others):
        args = (others[0], self) if reflected else (self, *others)
        return self.tracer.create_proxy("call_function", target, args, {})

    return operate


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift", "and_", "or_", "xor"):
    _magic = _name.strip("_")
    setattr(Proxy, f"__{_magic}__", _operator(getattr(operator, _name)))
    setattr(Proxy, f"__r{_magic}__", _operator(getattr(operator, _name), reflected=True))
    _in_place = getattr(operator, "i" + _magic)
    setattr(Proxy, f"__i{_magic}__", _operator(_in_place))
for _name in ("eq", "ne", "lt", "gt", "le", "ge", "getitem", "setitem", "neg", "pos", "invert", "abs"):
    setattr(Proxy, f"__{_name}__", _operator(getattr(operator, _name)))

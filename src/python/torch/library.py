"""Operators of your own, as in torch.library. Each has a schema, a function for each kind of device, and may have a gradient. They
are called by the object that `custom_op` returns or as `torch.ops.NAMESPACE.NAME`."""

import collections.abc
import contextlib
import inspect
import sys
import typing

import torch
from _torch import Tensor
from torch._ops import OpOverload, OpOverloadPacket, Schema, ops
from torch.autograd.function import Function
from torch.utils._pytree import tree_leaves, tree_map

__all__ = ["Library", "impl", "define", "custom_op", "infer_schema", "fallthrough_kernel", "register_autocast", "register_autograd",
           "register_fake", "register_kernel", "register_vmap", "impl_abstract"]

# What an operator's function is registered for, by PyTorch's names.
_ANY = (None, "", "CompositeExplicitAutograd", "CompositeImplicitAutograd")
_RESERVED = ("prim", "aten", "prims")
_known = {}


class _Operator:
    """What is registered for one operator."""

    def __init__(self, qualname, schema):
        self.namespace, _, self.name = qualname.partition("::")
        self.qualname, self.schema = qualname, Schema(qualname, schema)
        self.kernels, self.disabled, self.casts = {}, set(), {}
        self.fake = self.backward = self.setup = self.vmap = None
        # `impl` for "Autograd" takes over differentiation, and so does an operator that is a composition of others.
        self.own_autograd = self.checked = False
        base, _, overload = self.name.partition(".")
        space = getattr(ops, self.namespace)
        self.packet = vars(space).get(base) or OpOverloadPacket(self.namespace, base, self)
        setattr(space, base, self.packet)
        self.overload = self.packet._found[overload or "default"] = OpOverload(self.packet, overload or "default", self, self.schema)
        _known[qualname] = self

    def __call__(self, *args, **kwargs):
        args, kwargs = self.schema.bound(args, kwargs)
        batched = sys.modules.get("torch._batched")
        if batched is not None and batched.any_batched((*args, *kwargs.values())):
            if self.vmap is not None:
                return batched.by_function(self.vmap, args, kwargs)
            return batched.each_row(self, args, kwargs)
        tensors = [t for t in tree_leaves((args, kwargs)) if isinstance(t, Tensor)]
        kind = next((t.device.type for t in tensors), next((a.type for a in args if isinstance(a, torch.device)), "cpu"))
        if kind in self.casts and torch.is_autocast_enabled(kind):
            dtype = self.casts[kind]
            args = tree_map(lambda t: t.to(dtype) if isinstance(t, Tensor) and t.is_floating_point() and t.device.type == kind
                            and t.dtype != torch.float64 else t, args)
            with torch.autocast(kind, enabled=False):
                return self(*args, **kwargs)
        if self.own_autograd:
            return self.kernel(kind)(*args, **kwargs)
        if self.schema.mutated:
            named = dict(zip((name for name, _, _ in self.schema.arguments), args)) | kwargs
            for t in tree_leaves([named[name] for name in self.schema.mutated]):
                if torch.is_grad_enabled() and t.requires_grad and t.is_leaf:
                    raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
                torch.autograd.graph.increment_version(t)
        if torch.is_grad_enabled() and any(t.requires_grad for t in tensors) and self.schema.returns:
            return self.recorded(kind, args, kwargs)
        with torch.no_grad():
            return self.run(kind, args, kwargs)

    def kernel(self, kind):
        if kind == "meta" and self.fake is not None:
            return self.fake
        found = next((self.kernels[key] for key in (kind, *_ANY) if key in self.kernels and key not in self.disabled), None)
        if found is None and kind in self.disabled:
            found = self.kernels.get(None)
        if found is None:
            keys = ", ".join(map(str, self.kernels)) or "none"
            raise NotImplementedError(f"Could not run '{self.qualname}' with arguments from the '{kind.upper()}' backend. It has "
                                      f"functions for: {keys}.")
        return found

    def run(self, kind, args, kwargs):
        function = self.kernel(kind)
        # A function of an operator sees tensors that nothing differentiates.
        args, kwargs = tree_map(lambda t: t.detach() if isinstance(t, Tensor) and t.requires_grad else t, (args, kwargs))
        result = function(*args, **kwargs)
        if self.checked:
            given = {t.untyped_storage().data_ptr() for t in tree_leaves((args, kwargs)) if isinstance(t, Tensor) and t.numel()}
            outputs = [t for t in tree_leaves(result) if isinstance(t, Tensor) and t.numel()]
            places = [t.untyped_storage().data_ptr() for t in outputs]
            if kind != "meta" and (given & set(places) or len(set(places)) < len(places)):
                raise RuntimeError(
                    f"{self.name} (with implementation in {inspect.getmodule(function)}): The output of this custom operator (1) must "
                    "not also be an input to this custom operator and (2) may not alias any inputs to this custom operator or other "
                    "returns. The most common way to trigger this error is if we have y = custom_op(x) and y and x are the same Tensor. "
                    "Please instead return a clone of the offending output tensor(s) (e.g. return x.clone()) or refactor the custom "
                    "operator to not return y.")
        return result

    def recorded(self, kind, args, kwargs):
        """A call whose result has a node in the graph."""
        flat = [t for t in args if isinstance(t, Tensor)]
        lists = [t for a in args if isinstance(a, (list, tuple)) for t in a if isinstance(t, Tensor)]
        operator = self

        def forward(ctx, *_):
            result = operator.run(kind, args, kwargs)
            # `None` stands for lists, whose tensors come after the other arguments.
            ctx.needs_input_grad = tuple([t.requires_grad for t in a] if isinstance(a, (list, tuple)) and a and isinstance(
                a[0], Tensor) else isinstance(a, Tensor) and a.requires_grad for a in args)
            if operator.setup is not None:
                named = {"keyword_only_inputs": kwargs} if operator.schema.keyword_only else {}
                operator.setup(ctx=ctx, inputs=tuple(args), output=result, **named)
            return tuple(result) if isinstance(result, list) else result

        def backward(ctx, *grads):
            if operator.backward is None:
                raise RuntimeError(f"Trying to backward through {operator.overload} but no autograd formula was registered. Please use "
                                   "register_autograd to add one.")
            found = operator.backward(ctx, *([list(grads)] if operator.schema.returns == ["Tensor[]"] else grads))
            found = found if isinstance(found, tuple) else (found,)
            if len(found) != len(args):
                raise RuntimeError(f"The backward formula for {operator.overload} returned an incorrect number of gradients (expected "
                                   f"{len(args)}, got {len(found)}). Expected one gradient for each forward input, or for each "
                                   "positional input to the operator. Use None for inputs that do not require a gradient.")
            own = [g for a, g in zip(args, found) if isinstance(a, Tensor)]
            for a, g in zip(args, found):
                if isinstance(a, (list, tuple)):
                    own += [None if g is None else g[i] for i, t in enumerate(a) if isinstance(t, Tensor)]
            return tuple(own)

        name = f"GeneratedBackwardFor_{self.namespace}_{self.name}_{self.overload._overloadname}"
        made = type(name, (Function,), {"forward": staticmethod(forward), "backward": staticmethod(backward)})
        result = made.apply(*flat, *lists)
        return list(result) if self.schema.returns == ["Tensor[]"] else result


def _operator(op):
    if isinstance(op, CustomOpDef):
        return op._operator
    if isinstance(op, OpOverload):
        op = op.name()
    if op not in _known:
        raise RuntimeError(f"operator {op} does not exist")
    return _known[op]


def _decorator(function, register):
    """What `register` makes of a function that is given now, or to the decorator."""
    def decorate(function):
        register(function)
        return function

    return decorate if function is None else decorate(function)


class CustomOpDef:
    """An operator that `custom_op` made."""

    def __init__(self, namespace, name, schema, fn):
        self._namespace, self._name, self._schema, self._init_fn = namespace, name, schema, fn
        self._operator = _Operator(self._qualname, schema)
        self._operator.checked = True
        self._opoverload = self._operator.overload

    _qualname = property(lambda self: f"{self._namespace}::{self._name}")

    def __repr__(self):
        return f"<CustomOpDef({self._qualname})>"

    def __call__(self, *args, **kwargs):
        return self._opoverload(*args, **kwargs)

    def register_kernel(self, device_types, fn=None, /):
        kinds = [device_types] if device_types is None or isinstance(device_types, str) else list(device_types)
        return _decorator(fn, lambda fn: self._operator.kernels.update(dict.fromkeys(kinds, fn)))

    def register_fake(self, fn, /):
        self._operator.fake = fn
        return fn

    def register_autograd(self, backward, /, *, setup_context=None):
        register_autograd(self, backward, setup_context=setup_context)

    def register_vmap(self, func=None):
        return register_vmap(self, func)

    def register_autocast(self, device_type, cast_inputs):
        register_autocast(self, device_type, cast_inputs)

    @contextlib.contextmanager
    def set_kernel_enabled(self, device_type, enabled=True):
        kernels, off = self._operator.kernels, self._operator.disabled
        before = device_type in off
        (off.discard if enabled else off.add)(device_type)
        first = kernels.setdefault(None, self._init_fn)
        try:
            yield
        finally:
            (off.add if before else off.discard)(device_type)
            if first is not kernels.get(None):
                del kernels[None]


def custom_op(name, fn=None, /, *, mutates_args, device_types=None, schema=None, tags=None):
    """Makes an operator of a function, which must have types for its arguments and its result."""
    def inner(fn):
        made = schema if schema is not None else infer_schema(fn, mutates_args=mutates_args)
        namespace, opname = name.split("::")
        result = CustomOpDef(namespace, opname, made, fn)
        if schema is not None and set(result._operator.schema.mutated) != set(mutates_args):
            raise ValueError(f"Attempted to create a custom op with `mutates_args={mutates_args}` and `schema={schema}. The schema "
                             f"suggests that the op mutates {set(result._operator.schema.mutated)} which is different from what was "
                             "provided to us in `mutates_args`. Please make these consistent.")
        result.register_kernel(device_types)(fn)
        return result

    return inner if fn is None else inner(fn)


_BASES = {Tensor: "Tensor", int: "SymInt", float: "float", bool: "bool", str: "str", torch.dtype: "ScalarType",
          torch.device: "Device", int | float | bool: "Scalar", typing.Union[int, float, complex]: "Scalar"}


def _schema_type(kind):
    """The name of a type in schemas, or None."""
    if kind in _BASES:
        return _BASES[kind]
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if len(inner) == 2 and type(None) in inner:
        found = _schema_type(next(t for t in inner if t is not type(None)))
        return None if found is None else found + "?"
    if origin in (list, collections.abc.Sequence) and inner:
        found = _schema_type(inner[0])
        return None if found is None or found in ("str", "ScalarType", "Device") else found + "[]"
    return None


def infer_schema(prototype_function, /, *, mutates_args, op_name=None, tags=()):
    """The schema that the types of a function's arguments say."""
    signature = inspect.signature(prototype_function)

    def fail(what):
        raise ValueError(f"infer_schema(func): {what} Got func with signature {signature})")

    def real(kind):
        return eval(kind, prototype_function.__globals__) if isinstance(kind, str) else kind

    if isinstance(mutates_args, str) and mutates_args != "unknown":
        raise ValueError("mutates_args must either be a sequence of the names of the arguments that are mutated or the string "
                         "'unknown'. ")
    parts, starred = [], False
    for i, (name, parameter) in enumerate(signature.parameters.items()):
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            fail("We do not support positional-only args, varargs, or varkwargs.")
        if parameter.kind == parameter.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        if parameter.annotation is parameter.empty:
            fail(f"Parameter {name} must have a type annotation.")
        kind = _schema_type(real(parameter.annotation))
        if kind is None:
            fail(f"Parameter {name} has unsupported type {parameter.annotation}. The valid types are: {_BASES.keys()}.")
        if (mutates_args == "unknown" and kind.startswith("Tensor")) or (mutates_args != "unknown" and name in mutates_args):
            if not kind.startswith("Tensor"):
                fail(f"Parameter {name} is in mutable_args but only Tensors or collections of Tensors can be mutated")
            kind = f"Tensor(a{i}!){kind[len('Tensor'):]}"
        default = parameter.default
        if default is parameter.empty:
            parts.append(f"{kind} {name}")
        elif default is None or isinstance(default, (int, float)):
            parts.append(f"{kind} {name}={default}")
        elif isinstance(default, (str, torch.device)):
            parts.append(f'{kind} {name}="{default}"')
        elif isinstance(default, torch.dtype):
            parts.append(f"{kind} {name}={str(default).removeprefix('torch.')}")
        else:
            fail(f"Parameter {name} has an unsupported default value type {type(default)}. Please file an issue on GitHub so we can "
                 "prioritize this.")
    unseen = set() if mutates_args == "unknown" else set(mutates_args) - set(signature.parameters)
    if unseen:
        fail(f"{unseen} in mutates_args were not found in the custom op's signature. mutates_args should contain the names of all "
             "args that the custom op mutates, or just the string 'unknown' if you don't know.")
    annotation = real(signature.return_annotation)
    if annotation is inspect.Parameter.empty:
        fail("No return type annotation was provided. Please add one.")
    whole = typing.get_origin(annotation) is tuple
    kinds = [] if annotation is None else [_schema_type(t) for t in (typing.get_args(annotation) if whole else (annotation,))]
    if None in kinds or any(k.endswith("?") or k == "str" for k in kinds):
        fail(f"Return has unsupported type {annotation}. The valid types are: {_BASES}.")
    returns = "()" if not kinds else kinds[0] if not whole else f"(({kinds[0]}))" if len(kinds) == 1 else f"({', '.join(kinds)})"
    return f"{op_name or ''}({', '.join(parts)}) -> {returns}"


class Library:
    """The operators of a namespace: "DEF" makes it, "FRAGMENT" adds to it, and "IMPL" gives functions for its operators."""

    def __init__(self, ns, kind, dispatch_key=""):
        if kind not in ("IMPL", "DEF", "FRAGMENT"):
            raise ValueError(f"Unsupported kind: {kind}")
        if ns in _RESERVED and kind != "IMPL":
            raise ValueError(f"{ns} is a reserved namespace. Please try creating a library with another name.")
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key

    def __repr__(self):
        return f"Library(kind={self.kind}, ns={self.ns}, dispatch_key={self.dispatch_key})>"

    def define(self, schema, alias_analysis="", *, tags=()):
        if alias_analysis not in ("", "FROM_SCHEMA", "CONSERVATIVE"):
            raise RuntimeError(f"Invalid alias_analysis type {alias_analysis}")
        name, bracket, rest = schema.partition("(")
        _Operator(name if "::" in name else f"{self.ns}::{name}", bracket + rest)
        return name

    def impl(self, op_name, fn, dispatch_key="", *, with_keyset=False, allow_override=True):
        if not callable(fn):
            raise TypeError(f"Input function is required to be a callable but found type {type(fn)}")
        name = op_name.name() if isinstance(op_name, OpOverload) else op_name
        if self.ns == "aten" or with_keyset:
            raise NotImplementedError("torch.library.Library.impl of PyTorch's own operators, or with_keyset=True")
        _implement(_operator(name if "::" in name else f"{self.ns}::{name}"), dispatch_key or self.dispatch_key, fn)

    def _destroy(self):
        pass


def _implement(operator, key, fn):
    name = key or "CompositeImplicitAutograd"
    kind = {"CPU": "cpu", "CUDA": "cuda", "Meta": "meta"}.get(name, name)
    if kind in ("Autograd", "CompositeImplicitAutograd"):
        operator.own_autograd = True
    elif kind not in ("cpu", "cuda", "meta", "CompositeExplicitAutograd"):
        raise NotImplementedError(f"torch.library: a function for the dispatch key {name}")
    operator.kernels[None if kind == "Autograd" else kind] = fn


def define(qualname, schema=None, *, lib=None, tags=()):
    """Makes an operator that has no function yet."""
    if lib is not None:
        return _decorator(None, lambda fn: lib.impl(lib.define(qualname), fn, schema or ""))
    if not isinstance(qualname, str):
        raise ValueError(f"define(qualname, schema): expected qualname to be instance of str, got {type(qualname)}")
    _Operator(qualname, schema)


def impl(qualname, types, func=None, *, lib=None):
    """Gives an operator its function for some kinds of devices."""
    if isinstance(qualname, Library):
        return _decorator(func, lambda fn: qualname.impl(types, fn, ""))
    operator = _operator(qualname if lib is None or "::" in qualname else f"{lib.ns}::{qualname}")

    def register(fn):
        for kind in [types] if isinstance(types, str) else types:
            operator.kernels[None if kind == "default" else kind] = fn

    return _decorator(func, register)


def register_kernel(op, device_types, func=None, /, *, lib=None):
    return impl(_operator(op).qualname, "default" if device_types is None else device_types, func)


def register_fake(op, func=None, /, *, lib=None, _stacklevel=1, allow_override=False):
    """Gives an operator the function that makes its result's form, without numbers."""
    operator = _operator(op)
    return _decorator(func, lambda fn: setattr(operator, "fake", fn))


def impl_abstract(qualname, func=None, *, lib=None, _stacklevel=1):
    return register_fake(qualname, func)


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    """Gives an operator its gradient."""
    operator = _operator(op)
    if operator.schema.mutated:
        raise RuntimeError(f"Cannot register autograd formula for non-functional operator {op} with schema {operator.schema}. Please "
                           "create a functional operator and register an autograd formula for that.")
    operator.backward, operator.setup = backward, setup_context


def register_vmap(op, func=None, /, *, lib=None):
    """Gives an operator the function that computes all rows of `torch.vmap` at once: `func(info, in_dims, *args)` returns the result
    and the dimension along which its rows lie."""
    operator = _operator(op)
    return _decorator(func, lambda fn: setattr(operator, "vmap", fn))


def register_autocast(op, device_type, cast_inputs, /, *, lib=None):
    """Says the dtype that an operator's inputs have under autocast."""
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
    _operator(op).casts[device_type] = cast_inputs


def fallthrough_kernel():
    """A name for a dispatch key that has no function of its own."""
    raise NotImplementedError("fallthrough_kernel() should never be called.")


def __getattr__(name):
    if name in ("opcheck", "triton_op", "wrap_triton", "get_ctx", "get_kernel", "register_torch_dispatch"):
        raise NotImplementedError(f"torch.library.{name}")
    raise AttributeError(f"module 'torch.library' has no attribute '{name}'")

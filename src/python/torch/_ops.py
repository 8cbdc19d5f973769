"""torch.ops: operators by the names that PyTorch's dispatcher has for them. A program's own are defined by torch.library; the rest
are PyTorch's, which are there as far as torch has a function or a method of that name."""

import re

import torch
from _torch import Tensor
from torch._utils import _refusing

_TYPES = {"Tensor": Tensor, "int": int, "SymInt": int, "float": float, "bool": bool, "str": str, "Device": torch.device,
          "ScalarType": torch.dtype}
_ARGUMENT = re.compile(r"(?P<type>\w+(?:\([\w!]+\))?[\[\]\d?]*) (?P<name>\w+)(?:=(?P<default>.+))?$")


class Schema:
    """The names, types and default values of an operator's arguments."""

    def __init__(self, qualname, text):
        self.name, self.text = qualname, text
        inside, _, returns = text.strip().removeprefix("(").rpartition(") -> ")
        if not returns:
            raise RuntimeError(f"expected a schema of the form '(Tensor x) -> Tensor', got {text!r}")
        self.returns = [] if returns.strip() == "()" else returns.strip("()").split(", ")
        self.arguments, self.keyword_only = [], []
        into = self.arguments
        for part in filter(None, re.split(r", *(?![^\[]*\])", inside)):
            if part == "*":
                into = self.keyword_only
                continue
            found = _ARGUMENT.match(part)
            if found is None:
                raise RuntimeError(f"expected a type and a name, got {part!r} in {text!r}")
            into.append((found["name"], found["type"], found["default"]))
        self.mutated = [name for name, kind, _ in self.arguments + self.keyword_only if "!" in kind]

    def __str__(self):
        return self.name + self.text

    __repr__ = __str__

    def bound(self, args, kwargs):
        """The positional arguments with values for all names, and the others."""
        known = {name for name, _, _ in self.arguments + self.keyword_only}
        if len(args) > len(self.arguments):
            raise RuntimeError(f"{self.name}() expected at most {len(self.arguments)} argument(s) but received {len(args)} argument(s). "
                               f"Declaration: {self}")
        for name in kwargs:
            if name not in known:
                raise RuntimeError(f"Unknown keyword argument '{name}' for operator '{self.name}'. Schema: {self}")
        filled = [], {}
        for i, (name, kind, default) in enumerate(self.arguments + self.keyword_only):
            if i < len(args):
                value = args[i]
            elif name in kwargs:
                value = kwargs[name]
            elif default is None:
                raise RuntimeError(f"{self.name}() is missing value for argument '{name}'. Declaration: {self}")
            else:
                value = _default(default, kind)
            _check(self, i, name, kind, value)
            if i < len(self.arguments):
                filled[0].append(value)
            else:
                filled[1][name] = value
        return filled


def _default(text, kind):
    if kind == "ScalarType":
        return getattr(torch, text)
    if text.startswith('"'):
        return torch.device(text.strip('"')) if kind.startswith("Device") else text.strip('"')
    return {"None": None, "True": True, "False": False}[text] if text in ("None", "True", "False") else (
        float(text) if kind.startswith("float") else int(text) if text.lstrip("-").isdigit() else float(text))


def _check(schema, position, name, kind, value):
    plain = re.sub(r"\(.*?\)", "", kind)
    if plain.endswith("?"):
        if value is None:
            return
        plain = plain[:-1]
    wanted = _TYPES.get(plain)
    if wanted is None or isinstance(value, wanted) or (wanted is float and isinstance(value, int)):
        return
    shown = plain.replace("SymInt", "int")
    raise RuntimeError(f"{schema.name}() Expected a value of type '{shown}' for argument '{name}' but instead found type "
                       f"'{type(value).__name__}'.\nPosition: {position}\nValue: {value}\nDeclaration: {schema}\n"
                       f"Cast error details: Unable to cast {value!r} to {shown}")


class OpOverload:
    """One operator."""

    def __init__(self, packet, overload, call, schema=None):
        self._packet, self._overloadname, self._call, self._schema = packet, overload, call, schema
        self.__name__ = f"{packet.__name__}.{overload}"
        self.__module__ = packet.__module__
        self.namespace = self._namespace = packet._namespace

    overloadpacket = property(lambda self: self._packet)

    def name(self):
        return self._packet._qualified_op_name + ("" if self._overloadname == "default" else f".{self._overloadname}")

    def __call__(self, /, *args, **kwargs):
        return self._call(*args, **kwargs)

    def __str__(self):
        return f"{self._packet}.{self._overloadname}"

    def __repr__(self):
        return f"<OpOverload(op='{self._packet}', overload='{self._overloadname}')>"


class OpOverloadPacket:
    """All operators of one name."""

    def __init__(self, namespace, name, call):
        self._namespace, self.__name__, self._call = namespace, name, call
        self._qualified_op_name = f"{namespace}::{name}"
        self.__module__ = f"torch._ops.{namespace}"
        self._found = {}

    def __call__(self, /, *args, **kwargs):
        return self._call(*args, **kwargs)

    def __getattr__(self, overload):
        if overload.startswith("__"):
            raise AttributeError(f"'OpOverloadPacket' object has no attribute '{overload}'")
        if overload not in self._found:
            if self._namespace != "aten":
                raise AttributeError(f"The underlying op of '{self}' has no overload name '{overload}'")
            self._found[overload] = OpOverload(self, overload, self._call)
        return self._found[overload]

    def overloads(self):
        return list(self._found)

    def __str__(self):
        return f"{self._namespace}.{self.__name__}"

    def __repr__(self):
        return f"<OpOverloadPacket(op='{self}')>"


class _OpNamespace:
    def __init__(self, name):
        self.name, self.__module__ = name, f"torch.ops.{name}"

    def __getattr__(self, name):
        call = None
        if self.name == "aten" and not name.startswith("__"):
            call = next((found for owner in (torch, Tensor, torch.nn.functional)
                         if (found := getattr(owner, name, None)) is not None), None)
            if call is None and name in ("convolution", "convolution_backward"):
                call = _refusing("torch.ops.aten", name, "only its name is there")
            if call is None:
                raise NotImplementedError(f"torch.ops.aten.{name}")
        if call is None:
            raise AttributeError(f"'_OpNamespace' '{self.name}' object has no attribute '{name}'")
        packet = OpOverloadPacket(self.name, name, call)
        setattr(self, name, packet)
        return packet


class _Ops:
    __name__, __file__ = "torch.ops", "_ops.py"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(f"module 'torch.ops' has no attribute '{name}'")
        namespace = _OpNamespace(name)
        setattr(self, name, namespace)
        return namespace


ops = _Ops()

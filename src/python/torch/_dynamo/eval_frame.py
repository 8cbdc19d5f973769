"""`torch.compile`: checks its arguments as PyTorch does, says once that nothing is compiled, and runs the program as
it's written."""

import functools
import warnings

from torch.nn import Module

_MODES = ("default", "lite", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune")
_BACKENDS = ("cudagraphs", "inductor", "openxla", "tvm", "eager", "aot_eager", "aot_eager_decomp_partition",
             "aot_eager_default_partitioner", "aot_ts", "eager_debug", "eager_noexcept", "invoke_subgraph", "openxla_eval",
             "pre_dispatch_eager", "ts")
# Backends that the program registered, by name.
_registered = {}
_said = False
# How many calls of compiled functions enclose what runs now.
_inside = 0


def _run(function, args, kwargs):
    global _inside
    _inside += 1
    try:
        return function(*args, **kwargs)
    finally:
        _inside -= 1


class InvalidBackend(RuntimeError):
    """A compiler backend that nobody registered."""


def say_once():
    global _said
    if not _said:
        _said = True
        warnings.warn("torch.compile doesn't compile anything here: your program runs exactly as you wrote it, with the same "
                      "results.", stacklevel=3)


class OptimizedModule(Module):
    """The module that `torch.compile(module)` returns. It shares the original's parameters, under names with the
    prefix `_orig_mod.`."""

    def __init__(self, mod):
        super().__init__()
        self._orig_mod = mod
        self.training = mod.training

    def forward(self, *args, **kwargs):
        through = self.__dict__.get("_through")
        return _run(self._orig_mod if through is None else through, args, kwargs)

    def __getattr__(self, name):
        modules = self.__dict__.get("_modules", {})
        if name in modules:
            return modules[name]
        return getattr(modules["_orig_mod"], name)

    def __setattr__(self, name, value):
        if name in type(self).__dict__ or name in self.__dict__ or "_modules" not in self.__dict__ or name == "_orig_mod":
            super().__setattr__(name, value)
        else:
            setattr(self._orig_mod, name, value)

    def __len__(self):
        if hasattr(self._orig_mod, "__len__"):
            return len(self._orig_mod)
        raise TypeError(f"{type(self._orig_mod)} does not support len()")


def compile(model=None, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, name=None,
            disable=False):
    if model is None:
        def decorate(model):
            if model is None:
                raise RuntimeError("Model can't be None")
            return compile(model, fullgraph=fullgraph, dynamic=dynamic, backend=backend, mode=mode, options=options,
                           disable=disable)

        decorate.__name__ = decorate.__qualname__ = "fn"
        return decorate
    if mode is not None and options is not None:
        raise RuntimeError("Either mode or options can be specified, but both can't be specified at the same time.")
    if disable:
        return model
    if backend == "inductor" and mode is not None and mode not in _MODES:
        raise RuntimeError(f"Unrecognized mode={mode}, should be one of: {', '.join(_MODES)}")
    if isinstance(backend, str):
        backend = _registered.get(backend, backend)
    if isinstance(backend, str) and backend not in _BACKENDS:
        raise InvalidBackend(f"Invalid backend: {backend!r}. See `torch._dynamo.list_backends()` for available backends.")
    if not callable(model):
        raise AssertionError(f"A callable function is expected, but {type(model)} is provided.")
    if callable(backend) and not isinstance(backend, str) and not isinstance(model, type):
        from ._backend import through

        if not isinstance(model, Module):
            return through(backend, model)
        made = OptimizedModule(model)
        made.__dict__["_through"] = through(backend, model)
        return made
    say_once()
    if isinstance(model, Module):
        return OptimizedModule(model)
    if isinstance(model, type):
        return model

    @functools.wraps(model)
    def same(*args, **kwargs):
        return _run(model, args, kwargs)

    same._torchdynamo_orig_callable = model
    return same

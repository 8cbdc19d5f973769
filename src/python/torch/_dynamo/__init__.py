"""The parts of the compiler that programs use. There is nothing to compile to: programs run as they're written."""

from _torch import Tensor

from . import config
from .eval_frame import _BACKENDS, _registered, InvalidBackend, OptimizedModule, compile


def list_backends(exclude_tags=("debug", "experimental")):
    shown = {"cudagraphs", "inductor", "openxla", "tvm"}
    if "experimental" not in (exclude_tags or ()):
        shown.add("openxla_eval")
    if "debug" not in (exclude_tags or ()):
        shown |= set(_BACKENDS) - {"openxla_eval"}
    return sorted(shown | set(_registered))


def register_backend(compiler_fn=None, name=None, tags=()):
    """Lets `torch.compile` find a backend by its name."""
    if compiler_fn is None:
        return lambda fn: register_backend(fn, name, tags)
    if not callable(compiler_fn):
        raise AssertionError(f"compiler_fn must be callable, got {type(compiler_fn)}")
    _registered[name or compiler_fn.__name__] = compiler_fn
    return compiler_fn


def optimize(backend="inductor", *, nopython=False, dynamic=None, **options):
    """Returns a decorator that does what `torch.compile` does."""
    return lambda fn: compile(fn, fullgraph=nopython, dynamic=dynamic, backend=backend)


def run(fn=None):
    """Doesn't compile anything new, which is how every function runs here."""
    return fn if fn is not None else lambda fn: fn


def reset():
    """Forgets compiled code; there is none."""


def mark_dynamic(t, index, **_):
    """Marks a size as variable, which every size already is here."""


mark_static = maybe_mark_dynamic = mark_dynamic


def mark_static_address(t, guard=True):
    """Promises that a tensor stays where it is, which matters to CUDA graphs only."""
    if not isinstance(t, Tensor):
        raise TypeError(f"mark_static_address expects a tensor but received {type(t)}")


def allow_in_graph(fn):
    """Returns a function unchanged, or each function of a list."""
    if isinstance(fn, (list, tuple)):
        return [allow_in_graph(one) for one in fn]
    if not callable(fn):
        raise AssertionError("allow_in_graph expects a callable")
    return fn


disallow_in_graph = forbid_in_graph = assume_constant_result = allow_in_graph


def disable(fn=None, recursive=True, *, reason=None, wrapping=True):
    """Returns a function unchanged."""
    return fn if fn is not None else lambda fn: fn


def graph_break(msg=""):
    """Splits compiled code in two; nothing is compiled."""


def is_compiling():
    return False


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module 'torch._dynamo' has no attribute '{name}'")
    raise NotImplementedError(f"torch._dynamo.{name}")

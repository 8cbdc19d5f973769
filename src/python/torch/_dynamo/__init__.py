"""The parts of the compiler that programs use. There is nothing to compile to: programs run as they're written."""

from . import config
from .eval_frame import _BACKENDS, InvalidBackend, OptimizedModule, compile


def list_backends(exclude_tags=("debug", "experimental")):
    shown = {"cudagraphs", "inductor", "openxla", "tvm"}
    if "experimental" not in (exclude_tags or ()):
        shown.add("openxla_eval")
    if "debug" not in (exclude_tags or ()):
        shown |= set(_BACKENDS) - {"openxla_eval"}
    return sorted(shown)


def reset():
    """Forgets compiled code; there is none."""


def mark_dynamic(t, index, **_):
    """Marks a size as variable, which every size already is here."""


mark_static = maybe_mark_dynamic = mark_dynamic


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

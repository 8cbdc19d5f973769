"""What `torch.compile` reaches of the compiler. There is nothing to compile to: programs run as they are written."""

from . import config
from .eval_frame import InvalidBackend, OptimizedModule, compile

_BACKENDS = ("cudagraphs", "inductor", "onnxrt", "openxla", "tvm")


def list_backends(exclude_tags=("debug", "experimental")):
    return sorted(_BACKENDS)


def reset():
    """Forgets what was compiled: nothing."""


def mark_dynamic(t, index, **_):
    """Says that a size varies; it may here anyway."""


mark_static = maybe_mark_dynamic = mark_dynamic


def disable(fn=None, recursive=True, *, reason=None, wrapping=True):
    """Leaves a function as it is."""
    return fn if fn is not None else lambda fn: fn


def graph_break(msg=""):
    """Splits what is compiled in two: nothing is."""


def is_compiling():
    return False


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module 'torch._dynamo' has no attribute '{name}'")
    raise NotImplementedError(f"torch._dynamo.{name}")

"""Controls of the compiler, as in torch.compiler. Nothing is compiled here, so they don't change programs."""

from torch._dynamo import disable, list_backends, reset
from torch._dynamo.eval_frame import compile

__all__ = ["compile", "assume_constant_result", "reset", "allow_in_graph", "list_backends", "disable", "set_stance",
           "cudagraph_mark_step_begin", "is_compiling", "is_dynamo_compiling", "is_exporting"]

_STANCES = ("default", "eager_then_compile", "aot_eager_then_compile", "force_eager", "eager_on_recompile",
            "fail_on_recompile")


def is_compiling():
    return False


def is_dynamo_compiling():
    return False


def is_exporting():
    return False


def allow_in_graph(fn):
    return fn


def assume_constant_result(fn):
    return fn


def nested_compile_region(fn=None, *args, **kwargs):
    """Marks a part that is compiled once and used often."""
    return fn if fn is not None else lambda fn: fn


def nonstrict_trace(traceable_fn):
    return traceable_fn


def cudagraph_mark_step_begin():
    """Marks the beginning of a training step."""


class set_stance:
    """How compiled functions behave; used as a call, a `with` block or a decorator."""

    def __init__(self, stance="default", *, skip_guard_eval_unsafe=False, force_backend=None):
        if stance not in _STANCES:
            raise RuntimeError(f"invalid torch.compile stance '{stance}'")

    def __call__(self, fn):
        return fn

    def __enter__(self):
        pass

    def __exit__(self, *exc):
        pass


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module 'torch.compiler' has no attribute '{name}'")
    raise NotImplementedError(f"torch.compiler.{name}")

"""Saves memory by computing more: what a checkpointed function would save for the backward pass is computed again
there."""

import contextlib
import warnings
import weakref

import torch
from _torch import Tensor
from torch.autograd import graph
from torch.autograd.function import Function
from torch.autograd.graph import saved_tensors_hooks

_UNSAID = (
    "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. In a future release, calling "
    "checkpoint without use_reentrant will raise an exception. use_reentrant=False is recommended, but if you need to "
    "preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the "
    "differences between the two variants."
)

_TIP = """
Tip: To see a more detailed error message, either pass `debug=True` to
`torch.utils.checkpoint.checkpoint(...)` or wrap the code block
with `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to
enable checkpoint‑debug mode globally.

If this error occurs under torch.compile with automatic_dynamic_shapes enabled,
it may be because the recomputation selected a different compiled graph than the
forward pass (e.g., a dynamic graph instead of the original static graph).
To fix this, either:
  - Use torch._dynamo.mark_dynamic() to explicitly mark varying dimensions as
    dynamic upfront, avoiding the static-to-dynamic transition.
  - Call torch._C._dynamo.eval_frame._set_lru_cache(False) to disable LRU cache
    reordering, which can change which graph is checked first between forward
    and recompute.
See https://github.com/pytorch/pytorch/issues/166926 for more details and
workaround examples.
"""

# What `set_checkpoint_early_stop` says, or None.
_early_stop = None


class CheckpointError(RuntimeError):
    """The function behaved differently the second time."""


class _Modes:
    """The random state and the autocast settings with which a function first ran."""

    def __init__(self, preserve_rng_state, args):
        self.preserve = preserve_rng_state
        if preserve_rng_state:
            self.cpu = torch.get_rng_state()
            self.devices = sorted({a.device.index for a in args if isinstance(a, Tensor) and a.is_cuda})
            self.cuda = [torch.cuda.get_rng_state(d) for d in self.devices]
        self.autocast = [(kind, torch.is_autocast_enabled(kind), torch.get_autocast_dtype(kind)) for kind in ("cpu", "cuda")]

    @contextlib.contextmanager
    def again(self):
        with contextlib.ExitStack() as stack:
            if self.preserve:
                stack.enter_context(torch.random.fork_rng(devices=self.devices))
                torch.set_rng_state(self.cpu)
                for device, state in zip(self.devices, self.cuda):
                    torch.cuda.set_rng_state(state, device)
            for kind, enabled, dtype in self.autocast:
                if enabled or torch.is_autocast_enabled(kind):
                    stack.enter_context(torch.autocast(kind, dtype=dtype, enabled=enabled))
            yield


def detach_variable(inputs):
    if not isinstance(inputs, tuple):
        raise RuntimeError("Only tuple of tensors is supported. Got Unsupported input type: ", type(inputs).__name__)
    out = []
    for value in inputs:
        if isinstance(value, Tensor):
            x = value.detach()
            x.requires_grad = value.requires_grad
            value = x
        out.append(value)
    return tuple(out)


class CheckpointFunction(Function):
    """The reentrant form: one node for the entire function, whose backward pass runs another one inside."""

    @staticmethod
    def forward(ctx, run_function, preserve_rng_state, *args):
        if not any(isinstance(a, Tensor) and a.requires_grad for a in args):
            warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2)
        ctx.run_function = run_function
        ctx.modes = _Modes(preserve_rng_state, args)
        # The tensors are freed after the backward pass of this node, like those that any other node saves.
        ctx.save_for_backward(*(a for a in args if isinstance(a, Tensor)))
        ctx.args = [None if isinstance(a, Tensor) else a for a in args]
        ctx.places = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        return run_function(*args)

    @staticmethod
    def backward(ctx, *grads):
        if graph._selective and graph._selective[-1]:
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` parameter to "
                ".backward(). To resolve this error, you can either set use_reentrant=False, or call .backward() without passing "
                "the `inputs` argument."
            )
        inputs = list(ctx.args)
        for i, tensor in zip(ctx.places, ctx.saved_tensors):
            inputs[i] = tensor
        inputs = detach_variable(tuple(inputs))
        with torch.enable_grad(), ctx.modes.again():
            outputs = ctx.run_function(*inputs)
        if isinstance(outputs, Tensor):
            outputs = (outputs,)
        pairs = [(o, g) for o, g in zip(outputs, grads) if isinstance(o, Tensor) and o.requires_grad]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        torch.autograd.backward([o for o, _ in pairs], [g for _, g in pairs])
        return (None, None) + tuple(i.grad if isinstance(i, Tensor) else None for i in inputs)


class _Stop(Exception):
    """Everything that the backward pass needs has been computed."""


class _Holder:
    """Takes the place of a tensor in the graph that wasn't kept."""

    __slots__ = ("index", "__weakref__")


class _Frame:
    """One call of a checkpointed function."""

    def __init__(self, run, modes, early_stop, compares, around):
        self.compares = compares
        self.around = around
        self.run = run
        self.modes = modes
        self.early_stop = early_stop
        self.holders = []
        self.shapes = []
        self.found = {}
        self.counted = 0

    def pack(self, tensor):
        holder = _Holder()
        holder.index = len(self.holders)
        self.holders.append(weakref.ref(holder))
        self.shapes.append({"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device})
        return holder

    def unpack(self, holder):
        if holder.index not in self.found:
            self._recompute()
        return self.found.pop(holder.index)

    def _recompute(self):
        self.found.clear()
        self.counted, wrong = 0, []

        def keep(tensor):
            index, self.counted = self.counted, self.counted + 1
            if index < len(self.holders):
                now = {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}
                if self.holders[index]() is not None:
                    self.found[index] = tensor.detach()
                    if self.compares and now != self.shapes[index]:
                        wrong.append(f"tensor at position {index}:\nsaved metadata: {self.shapes[index]}\nrecomputed metadata: {now}\n")
            if self.early_stop and self.counted == len(self.holders):
                raise _Stop
            return tensor.detach()

        with torch.enable_grad(), self.modes.again(), saved_tensors_hooks(keep, lambda t: t):
            try:
                with self.around:
                    self.run()
            except _Stop:
                pass
        if self.counted != len(self.holders):
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
                f"recomputation.\nNumber of tensors saved during forward: {len(self.holders)}\nNumber of tensors saved "
                f"during recomputation: {self.counted}.\n{_TIP}"
            )
        if wrong:
            raise CheckpointError("torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than "
                                  f"during the forward pass.\n{''.join(wrong)}.\n{_TIP}")


def checkpoint(
    function, *args, use_reentrant=None, context_fn=None, determinism_check="default", debug=False, early_stop=True,
    preserve_rng_state=True, **kwargs,
):
    """Runs `function(*args, **kwargs)` without saving tensors for its backward pass, which runs the function again.
    `use_reentrant=False` does this with saved-tensor hooks; `True` with a node of its own, which needs an input
    that requires gradients."""
    if use_reentrant is None:
        warnings.warn(_UNSAID, stacklevel=2)
        use_reentrant = True
    if use_reentrant:
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        if context_fn not in (None, noop_context_fn) or debug:
            raise ValueError("Passing `context_fn`, `debug`, or `respect_saved_tensors_hooks` is only supported when use_reentrant=False.")
        return CheckpointFunction.apply(function, preserve_rng_state, *args)
    if determinism_check not in ("default", "none"):
        raise ValueError(f"determinism_check should be one of ['default', 'none'], but got {determinism_check}")
    if not torch.is_grad_enabled():
        return function(*args, **kwargs)
    stop = early_stop if _early_stop is None else _early_stop
    first, again = noop_context_fn() if context_fn is None else context_fn()
    frame = _Frame(lambda: function(*args, **kwargs), _Modes(preserve_rng_state, args), stop, determinism_check == "default", again)
    with saved_tensors_hooks(frame.pack, frame.unpack), first:
        return function(*args, **kwargs)


@contextlib.contextmanager
def set_checkpoint_early_stop(enable):
    """Whether a recomputation ends once everything that is needed has been computed."""
    global _early_stop
    before, _early_stop = _early_stop, enable
    try:
        yield
    finally:
        _early_stop = before


def noop_context_fn():
    return contextlib.nullcontext(), contextlib.nullcontext()


def __getattr__(name):
    if name in ("CheckpointPolicy", "SelectiveCheckpointContext", "create_selective_checkpoint_contexts"):
        raise NotImplementedError(f"torch.utils.checkpoint.{name}")
    raise AttributeError(f"module 'torch.utils.checkpoint' has no attribute '{name}'")


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """Runs a sequential model in `segments` parts. All except the last are checkpointed."""
    if use_reentrant is None:
        warnings.warn(_UNSAID, stacklevel=2)
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if isinstance(functions, torch.nn.Sequential):
        functions = list(functions.children())

    def run(start, end):
        def forward(input):
            for j in range(start, end + 1):
                input = functions[j](input)
            return input

        return forward

    size = len(functions) // segments
    end = -1
    for start in range(0, size * (segments - 1), size):
        end = start + size - 1
        input = checkpoint(run(start, end), input, use_reentrant=use_reentrant, preserve_rng_state=preserve)
    return run(end + 1, len(functions) - 1)(input)

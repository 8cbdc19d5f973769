"""The transforms of torch.func that run now, and how a program sees tensors inside them.

A tensor inside `grad` or `vjp` is a tensor like any other here, whose graph ends at the transform's own tensors. PyTorch wraps it once
for each transform that it was made in, and shows what it wraps; what reads the memory of such a tensor is refused.
"""

import sys

import _torch
from _torch import Tensor, _torch_function_modes, _torch_function_off as _asking

# The transforms that run now, the outermost first: a `Differentiation`, or a vmap (torch/_batched.py). Their numbers begin with 1.
stack = []

_installed = False


class Differentiation:
    """A transform that differentiates: what was made since it began is part of it."""

    def __init__(self):
        self.number = len(stack) + 1
        # Its own tensors, each with the tensor that the program gave.
        self.pairs = []
        # What a program took out of it with `debug_unwrap`.
        self.taken_out = []
        self.first_storage, self.first_node = _marks()

    def was_given(self, t):
        """The tensor for which `t` stands inside, if it's one of the transform's own."""
        return next((given for own, given in self.pairs if own is t), None)

    def made(self, t):
        """Whether a tensor was made inside. PyTorch wraps also numbers and copies that have no gradient."""
        if any(t is own for own in self.taken_out):
            return False
        storage = _torch._storage_id(t)
        if storage >= self.first_storage or self.was_given(t) is not None:
            return True
        node = t.grad_fn
        if node is not None and self.first_node is not None and hasattr(node, "_sequence_nr"):
            return node._sequence_nr() >= self.first_node
        # Another view of what was given, such as `t.detach()`.
        return any(type(t) is type(own) and storage == _torch._storage_id(own) and t is not given for own, given in self.pairs)


def _marks():
    """The numbers that the next storage and the next node have."""
    modes = _torch_function_modes([])
    try:
        probe = _torch.empty(0, device="meta")
        probe.requires_grad = True
        node = probe.view_as(probe).grad_fn
        return _torch._storage_id(probe), None if node is None else node._sequence_nr()
    finally:
        _torch_function_modes(modes)


def enter(transform):
    """Begins a transform, or another thing that counts as one."""
    install()
    stack.append(transform)


def leave(transform):
    """Ends it, and those that an error left open inside."""
    del stack[stack.index(transform):]


# Those that run and that a block doesn't see.
_hidden = []


class outside:
    """A block that doesn't see the transform with this number, nor those inside it. Tensors in it are what these wrap."""

    def __init__(self, number=1):
        self.place = number - 1

    def __enter__(self):
        self.hidden = stack[self.place:]
        _hidden.extend(self.hidden)
        del stack[self.place:]

    def __exit__(self, *error):
        stack[self.place:] = self.hidden
        del _hidden[len(_hidden) - len(self.hidden):]


def differentiations():
    """Those that run now and differentiate, the outermost first."""
    return [transform for transform in stack if type(transform) is Differentiation]


def are_made_inside(t):
    """Whether a transform that differentiates made this tensor."""
    _asking(1)
    try:
        return any(transform.made(t) for transform in (*_hidden, *stack) if type(transform) is Differentiation)
    finally:
        _asking(-1)


def wrapper_of(t):
    """PyTorch's name for what the innermost transform makes of a tensor, or None."""
    from torch import _batched

    rows = {_batched.number_of(level) for level in t._levels} if type(t) is _batched.Batched else ()
    for number in range(max([len(stack), *rows]), 0, -1):
        if number in rows:
            return "BatchedTensorImpl"
        if number <= len(stack) and type(stack[number - 1]) is Differentiation:
            _asking(1)
            try:
                if stack[number - 1].made(t):
                    return "TensorWrapper"
            finally:
                _asking(-1)
    return None


def check_changed(t, operator):
    """Refuses to change a tensor that a function which is differentiated now has from outside."""
    level = next((transform for transform in reversed(stack) if type(transform) is Differentiation), None)
    if level is not None and _torch._storage_id(t) < level.first_storage and level.was_given(t) is None:
        raise RuntimeError("During a grad (vjp, jvp, grad, etc) transform, the function provided attempted to call in-place operation "
                           f"({operator}) that would mutate a captured Tensor. This is not supported; please rewrite the function being "
                           "transformed to explicitly accept the mutated Tensor(s) as inputs.")


# ---- printing -------------------------------------------------------------------------------------------------------------


def text(t, below=None):
    """How PyTorch shows a tensor: what each transform wraps, those around `below` only."""
    _asking(1)
    try:
        return _text(t, len(stack) if below is None else below)
    finally:
        _asking(-1)


def _text(t, below):
    from torch import _batched
    from torch.nn import Parameter

    rows = {}
    if type(t) is _batched.Batched:
        # A tensor that outlived its vmap has the level that it had.
        rows = {_batched.number_of(level): level for level in t._levels}
    for number in range(max([below, *rows]), 0, -1):
        transform = stack[number - 1] if number <= below else None
        if number in rows:
            inner, dim = _without_rows(t, rows[number])
            return f"BatchedTensor(lvl={number}, bdim={dim}, value=\n{_indented(_text(inner, number - 1))}\n)"
        if type(transform) is Differentiation and transform.made(t):
            given = transform.was_given(t)
            inner = _text(t if given is None else given, number - 1)
            if isinstance(given, Parameter):
                inner = f"Parameter containing:\n{inner}"
            return f"GradTrackingTensor(lvl={number}, value=\n{_indented(inner)}\n)"
    for transform in reversed(_hidden):
        given = transform.was_given(t) if type(transform) is Differentiation else None
        if given is not None and type(given) is not _batched.Batched:
            t = given
    return _native(t if _has_history(t) else t.detach())


def unwrapped(t, recurse):
    """What the transforms wrap, or what the innermost one does."""
    from torch import _batched

    if not isinstance(t, Tensor):
        raise TypeError("is_functorch_wrapped_tensor(): incompatible function arguments. The following argument types are supported:\n"
                        f"    1. (arg0: torch.Tensor) -> bool\n\nInvoked with: {t!r}")
    _asking(1)
    try:
        while (wrapper := wrapper_of(t)) is not None:
            if wrapper == "BatchedTensorImpl":
                t = _without_rows(t, t._levels[-1])[0]
            else:
                transform = next(own for own in reversed(stack) if type(own) is Differentiation and own.made(t))
                given = transform.was_given(t)
                if given is None:
                    given = _batched.plain(t).detach()
                    given = _batched.wrap(given, t._levels) if type(t) is _batched.Batched else given
                    transform.taken_out.append(given)
                t = given
            if not recurse:
                break
        return t
    finally:
        _asking(-1)


def _without_rows(t, level):
    """What the vmap of this level wraps, and the dimension of its rows."""
    from torch import _batched

    if level != t._levels[-1]:
        # An inner one that was the same for all rows of a differentiation is between them.
        outer = tuple(own for own in t._levels if own != level)
        return _batched.wrap(_batched.plain(t), outer) if outer else _batched.plain(t), t._levels.index(level)
    if t._given is not None:
        return t._given
    outer = t._levels[:-1]
    return _batched.wrap(_batched.plain(t), outer) if outer else _batched.plain(t), 0


def _indented(text):
    return "\n".join("    " + line if line.strip() else line.strip() for line in text.split("\n"))


def _has_history(t):
    """Whether the program could differentiate a tensor when all transforms have ended."""
    if not t.requires_grad or not any(type(transform) is Differentiation for transform in (*_hidden, *stack)):
        return t.requires_grad
    from torch import func

    return func._reaches_outside([t if t.grad_fn is None else t.grad_fn])


def _tangent_text(t, tangent):
    """The text of a dual tensor."""
    text = _native(t)[:-1]
    suffix = f"tangent={tangent}"
    last = text[text.rfind("\n") + 1:]
    indent = len(type(t).__name__ if type(t) is not Tensor else "tensor") + 1
    # PyTorch counts two more on a line where the numbers are.
    begins_with_suffix = last.lstrip().startswith(("grad_fn=", "requires_grad=", "dtype=", "device=", "size="))
    length = len(last) if begins_with_suffix else len(last) + (2 if "\n" not in text else 0)
    between = ",\n" + " " * indent if length + len(suffix) + 2 > _torch._linewidth() else ", "
    return f"{text}{between}{suffix})"


# ---- refusals -------------------------------------------------------------------------------------------------------------

_REQUIRES_GRAD = ("You are attempting to call Tensor.{}() {}inside of a function being transformed by a functorch transform. This is "
                  "unsupported, please attempt to use the functorch transforms (e.g. grad, vjp, jacrev, jacfwd, hessian) or call {}() "
                  "outside of a function being transformed instead.")
NO_REQUIRES_GRAD = _REQUIRES_GRAD.format("requires_grad_", "(or perhaps using torch.autograd.functional.* APIs) ", "requires_grad_")
NO_RETAIN_GRAD = _REQUIRES_GRAD.format("retain_grad", "", "retain_grad")
NO_BACKWARD = ("backward() called inside a functorch transform. This is not supported, please use functorch.grad or functorch.vjp instead or "
               "call backward() outside of functorch transforms.")
NO_POINTER = "Cannot access data pointer of Tensor that doesn't have storage"


def install():
    """From now on, methods of tensors ask about transforms. A program that uses none is left as it is."""
    global _installed, _native
    if _installed:
        return
    _installed = True
    _native = Tensor.__repr__
    for name, why in (("requires_grad_", NO_REQUIRES_GRAD), ("backward", NO_BACKWARD)):
        _replace(name, lambda t, why=why: RuntimeError(why) if stack else None)
    _replace("retain_grad", lambda t: RuntimeError(NO_RETAIN_GRAD) if stack and t.requires_grad else None)

    def no_array(t):
        # A tensor that requires gradients says so first.
        return RuntimeError(NO_POINTER) if differentiations() and not t.requires_grad else None

    for name in ("numpy", "__array__", "__dlpack__"):
        _replace(name, no_array)
    _replace("data_ptr", lambda t: RuntimeError(NO_POINTER) if stack and wrapper_of(t) else None)

    def no_storage(t):
        wrapper = wrapper_of(t) if stack else None
        return NotImplementedError(f"Cannot access storage of {wrapper}") if wrapper else None

    for name in ("untyped_storage", "storage", "_typed_storage", "share_memory_", "__deepcopy__", "__reduce_ex__"):
        _replace(name, no_storage)

    def __repr__(self, *, tensor_contents=None):
        return shown(self)

    Tensor.__repr__ = __repr__


def shown(t):
    """The text of a tensor, of no class of the program."""
    from torch import _batched
    from torch.nn import Parameter

    if type(t) not in (Tensor, Parameter, _batched.Batched) or t.is_nested or _torch._parts_layout(t) is not None:
        return _native(t)
    if stack or _hidden or type(t) is _batched.Batched:
        return text(t)
    forward = sys.modules.get("torch.autograd.forward_ad")
    if forward is not None and t.requires_grad:
        primal, tangent = forward.unpack_dual(t)
        if tangent is not None:
            return _tangent_text(primal, tangent)
    return _native(t)


def _replace(name, why):
    """A method that is refused where `why` returns an error."""
    method = getattr(Tensor, name)

    def replaced(self, *args, **kwargs):
        error = why(self)
        if error is not None:
            raise error
        return method(self, *args, **kwargs)

    replaced.__name__, replaced.__qualname__ = name, f"Tensor.{name}"
    setattr(Tensor, name, replaced)

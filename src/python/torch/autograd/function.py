"""`torch.autograd.Function`: an operator whose gradient is written in Python."""

import functools
import sys
import warnings

import _torch
from _torch import Tensor


class FunctionCtx:
    """What `forward` saves for `backward`."""

    def __init__(self):
        self._saved = self._versions = ()
        self._dirty = ()
        self._non_differentiable = ()
        self._materialize = True
        self.needs_input_grad = ()

    def save_for_backward(self, *tensors):
        """Saves inputs or outputs for the backward pass, where `saved_tensors` returns them."""
        self._saved = tensors

    def _check_saved(self):
        # `forward` may change what it saves.
        self._versions = [t._version if isinstance(t, Tensor) and not t.is_inference() else None for t in self._saved]
        for i, value in enumerate(self._saved):
            if not (isinstance(value, Tensor) or value is None):
                raise TypeError(f"save_for_backward can only save variables, but argument {i} is of type {type(value).__name__}")

    @property
    def saved_tensors(self):
        if self._saved is None:
            raise RuntimeError(
                "Trying to backward through the graph a second time (or directly access saved tensors after they have "
                "already been freed). Saved intermediate values of the graph are freed when you call .backward() or "
                "autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or "
                "if you need to access saved tensors after calling backward.")
        for t, version in zip(self._saved, self._versions):
            if version is not None and t._version != version:
                raise _changed(t, version)
        return self._saved

    def save_for_forward(self, *tensors):
        """Saves inputs or outputs for `jvp`, where `saved_tensors` returns them."""
        for tensor in tensors:
            if not (isinstance(tensor, Tensor) or tensor is None):
                raise AssertionError("save_for_forward expects all arguments to be tensors; you should save non-tensors as attributes on "
                                     "ctx.")
        if not self._saved:
            self.save_for_backward(*tensors)

    def mark_dirty(self, *tensors):
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors):
        self._non_differentiable = tensors

    def set_materialize_grads(self, value):
        self._materialize = value


def _changed(t, version):
    """The error for a saved tensor that was changed in place."""
    made = "" if t.grad_fn is None else f", which is output {t.output_nr} of {t.grad_fn.name().partition('Backward')[0]},"
    return RuntimeError("one of the variables needed for gradient computation has been modified by an inplace operation: "
                        f"[{t.type()} {list(t.shape)}]{made} is at version {t._version}; expected version {version} instead. Hint: "
                        "enable anomaly detection to find the operation that failed to compute its gradient, with "
                        "torch.autograd.set_detect_anomaly(True, check_nan=False).")


def _arguments(function):
    """How many arguments a function takes by position, below its decorators."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return getattr(getattr(function, "__code__", None), "co_argcount", 0)


def _positional(function, args, kwargs):
    """The arguments of `apply` by position. Those given by name must follow each other."""
    import inspect

    names = [p.name for p in inspect.signature(function).parameters.values() if p.kind == p.POSITIONAL_OR_KEYWORD][1:]
    found = list(args)
    for i, name in enumerate(names):
        if name not in kwargs:
            continue
        if i < len(args):
            raise TypeError(f"forward() got multiple values for argument '{name}'")
        if i > len(found):
            raise TypeError(f"forward() missing required argument: '{names[len(found)]}' (position {len(found)})")
        found.append(kwargs[name])
    for name in kwargs:
        if name not in names:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
    return tuple(found)


def _check_transforms(cls, args):
    """What PyTorch needs of a function that `torch.func` differentiates or maps over rows."""
    func = sys.modules.get("torch.func")
    rows = func is not None and any(type(a) is func._Row for a in args)
    if hasattr(cls, "_anywhere") or not rows and (func is None or not func._depth):
        return
    if not hasattr(cls, "setup_context"):
        raise RuntimeError("In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it must "
                           "override the setup_context staticmethod. For more details, please see "
                           "https://pytorch.org/docs/main/notes/extending.func.html")
    if rows and not cls.generate_vmap_rule and not hasattr(cls, "vmap"):
        raise RuntimeError(f"You tried to vmap over {cls.__name__}, but it does not have vmap support. Please override and implement "
                           "the vmap staticmethod or set generate_vmap_rule=True. For more details, please see "
                           "https://pytorch.org/docs/main/notes/extending.func.html")


class Function:
    """Subclasses have static methods `forward(ctx, ...)` and `backward(ctx, *grads)`. They're called with `apply`."""

    generate_vmap_rule = False

    def __init__(self, *args, **kwargs):
        warnings.warn(f"{type(self)} should not be instantiated. Methods on autograd functions are all static, so you should invoke them "
                      "on the class itself. Instantiating an autograd function will raise an error in a future version of PyTorch.",
                      DeprecationWarning, stacklevel=2)

    def __call__(self, *args, **kwargs):
        raise RuntimeError("Legacy autograd function with non-static forward method is deprecated. Please use new-style "
                           "autograd function with static forward method. (Example: "
                           "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)")

    @staticmethod
    def forward(*args, **kwargs):
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def backward(ctx, *grad_outputs):
        raise NotImplementedError("You must implement either the backward or vjp method for your custom "
                                  "autograd.Function to use it with backward mode AD.")

    # Another name for `backward`.
    vjp = backward

    @staticmethod
    def jvp(ctx, *grad_inputs):
        raise NotImplementedError("You must implement the jvp function for custom autograd.Function to use it with forward mode AD.")

    @classmethod
    def apply(cls, *args, **kwargs):
        ctx = FunctionCtx()
        setup = getattr(cls, "setup_context", None)
        if setup is not None and (kwargs or len(args) < _arguments(cls.forward)):
            import inspect

            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args = bound.args
        elif kwargs:
            args = _positional(cls.forward, args, kwargs)
        _check_transforms(cls, args)
        tensors = [a for a in args if isinstance(a, Tensor)]
        recorded = _torch.is_grad_enabled() and any(t.requires_grad for t in tensors)
        ctx.needs_input_grad = tuple(isinstance(a, Tensor) and a.requires_grad for a in args)
        with _torch._grad_mode("no_grad"):
            if setup is not None:
                result = cls.forward(*args)
                setup(ctx, args, result)
            else:
                result = cls.forward(ctx, *args)
        if not recorded:
            return result
        ctx._check_saved()
        is_tuple = isinstance(result, tuple)
        results = result if is_tuple else (result,)
        results = tuple(_fresh(r, tensors, ctx) for r in results)
        outputs = [r for r in results if isinstance(r, Tensor) and (r.is_floating_point() or r.is_complex())
                   and not any(r is n for n in ctx._non_differentiable)]
        for t in ctx._dirty:
            if t.requires_grad and t.is_leaf:
                raise RuntimeError("a leaf Variable that requires grad has been used in an in-place operation.")
        forms = [(tuple(r.shape), r.dtype, r.device) if isinstance(r, Tensor) else None for r in results]
        kinds = [(tuple(t.shape), t.dtype) for t in tensors]
        name = cls.__name__ + "Backward"
        # The node must hold neither inputs nor outputs. If it held its own outputs, it would never be freed.
        wanted = [isinstance(a, Tensor) for a in args]
        places = [any(r is o for o in outputs) for r in results]

        forward = _Forward(cls, ctx, args) if cls.jvp is not Function.jvp else None

        def run(grads):
            mode = forward is not None and _forward_mode()
            own = _gradient_of(cls)
            if mode == "seeds" and own is Function.backward:
                return [None] * sum(wanted)
            if mode is True:
                return [g for is_tensor, g in zip(wanted, forward.transposed(grads, places)) if is_tensor]
            left = iter(grads)
            given = [next(left) if place else None for place in places]
            if ctx._materialize:
                given = [_torch.zeros(form[0], dtype=form[1], device=form[2]) if g is None and form is not None else g
                         for g, form in zip(given, forms)]
            found = own(ctx, *given)
            found = found if isinstance(found, tuple) else (found,)
            if len(found) > len(wanted) and all(g is None for g in found[len(wanted):]):
                found = found[: len(wanted)]
            if len(found) != len(wanted):
                raise RuntimeError(f"function {name} returned an incorrect number of gradients "
                                   f"(expected {len(wanted)}, got {len(found)})")
            for g in found:
                if not (g is None or isinstance(g, Tensor)):
                    raise RuntimeError(f"expected Variable or None (got {type(g).__name__})")
            found = [g for is_tensor, g in zip(wanted, found) if is_tensor]
            return [None if g is None else _fitted(g, *kind, name, i) for i, (g, kind) in enumerate(zip(found, kinds))]

        if outputs:
            _torch._record(name, tensors, outputs, run)
            _torch._made_in_function([o for o in outputs if not any(o is t for t in ctx._dirty)])
        return results if is_tuple else results[0]


def _fitted(g, size, dtype, name, place):
    """A gradient in the shape and dtype of its input."""
    if g.shape != size:
        if len(size) > g.dim() or not all(a in (1, b) for a, b in zip(reversed(size), reversed(g.shape))):
            raise RuntimeError(f"Function {name} returned an invalid gradient at index {place} - got {list(g.shape)} but expected shape "
                               f"compatible with {list(size)}")
        g = g.sum_to_size(size)
    if g.dtype == dtype:
        return g
    return (g.real if g.is_complex() and not dtype.is_complex else g).to(dtype)


def _gradient_of(cls):
    if cls.vjp is Function.vjp:
        return cls.backward
    if cls.backward is not Function.backward:
        raise RuntimeError("Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only implement one "
                           "of them.")
    return cls.vjp


def _forward_mode():
    import torch.func

    return torch.func._forwarding


class _Forward:
    """The `jvp` of one call. Forward mode is two backward passes here, and the first one needs the transpose of `jvp`."""

    def __init__(self, cls, ctx, args):
        self.cls, self.ctx = cls, ctx
        self.forms = [(tuple(a.shape), a.dtype, a.device) if isinstance(a, Tensor) and (a.is_floating_point() or a.is_complex()) else None
                      for a in args]
        self.tangents = self.outputs = None
        self.busy = False

    def transposed(self, grads, places):
        # What `jvp` used may be an output of this very node, and the pass comes by here although no tangent needs it.
        if self.busy:
            return [None] * len(self.forms)
        self.busy = True
        try:
            return self._transposed(grads, places)
        finally:
            self.busy = False

    def _transposed(self, grads, places):
        if self.tangents is None:
            with _torch._grad_mode("enable_grad"):
                # A `jvp` may delete what it used, so it's called once.
                self.tangents = [f and _torch.zeros(f[0], dtype=f[1], device=f[2], requires_grad=True) for f in self.forms]
                made = self.cls.jvp(self.ctx, *self.tangents)
            made = made if isinstance(made, tuple) else (made,)
            self.outputs = [o for o, place in zip(made, places) if place]
        pairs = [(o, g) for o, g in zip(self.outputs, grads) if g is not None and isinstance(o, Tensor) and o.requires_grad]
        own = [t for t in self.tangents if t is not None]
        found = [None] * len(own)
        if pairs and own:
            found = _torch._grad(tuple(o for o, _ in pairs), tuple(own), tuple(g for _, g in pairs), True, True, True, True)
        left = iter(found)
        return [None if t is None else next(left) for t in self.tangents]


def _fresh(result, inputs, ctx):
    """An input that `forward` returned unchanged becomes another tensor over its storage."""
    if isinstance(result, Tensor) and any(result is t for t in inputs) and not any(result is t for t in ctx._dirty):
        with _torch._grad_mode("no_grad"):
            return result[...]
    return result


class _DelayedError(Function):
    """Passes its tensors on. Only a second backward pass through them fails."""

    _anywhere = True

    @staticmethod
    def forward(ctx, *tensors):
        return tensors

    @staticmethod
    def backward(ctx, *grads):
        raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")


def once_differentiable(function):
    """For a `backward` whose own operations must not be differentiated."""

    @functools.wraps(function)
    def wrapper(ctx, *args, **kwargs):
        with _torch._grad_mode("no_grad"):
            outputs = function(ctx, *args, **kwargs)
        if not _torch.is_grad_enabled() or not any(isinstance(a, Tensor) and a.requires_grad for a in args):
            return outputs
        # Each output needs a node of its own, or a second pass would end here without saying why.
        given = outputs if isinstance(outputs, tuple) else (outputs,)
        return _DelayedError.apply(*[None if t is None else t.detach().requires_grad_() for t in given])

    return wrapper


class InplaceFunction(Function):
    """The old name of a function that may write into its inputs."""

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

"""`torch.autograd.Function`: an operator whose gradient is written in Python."""

import functools
import sys
import warnings

import _torch
from _torch import Tensor

from torch import _transforms


class FunctionCtx:
    """What `forward` saves for `backward`."""

    def __init__(self):
        self._to_save = ()
        self._reference = None
        self._dirty = ()
        self._non_differentiable = ()
        self._materialize = True
        self.needs_input_grad = ()

    def save_for_backward(self, *tensors):
        """Saves inputs or outputs for the backward pass, where `saved_tensors` returns them."""
        self._to_save = tensors

    @property
    def saved_tensors(self):
        if self._reference is None:
            return self._to_save
        if self._reference.node() is None:
            raise RuntimeError(f"what {type(self).__name__} saved is gone with its graph: no tensor is left that it computed")
        saved = iter(self._reference.unpack())
        return tuple(next(saved) if is_tensor else None for is_tensor in self._to_save)

    def _keep(self, reference):
        """From now on the node has what was saved."""
        self._to_save = tuple(t is not None for t in self._to_save)
        self._reference = reference

    def save_for_forward(self, *tensors):
        """Saves inputs or outputs for `jvp`, where `saved_tensors` returns them."""
        for tensor in tensors:
            if not (isinstance(tensor, Tensor) or tensor is None):
                raise AssertionError("save_for_forward expects all arguments to be tensors; you should save non-tensors as attributes on "
                                     "ctx.")
        if not self._to_save:
            self.save_for_backward(*tensors)

    def mark_dirty(self, *tensors):
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors):
        self._non_differentiable = tensors

    def set_materialize_grads(self, value):
        self._materialize = value


class BackwardCFunction(FunctionCtx):
    """The node of a function in the graph: also the `ctx` of its `forward` and `backward`."""

    @property
    def _node(self):
        node = self._reference and self._reference.node()
        if node is None:
            raise RuntimeError(f"{self.name()} is in no graph")
        return node

    def name(self):
        return type(self).__name__

    @property
    def next_functions(self):
        return self._node.next_functions

    @functools.cached_property
    def metadata(self):
        return {}

    def register_hook(self, hook):
        return self._node.register_hook(hook)

    def register_prehook(self, hook):
        return self._node.register_prehook(hook)

    def _sequence_nr(self):
        return self._node._sequence_nr()


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
    """Checks what PyTorch needs of a function that `torch.func` differentiates or maps over rows. Says whether it's mapped."""
    func = sys.modules.get("torch.func")
    # A rule computes all rows at once, with functions of torch that get here too.
    rows = func is not None and _torch._torch_function_off() and func._batched.any_batched(args)
    if getattr(cls, "__module__", "").startswith("torch.") or not rows and (func is None or not func._depth):
        return False
    if not hasattr(cls, "setup_context"):
        raise RuntimeError("In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it must "
                           "override the setup_context staticmethod. For more details, please see "
                           "https://pytorch.org/docs/main/notes/extending.func.html")
    if rows and not cls.generate_vmap_rule and not hasattr(cls, "vmap"):
        raise RuntimeError(f"You tried to vmap over {cls.__name__}, but it does not have vmap support. Please override and implement "
                           "the vmap staticmethod or set generate_vmap_rule=True. For more details, please see "
                           "https://pytorch.org/docs/main/notes/extending.func.html")
    if rows and cls.generate_vmap_rule and hasattr(cls, "vmap"):
        raise RuntimeError(f"You tried to vmap over {cls.__name__}, but it has both generate_vmap_rule=True and an overridden vmap "
                           "staticmethod. Please set generate_vmap_rule=False or delete the overridden vmap staticmethod to avoid "
                           "ambiguity. For more details, please see https://pytorch.org/docs/main/notes/extending.func.html")
    return rows


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

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls._backward_cls = type(cls.__name__ + "Backward", (BackwardCFunction,), {"_forward_cls": cls})

    @classmethod
    def apply(cls, *args, **kwargs):
        ctx = cls._backward_cls()
        # `forward` may give `ctx` attributes of any name.
        node = type(ctx).__name__
        if _transforms.differentiations():
            node = f"{cls.__name__}GeneratedBackward"
        setup = getattr(cls, "setup_context", None)
        if setup is not None and (kwargs or len(args) < _arguments(cls.forward)):
            import inspect

            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args = bound.args
        elif kwargs:
            args = _positional(cls.forward, args, kwargs)
        if _check_transforms(cls, args):
            batched = sys.modules["torch._batched"]
            return batched.each_row(cls.apply, args) if cls.generate_vmap_rule else batched.by_function(cls.vmap, args)
        tensors = [a for a in args if isinstance(a, Tensor)]
        recorded = _torch.is_grad_enabled() and any(t.requires_grad for t in tensors)
        if recorded and any(hasattr(t, "_of_several") for t in tensors):
            raise NotImplementedError(f"{cls.__name__}.apply of a {type(tensors[0]).__name__} that requires gradients: apply it to the "
                                      "tensors of which this one consists")
        ctx.needs_input_grad = tuple(isinstance(a, Tensor) and a.requires_grad for a in args)
        with _torch._grad_mode("no_grad"):
            if setup is not None:
                # It sees the tensors that the transforms around wrap.
                with _transforms.outside():
                    result = cls.forward(*args)
                setup(ctx, args, result)
            else:
                result = cls.forward(ctx, *args)
        if not recorded:
            return result
        for place, t in enumerate(ctx._to_save):
            if not (t is None or isinstance(t, Tensor)):
                raise TypeError(f"save_for_backward can only save variables, but argument {place} is of type {type(t).__name__}")
        for t in ctx._dirty:
            _torch._bump_version(t)
        is_tuple = isinstance(result, tuple)
        results = result if is_tuple else (result,)
        if not all(any(t is r for r in results) for t in ctx._dirty):
            raise RuntimeError("Some elements marked as dirty during the forward method were not returned as output. The inputs "
                               "that are modified inplace must all be outputs of the Function.")
        results = tuple(_fresh(r, tensors, ctx) for r in results)
        outputs = [r for r in results if isinstance(r, Tensor) and (r.is_floating_point() or r.is_complex())
                   and not any(r is n for n in ctx._non_differentiable)]
        # What stands for no gradient; None where there is no tensor.
        shapes = [(tuple(r.shape), r.dtype, r.device) if isinstance(r, Tensor) else None for r in results]
        # The node must hold neither inputs nor outputs. If it held its own outputs, it would never be freed.
        wanted = [isinstance(a, Tensor) for a in args]
        places = [any(r is o for o in outputs) for r in results]

        forward = _Forward(cls, ctx, args) if cls.jvp is not Function.jvp else None

        def run(grads):
            mode = _forward_mode()
            own = _gradient_of(cls)
            if mode is True and forward is None and not getattr(cls, "__module__", "").startswith("torch."):
                cls.jvp(ctx, *grads)
            mode = forward is not None and mode
            if mode == "seeds" and own is Function.backward:
                return [None] * sum(wanted)
            if mode is True:
                return [g for is_tensor, g in zip(wanted, forward.transposed(grads, places)) if is_tensor]
            left = iter(grads)
            grads = [next(left) if place else None for place in places]
            if ctx._materialize:
                grads = [_torch.zeros(form[0], dtype=form[1], device=form[2]) if g is None and form else g for g, form in zip(grads, shapes)]
            found = own(ctx, *grads)
            found = found if isinstance(found, tuple) else (found,)
            if len(found) > len(wanted) and all(g is None for g in found[len(wanted):]):
                found = found[: len(wanted)]
            if len(found) != len(wanted):
                raise RuntimeError(f"function {node} returned an incorrect number of gradients "
                                   f"(expected {len(wanted)}, got {len(found)})")
            return [g for is_tensor, g in zip(wanted, found) if is_tensor]

        if outputs:
            ctx._keep(_torch._record(node, tensors, outputs, run, ctx, [t for t in ctx._to_save if t is not None]))
            _torch._made_in_function([o for o in outputs if not any(o is t for t in ctx._dirty)])
        return results if is_tuple else results[0]


Function._backward_cls = BackwardCFunction


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
        given = [None if t is None else t.detach() for t in given]
        for t in given:
            if t is not None:
                t.requires_grad = True
        return _DelayedError.apply(*given)

    return wrapper


class InplaceFunction(Function):
    """The old name of a function that may write into its inputs."""

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

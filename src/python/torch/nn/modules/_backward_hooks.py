"""Hooks of modules that see gradients in the backward pass: identity functions around a module's call, whose backward
calls the hooks."""

import warnings

import torch
from torch import Tensor
from torch.autograd import Function


_NO_INPUT = ("Full backward hook is firing when gradients are computed with respect to module outputs since no inputs require "
             "gradients. See https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html"
             "#torch.nn.Module.register_full_backward_hook for more details.")


class BackwardHookFunction(Function):
    @staticmethod
    def forward(ctx, on_gradients, *tensors):
        ctx.on_gradients = on_gradients
        ctx.set_materialize_grads(False)
        return tuple(t.view_as(t) for t in tensors)

    @staticmethod
    def backward(ctx, *gradients):
        return (None, *ctx.on_gradients(gradients))


def _applied(on_gradients, values):
    """Passes the tensors among the values through the identity, if they need gradients. Returns the values and the
    positions of the tensors."""
    places = [i for i, v in enumerate(values) if isinstance(v, Tensor)]
    needed = torch.is_grad_enabled() and any(values[i].requires_grad for i in places)
    if not needed:
        return values, None
    values = list(values)
    for i, tensor in zip(places, BackwardHookFunction.apply(on_gradients, *(values[i] for i in places))):
        values[i] = tensor
    return tuple(values), places


def _spread(gradients, places, count):
    result = [None] * count
    for i, gradient in zip(places, gradients):
        result[i] = gradient
    return tuple(result)


class BackwardHooks:
    """One call of a module that has backward hooks."""

    def __init__(self, module, hooks, pre_hooks):
        self.module = module
        self.hooks = hooks
        self.pre_hooks = pre_hooks
        self.grad_output = None
        self.places = None
        self.count = 0

    def inputs(self, args):
        self.count = len(args)
        args, self.places = _applied(self._at_inputs, args)
        return args

    def _at_inputs(self, gradients):
        grad_input = _spread(gradients, self.places, self.count)
        for hook in self.hooks:
            changed = hook(self.module, grad_input, self.grad_output)
            if changed is None:
                continue
            changed = changed if isinstance(changed, tuple) else (changed,)
            if len(changed) != len(grad_input):
                raise RuntimeError("Backward hook returned an invalid number of grad_input, got "
                                   f"{len(changed)}, but expected {len(grad_input)}")
            grad_input = changed
        self.grad_output = None
        return tuple(grad_input[i] for i in self.places)

    def outputs(self, result):
        values = result if isinstance(result, tuple) else (result,)
        if not all(isinstance(v, Tensor) for v in values):
            warnings.warn("For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but received "
                          f"{type(result)}", stacklevel=3)
        count = len(values)

        def at_outputs(gradients):
            self.grad_output = _spread(gradients, places, count)
            for hook in self.pre_hooks:
                changed = hook(self.module, self.grad_output)
                if changed is None:
                    continue
                changed = changed if isinstance(changed, tuple) else (changed,)
                if len(changed) != count:
                    raise RuntimeError("Backward pre hook returned an invalid number of grad_output, got "
                                       f"{len(changed)}, but expected {count}")
                self.grad_output = changed
            passed = tuple(self.grad_output[i] for i in places)
            if self.places is None:
                # No input needs a gradient, so this is all that the hooks will see.
                if self.hooks:
                    warnings.warn(_NO_INPUT, stacklevel=2)
                for hook in self.hooks:
                    changed = hook(self.module, (None,) * self.count, self.grad_output)
                    if changed is not None and not (isinstance(changed, tuple) and all(c is None for c in changed)):
                        raise RuntimeError("Backward hook for Modules where no input requires gradient should always return "
                                           "None or None for all gradients.")
                self.grad_output = None
            return passed

        values, places = _applied(at_outputs, values)
        return values if isinstance(result, tuple) else values[0]

"""Grad modes as context managers, which also decorate functions and generators."""

import functools
import sys

import _torch

# In `co_flags`, a generator function.
_GENERATOR = 0x20


def _in_context(make, function):
    """A function that runs another inside `make()`, and a generator inside it each time that it goes on. Between two values of
    the generator, the caller's own modes hold."""
    if getattr(getattr(function, "__code__", None), "co_flags", 0) & _GENERATOR:
        return _generator_in_context(make, function)

    @functools.wraps(function)
    def decorate_context(*args, **kwargs):
        with make():
            return function(*args, **kwargs)

    return decorate_context


def _generator_in_context(make, function):
    @functools.wraps(function)
    def generator_context(*args, **kwargs):
        generator = function(*args, **kwargs)
        resume, given = generator.send, None
        while True:
            try:
                with make():
                    value = resume(given)
            except StopIteration as end:
                return end.value
            try:
                resume, given = generator.send, (yield value)
            except GeneratorExit:
                with make():
                    generator.close()
                raise
            except BaseException as error:
                resume, given = generator.throw, error

    return generator_context


def context_decorator(make, function):
    if isinstance(function, type):
        import warnings

        warnings.warn("Decorating classes is deprecated and will be disabled in future versions. You should only decorate "
                      "functions or methods. To preserve the current behavior of class decoration, you can directly decorate the "
                      "`__init__` method and nothing else.", FutureWarning, stacklevel=3)
        made = function
        function = lambda *args, **kwargs: made(*args, **kwargs)  # noqa: E731 (PyTorch's has the name of a lambda, too)
    return _in_context(make, function)


class _Mode:
    """Delegates to the native manager, with a new one for each `with`."""

    def __enter__(self):
        self._managers = getattr(self, "_managers", [])
        manager = self._make()
        self._managers.append(manager)
        manager.__enter__()

    def __exit__(self, *exc):
        self._managers.pop().__exit__(*exc)

    def __call__(self, function):
        return context_decorator(self._fresh, function)


class no_grad(_Mode):
    """Results computed inside don't require gradients."""

    def __new__(cls, function=None):
        self = object.__new__(cls)
        return self(function) if function is not None else self

    def __init__(self, function=None):
        pass

    def _make(self):
        return _torch._grad_mode("no_grad", False)

    def _fresh(self):
        return no_grad()


class enable_grad(_Mode):
    """Undoes an enclosing `no_grad`."""

    def __new__(cls, function=None):
        self = object.__new__(cls)
        return self(function) if function is not None else self

    def __init__(self, function=None):
        pass

    def _make(self):
        return _torch._grad_mode("enable_grad", True)

    def _fresh(self):
        return enable_grad()


class set_grad_enabled:
    """Switches gradients on or off immediately, and back at the end of a `with` block."""

    def __init__(self, mode):
        if not isinstance(mode, bool):
            kind = type(mode).__name__
            raise TypeError(f"set_grad_enabled(): argument 'enabled' (position 1) must be bool, not {kind}")
        self._mode = mode
        self._manager = _torch._grad_mode("set_grad_enabled", self._mode)

    def __enter__(self):
        pass

    def __exit__(self, *exc):
        self._manager.__exit__(*exc)

    def __call__(self, function):
        self._manager.__exit__(None, None, None)
        mode = self._mode
        return context_decorator(lambda: set_grad_enabled(mode), function)

    def __repr__(self):
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self._mode})"


class inference_mode(_Mode):
    """Like `no_grad`, and results can never take part in autograd."""

    def __new__(cls, mode=True):
        self = object.__new__(cls)
        if not isinstance(mode, bool):
            # `@torch.inference_mode` without brackets is given the function.
            self._mode = True
            return self(mode)
        return self

    def __init__(self, mode=True):
        self._mode = mode

    def _make(self):
        return _torch._grad_mode("inference_mode", self._mode)

    def _fresh(self):
        return inference_mode(self._mode)


for _mode in (no_grad, enable_grad, set_grad_enabled, inference_mode):
    _mode.__module__ = "torch.autograd.grad_mode"


class DisableTorchFunctionSubclass:
    """Within this, no class is asked about functions by `__torch_function__`; modes are."""

    def __enter__(self):
        _torch._torch_function_off(1)

    def __exit__(self, *exc):
        _torch._torch_function_off(-1)


class DisableTorchFunction(DisableTorchFunctionSubclass):
    """Within this, neither classes nor modes are asked."""

    def __enter__(self):
        super().__enter__()
        self._modes = _torch._torch_function_modes([])

    def __exit__(self, *exc):
        _torch._torch_function_modes(self._modes)
        super().__exit__(*exc)


_torch.DisableTorchFunction, _torch.DisableTorchFunctionSubclass = DisableTorchFunction, DisableTorchFunctionSubclass


def loaded_later(function):
    """A function that was loaded just now. If programs' classes are asked about functions, this one asks as well."""
    overrides = sys.modules.get("torch.overrides")
    return function if overrides is None else overrides._loaded(function)

"""torch.overrides: classes and modes that take over functions of torch by `__torch_function__`.

Native functions ask these classes themselves. Functions that are written in Python do so once a program needs it: their code
is replaced by code that asks first, so that a program that never needs it pays nothing.
"""

import functools
import inspect
import sys
import types

import _torch
import torch

__all__ = ["BaseTorchFunctionMode", "TorchFunctionMode", "get_default_nowrap_functions", "handle_torch_function",
           "has_torch_function", "has_torch_function_unary", "has_torch_function_variadic",
           "is_tensor_like", "is_tensor_method_or_property", "resolve_name", "wrap_torch_function"]


def is_tensor_like(inp):
    """Whether `inp` is a tensor or its class has `__torch_function__`."""
    return type(inp) is torch.Tensor or hasattr(inp, "__torch_function__")


def _takes_over(kind):
    """Whether calls with objects of a class ask it."""
    own = getattr(kind, "__torch_function__", None)
    return kind is not torch.Tensor and own is not None and own is not _torch._disabled_torch_function_impl


def _overloaded(args):
    """The arguments whose classes implement `__torch_function__`, each class once and subclasses first."""
    found = []
    if not _torch._torch_function_off():
        return found
    for arg in args:
        kind = type(arg)
        if _takes_over(kind) and not any(type(other) is kind for other in found):
            at = next((i for i, other in enumerate(found) if issubclass(kind, type(other))), len(found))
            found.insert(at, arg)
    return found


def has_torch_function(relevant_args):
    """Whether a class among the arguments', or a mode, takes the call over."""
    return bool(_torch._torch_function_modes()) or bool(_overloaded(relevant_args))


def has_torch_function_unary(obj):
    return has_torch_function((obj,))


def has_torch_function_variadic(*args):
    return has_torch_function(args)


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    """Asks the modes, then the classes of `relevant_args`, to do `public_api(*args, **kwargs)`.

    Raises `TypeError` if each of them returns `NotImplemented`.
    """
    found = _overloaded(relevant_args)
    kinds = tuple(map(type, found))
    modes = _torch._torch_function_modes()
    if modes:
        with _without_innermost(modes) as mode:
            result = mode.__torch_function__(public_api, kinds, args, kwargs)
        if result is not NotImplemented:
            return result
    for arg in found:
        result = arg.__torch_function__(public_api, kinds, args, kwargs)
        if result is not NotImplemented:
            return result
    name = f"{public_api.__module__}.{public_api.__name__}"
    text = f"no implementation found for '{name}' on types that implement __torch_function__: {[type(arg) for arg in found]}"
    if modes:
        text += f" nor was it found on the currently active mode {modes[-1]}"
    raise TypeError(text)


def wrap_torch_function(dispatcher):
    """Decorates a function whose calls ask the classes of the arguments that `dispatcher` returns."""

    def inner(func):
        @functools.wraps(func)
        def wrapped(*args, **kwargs):
            relevant = dispatcher(*args, **kwargs)
            if has_torch_function(relevant):
                return handle_torch_function(wrapped, relevant, *args, **kwargs)
            return func(*args, **kwargs)

        return wrapped

    return inner


def get_default_nowrap_functions():
    """The functions whose results `Tensor.__torch_function__` leaves as they are."""
    return {torch.Tensor._base.__get__, torch.Tensor.grad.__get__}


# ---- modes -----------------------------------------------------------------------------------------------------------


class _without_innermost:
    """Within this, the innermost mode isn't asked. Gives that mode."""

    def __init__(self, modes):
        self.modes = modes

    def __enter__(self):
        _torch._torch_function_modes(self.modes[:-1])
        return self.modes[-1]

    def __exit__(self, *exc):
        _torch._torch_function_modes(self.modes)


class TorchFunctionMode:
    """Takes over every function of torch within its `with`. Derive from it and write `__torch_function__(self, func, types,
    args=(), kwargs=None)`; within that method, the mode itself is not asked."""

    def __init__(self):
        pass

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        _torch._torch_function_modes(_torch._torch_function_modes() + [self])
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        _torch._torch_function_modes(_torch._torch_function_modes()[:-1])

    @classmethod
    def push(cls, *args, **kwargs):
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    """A mode that changes nothing."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


# ---- functions that are written in Python ----------------------------------------------------------------------------

# PyTorch asks nobody about these.
_NEVER = {
    "as_subclass", "compile", "is_storage", "is_tensor", "load", "new", "new_tensor", "save", "set_printoptions", "tensor",
    "typename", "unflatten", "vmap", "to_sparse_coo", "from_numpy", "register_hook"}
_MODULES = ("torch", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special", "torch.autograd", "torch.functional")
# By number: the function that a program calls, and what it does.
_FUNCTIONS = []


def _call(number, args, kwargs):
    function, own = _FUNCTIONS[number]
    asked = _torch._overridden(function, args, kwargs, False)
    if asked:
        if asked == 2:
            try:
                args, kwargs = _as_handed_over(own, args, kwargs)
            except TypeError:
                # The call fits no parameters: the function itself says so.
                return own(*args, **kwargs)
        answer = _torch._overridden(function, args, kwargs)
        if answer:
            return answer[0]
    return own(*args, **kwargs)


def _as_handed_over(own, args, kwargs):
    """The arguments as PyTorch's functions hand them over: those that may be left out by keyword, with their defaults."""
    bound = inspect.signature(own).bind(*args, **kwargs)
    bound.apply_defaults()
    parameters = bound.signature.parameters
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters.values()):
        return args, kwargs
    args, kwargs = [], {}
    for name, value in bound.arguments.items():
        parameter = parameters[name]
        if parameter.kind is parameter.VAR_KEYWORD:
            kwargs.update(value)
        elif parameter.kind is parameter.KEYWORD_ONLY or parameter.default is not parameter.empty:
            kwargs[name] = value
        else:
            args.append(value)
    return tuple(args), kwargs


def _has_code(value):
    return isinstance(value, types.FunctionType)


def _ask_first(function):
    """Replaces the code of a function by code that asks first. The object stays, because others may hold it."""
    name, code = function.__name__, function.__code__
    own = types.FunctionType(code, function.__globals__, name, function.__defaults__, function.__closure__)
    own.__kwdefaults__ = function.__kwdefaults__
    # The new code has to close over as many variables as the old.
    held = "".join(f"{variable}, " for variable in code.co_freevars)
    lines = ["def outer():"]
    lines += [f"    {variable} = None" for variable in code.co_freevars]
    lines += [f"    def {name}(*_args, **_kwargs):"]
    lines += [f"        ({held})"] if held else []
    lines += [f"        return _ask_torch_function({len(_FUNCTIONS)}, _args, _kwargs)", f"    return {name}"]
    scope = {}
    exec(compile("\n".join(lines), code.co_filename, "exec"), scope)
    _FUNCTIONS.append((function, own))
    function.__globals__["_ask_torch_function"] = _call
    function.__code__ = scope["outer"]().__code__
    function.__wrapped__ = own


# The functions that ask first.
_asked = set()


def _ask_first_once(function):
    if _has_code(function) and id(function) not in _asked:
        _asked.add(id(function))
        _ask_first(function)


def _install():
    """Has every public function that is written in Python ask first. Those that are loaded later do when they're loaded."""
    homes = [vars(sys.modules[name]) for name in _MODULES if name in sys.modules] + [vars(torch.Tensor)]
    for home in homes:
        for name, value in list(home.items()):
            private = name.startswith("_") and home is not homes[-1]
            if not _has_code(value) or private or name in _NEVER:
                continue
            if value.__module__ in ("torch", "torch.random", "torch.serialization"):
                continue
            _ask_first_once(value)


def _loaded(function):
    """A function that was loaded just now."""
    if _asked:
        _ask_first_once(function)
    return function


def is_tensor_method_or_property(func):
    """Whether it's a method of `Tensor`, or the getter of an attribute."""
    return func.__name__ == "__get__" or any(value is func for value in vars(torch.Tensor).values())


# In PyTorch, these are one function in `torch` and another in `torch.nn.functional`.
_TORCHS = frozenset((
    "adaptive_max_pool1d batch_norm celu dropout embedding group_norm kl_div layer_norm log_softmax max_pool1d max_pool2d max_pool3d "
    "relu rms_norm rrelu selu sigmoid softmax tanh threshold"
).split())


def resolve_name(f):
    """A name by which messages call a function of torch; `None` if it's none."""
    if getattr(f, "__name__", None) == "__get__":
        return f"torch.Tensor.{f.__self__.__name__}.__get__"
    if is_tensor_method_or_property(f):
        return f"torch.Tensor.{f.__name__}"
    # Functions of one name are one object in `torch` and `torch.nn.functional` here.
    first = () if getattr(f, "__name__", "") in _TORCHS else ("torch.nn.functional",)
    for module in (*first, "torch.nn.init", *_MODULES):
        if vars(sys.modules.get(module) or torch).get(getattr(f, "__name__", "")) is f:
            return f"{module}.{f.__name__}"
    # Some have another name of their own than the one by which a program calls them.
    for module in ("torch.linalg", "torch.fft", "torch.special"):
        for name, value in vars(sys.modules.get(module) or torch).items():
            if value is f:
                return f"{module}.{name}"
    return None


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module 'torch.overrides' has no attribute '{name}'")
    raise NotImplementedError(f"torch.overrides.{name} isn't here: there is no list of PyTorch's functions")

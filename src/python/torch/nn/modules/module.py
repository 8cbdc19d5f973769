"""The base class of all modules: a tree of parameters, buffers and other modules."""

import functools
import warnings
from collections import OrderedDict, namedtuple
from collections.abc import Mapping

import _torch
from _torch import Tensor

from torch._tensor import HooksHandle as RemovableHandle

from ..parameter import Buffer, Parameter, is_lazy

# The key for the result of `get_extra_state`.
_EXTRA_STATE = "_extra_state"

_HOOKS = (
    "_backward_pre_hooks", "_backward_hooks", "_is_full_backward_hook", "_forward_hooks", "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called", "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs", "_state_dict_hooks",
    "_state_dict_pre_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks",
)


# Hooks of all modules, and which of them want keyword arguments or run even if `forward` fails.
_global_buffer_registration_hooks = OrderedDict()
_global_module_registration_hooks = OrderedDict()
_global_parameter_registration_hooks = OrderedDict()
_global_backward_pre_hooks = OrderedDict()
_global_backward_hooks = OrderedDict()
_global_forward_pre_hooks = OrderedDict()
_global_forward_hooks = OrderedDict()
_global_forward_hooks_always_called = OrderedDict()
_global_forward_hooks_with_kwargs = OrderedDict()
# Whether those in the backward pass are full hooks. PyTorch remembers it even when they're removed.
_global_is_full_backward_hook = None

_TWO_KINDS = ("Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of them.")


class _Handle(RemovableHandle):
    """The result of `register_*_hook` of a module. It keeps the dictionaries of which it's a key."""

    def __init__(self, hooks, *extra):
        self.hooks = hooks
        self._extra = extra
        self._after = None
        self._number()

    def remove(self):
        for hooks in (self.hooks, *self._extra):
            hooks.pop(self.id, None)
        if self._after is not None:
            self._after()

    def __getstate__(self):
        return self.__dict__

    def __setstate__(self, state):
        self.__dict__.update(state)


_Handle.__name__, _Handle.__qualname__, _Handle.__module__ = "RemovableHandle", "RemovableHandle", "torch.utils.hooks"


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    __slots__ = ()

    def __repr__(self):
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys!r}, unexpected_keys={self.unexpected_keys!r})"

    __str__ = __repr__


def _no_hook(module, args):
    """An entry among the forward hooks of a module that has backward hooks."""


def _addindent(text, spaces):
    first, *rest = text.split("\n")
    if not rest:
        return text
    return first + "\n" + "\n".join(" " * spaces + line for line in rest)


class Module:
    """A part of a model.  If you assign a `Parameter`, a `Buffer` or a `Module` to an attribute, it's registered:
    `parameters()` finds it, `to()` moves it, and `state_dict()` contains it. Plain tensors, and modules inside a
    plain list, aren't registered."""

    training: bool
    _version = 1

    # True in a class whose other bases also have an `__init__`, which then gets the arguments.
    call_super_init = False
    dump_patches = False

    def __init__(self, *args, **kwargs):
        if (args or kwargs) and not self.call_super_init:
            given = next(iter(kwargs), None)
            raise TypeError(
                f"{type(self).__name__}.__init__() got an unexpected keyword argument '{given}'"
                if kwargs
                else f"{type(self).__name__}.__init__() takes 1 positional argument but {len(args) + 1} were given"
            )
        put = super().__setattr__
        put("training", True)
        put("_parameters", {})
        put("_buffers", {})
        put("_non_persistent_buffers_set", set())
        # In PyTorch's order, and including hooks that aren't implemented here, because a pickled module contains all of
        # these.
        for name in _HOOKS:
            put(name, None if name == "_is_full_backward_hook" else OrderedDict())
        put("_modules", {})
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def forward(self, *input):
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    # Native: `forward` if there are no hooks, else `_call_with_hooks`.
    __call__ = _torch._module_call

    def _call_with_hooks(self, *args, **kwargs):
        # Looked up before the hooks run, because a hook may change the module's class, as those of lazy modules do.
        forward = self.forward
        result, done = None, set()
        always = {**_global_forward_hooks_always_called, **self._forward_hooks_always_called}
        try:
            for key, hook in (*_global_forward_pre_hooks.items(), *self._forward_pre_hooks.items()):
                if key in self._forward_pre_hooks_with_kwargs:
                    changed = hook(self, args, kwargs)
                    if changed is not None:
                        if not isinstance(changed, tuple) or len(changed) != 2:
                            raise RuntimeError("forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got "
                                               f"{changed}.")
                        args, kwargs = changed
                else:
                    changed = hook(self, args)
                    if changed is not None:
                        args = changed if isinstance(changed, tuple) else (changed,)
            backward = None
            if self._backward_hooks or self._backward_pre_hooks or _global_backward_hooks or _global_backward_pre_hooks:
                from ._backward_hooks import BackwardHooks

                of_all, own = [*_global_backward_hooks.values()], [*self._backward_hooks.values()]
                full = (of_all if _global_is_full_backward_hook else []) + (own if self._is_full_backward_hook else [])
                backward = BackwardHooks(self, full, [*_global_backward_pre_hooks.values(), *self._backward_pre_hooks.values()])
                backward.of_node = ([] if _global_is_full_backward_hook else of_all) + ([] if self._is_full_backward_hook else own)
                args = backward.inputs(args)
            result = forward(*args, **kwargs)
            for key, hook in (*_global_forward_hooks.items(), *self._forward_hooks.items()):
                done.add(key)
                with_kwargs = key in self._forward_hooks_with_kwargs or key in _global_forward_hooks_with_kwargs
                changed = hook(self, args, kwargs, result) if with_kwargs else hook(self, args, result)
                if changed is not None:
                    result = changed
            return result if backward is None else backward.outputs(result, args)
        except Exception:
            for key, hook in (*_global_forward_hooks.items(), *self._forward_hooks.items()):
                if key not in always or key in done:
                    continue
                try:
                    with_kwargs = key in self._forward_hooks_with_kwargs
                    changed = hook(self, args, kwargs, result) if with_kwargs else hook(self, args, result)
                    if changed is not None:
                        result = changed
                except Exception as e:
                    kind = "global module" if key in _global_forward_hooks else "module"
                    warnings.warn(f"{kind} forward hook with ``always_call=True`` raised an exception that was silenced as another "
                                  f"error was raised in forward: {e}", stacklevel=2)
            raise

    _call_impl = _call_with_hooks

    # ---- attributes ----

    # Native: a parameter, a buffer or a module of this name.
    __getattr__ = _torch._module_getattr

    def __setattr__(self, name, value):
        own = self.__dict__
        parameters = own.get("_parameters")
        if isinstance(value, Parameter):
            if parameters is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, "_parameters")
            self.register_parameter(name, value)
            return
        if parameters is not None and name in parameters:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{_torch_typename(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)"
                )
            self.register_parameter(name, value)
            return
        modules = own.get("_modules")
        if isinstance(value, Module):
            if modules is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name, "_modules")
            modules[name] = _replaced(_global_module_registration_hooks, self, name, value)
            return
        if modules is not None and name in modules:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{_torch_typename(value)}' as child module '{name}' (torch.nn.Module or None expected)"
                )
            modules[name] = _replaced(_global_module_registration_hooks, self, name, value)
            return
        buffers = own.get("_buffers")
        if isinstance(value, Buffer):
            if buffers is None:
                raise AttributeError("cannot assign buffer before Module.__init__() call")
            self._forget(name, "_buffers")
            self.register_buffer(name, value, value.persistent)
            return
        if buffers is not None and name in buffers:
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"cannot assign '{_torch_typename(value)}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor or None expected)"
                )
            buffers[name] = _replaced(_global_buffer_registration_hooks, self, name, value)
            return
        super().__setattr__(name, value)

    def _forget(self, name, keep):
        own = self.__dict__
        own.pop(name, None)
        for kind in ("_parameters", "_buffers", "_modules"):
            if kind != keep:
                own[kind].pop(name, None)
        self._non_persistent_buffers_set.discard(name)

    def __delattr__(self, name):
        for kind in (self._parameters, self._buffers, self._modules):
            if name in kind:
                del kind[name]
                self._non_persistent_buffers_set.discard(name)
                return
        super().__delattr__(name)

    def __dir__(self):
        names = list(super().__dir__()) + list(self._parameters) + list(self._modules) + list(self._buffers)
        return sorted(name for name in names if not name[0].isdigit())

    # ---- registering ----

    def register_parameter(self, name, param):
        self._check_name(name, "parameter", self._parameters)
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{_torch_typename(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
            )
        if param is not None and param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created explicitly. "
                "To express 'x' as a function of another Tensor, compute the value in the forward() method."
            )
        self._parameters[name] = param if param is None else _replaced(_global_parameter_registration_hooks, self, name, param)

    def register_buffer(self, name, tensor, persistent=True):
        self._check_name(name, "buffer", self._buffers)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{_torch_typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            )
        self._buffers[name] = _replaced(_global_buffer_registration_hooks, self, name, tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_module(self, name, module):
        self.add_module(name, module)

    def add_module(self, name, module):
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{_torch_typename(module)} is not a Module subclass")
        self._check_name(name, "module", self._modules)
        self._modules[name] = _replaced(_global_module_registration_hooks, self, name, module)

    def _check_name(self, name, kind, known):
        if "_parameters" not in self.__dict__:
            raise AttributeError(f"cannot assign {kind} before Module.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {_torch_typename(name)}")
        if "." in name:
            raise KeyError(f'{kind} name can\'t contain "."' + (f", got: {name}" if kind == "module" else ""))
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')
        if hasattr(self, name) and name not in known:
            raise KeyError(f"attribute '{name}' already exists")

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        handle = _Handle(self._forward_hooks, self._forward_hooks_with_kwargs, self._forward_hooks_always_called)
        self._forward_hooks[handle.id] = hook
        if with_kwargs:
            self._forward_hooks_with_kwargs[handle.id] = True
        if always_call:
            self._forward_hooks_always_called[handle.id] = True
        if prepend:
            self._forward_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        handle = _Handle(self._forward_pre_hooks, self._forward_pre_hooks_with_kwargs)
        self._forward_pre_hooks[handle.id] = hook
        if with_kwargs:
            self._forward_pre_hooks_with_kwargs[handle.id] = True
        if prepend:
            self._forward_pre_hooks.move_to_end(handle.id, last=False)
        return handle

    def _register_backward(self, hooks, hook, prepend):
        # The native call only checks for forward hooks. An empty entry among them makes it look at the others.
        handle = _Handle(hooks, self._forward_pre_hooks)
        hooks[handle.id] = hook
        self._forward_pre_hooks[handle.id] = _no_hook
        if prepend:
            hooks.move_to_end(handle.id, last=False)
        return handle

    def register_full_backward_hook(self, hook, prepend=False):
        """Calls `hook(module, grad_input, grad_output)` in each backward pass. A result of the hook replaces
        `grad_input`."""
        if self._is_full_backward_hook is False:
            raise RuntimeError(_TWO_KINDS)
        self._is_full_backward_hook = True
        return self._register_backward(self._backward_hooks, hook, prepend)

    def register_full_backward_pre_hook(self, hook, prepend=False):
        """Calls `hook(module, grad_output)` before a backward pass goes through the module. A result of the hook
        replaces `grad_output`."""
        return self._register_backward(self._backward_pre_hooks, hook, prepend)

    def register_backward_hook(self, hook):
        """Calls `hook(module, grad_input, grad_output)` with the gradients of the node that made the module's output."""
        if self._is_full_backward_hook is True:
            raise RuntimeError(_TWO_KINDS)
        self._is_full_backward_hook = False
        return self._register_backward(self._backward_hooks, hook, False)

    def __setstate__(self, state):
        self.__dict__.update(state)
        # Files of older versions lack some.
        for name in _HOOKS:
            self.__dict__.setdefault(name, None if name == "_is_full_backward_hook" else OrderedDict())
        self.__dict__.setdefault("_non_persistent_buffers_set", set())

    def _replicate_for_data_parallel(self):
        replica = self.__new__(type(self))
        replica.__dict__ = self.__dict__.copy()
        replica._parameters = {}
        replica._buffers = replica._buffers.copy()
        replica._modules = replica._modules.copy()
        replica._is_replica = True
        return replica

    # ---- walking the tree ----

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                inner = prefix + ("." if prefix else "") + name
                yield from module.named_modules(memo, inner, remove_duplicate)

    def modules(self):
        for _, module in self.named_modules():
            yield module

    def named_children(self):
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self):
        for _, module in self.named_children():
            yield module

    def _named_members(self, members, prefix, recurse, remove_duplicate=True):
        seen = set()
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, value in members(module):
                if value is None or id(value) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(value))
                yield path + ("." if path else "") + name, value

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        yield from self._named_members(lambda m: m._parameters.items(), prefix, recurse, remove_duplicate)

    def parameters(self, recurse=True):
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        yield from self._named_members(lambda m: m._buffers.items(), prefix, recurse, remove_duplicate)

    def buffers(self, recurse=True):
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def get_submodule(self, target):
        module = self
        for name in [] if target == "" else target.split("."):
            if not hasattr(module, name):
                raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
            module = getattr(module, name)
            if not isinstance(module, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def set_submodule(self, target, module, strict=False):
        """Puts a module in the place that a path names."""
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Module):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{type(parent).__name__} has no attribute `{name}`")
        if hasattr(parent, name) and not isinstance(getattr(parent, name), Module):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    def get_parameter(self, target):
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
        parameter = getattr(module, name)
        if not isinstance(parameter, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return parameter

    def get_buffer(self, target):
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return module._buffers[name]

    def apply(self, fn):
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    # ---- moving and converting, in place ----

    def _apply(self, fn, recurse=True):
        """Replaces the data of every parameter (keeping the object) and every buffer by the result of `fn`."""
        if recurse:
            for module in self.children():
                module._apply(fn)
        for name, parameter in self._parameters.items():
            if parameter is None:
                continue
            with _torch._grad_mode("no_grad"):
                applied = fn(parameter)
            if parameter.is_meta != applied.is_meta:
                # A parameter without data, or one that loses its data, can't keep its object.
                self._parameters[name] = Parameter(applied, parameter.requires_grad)
                continue
            parameter.data = applied
            if parameter.grad is not None:
                with _torch._grad_mode("no_grad"):
                    parameter.grad.data = fn(parameter.grad)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self, *args, **kwargs):
        device, dtype, non_blocking = _torch._parse_to(self, *args, **kwargs)
        memory_format = kwargs.get("memory_format")
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}"
            )
        if dtype is not None and dtype.is_complex:
            warnings.warn(
                "Complex modules are a new feature under active development whose design may change, and some modules might "
                "not work as expected when using complex tensors as parameters or buffers. Please file an issue at "
                "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml if a complex module does not work as "
                "expected.", stacklevel=2)

        def convert(t):
            if t.is_meta and device is not None and device.type != "meta":
                raise NotImplementedError(
                    "Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of "
                    "torch.nn.Module.to() when moving module from meta to a different device."
                )
            dtype_of = dtype if t.is_floating_point() or t.is_complex() else None
            if memory_format is not None and t.dim() in (4, 5):
                return t.to(device, dtype_of, non_blocking, memory_format=memory_format)
            return t.to(device, dtype_of, non_blocking)

        return self._apply(convert)

    def cuda(self, device=None):
        return self._apply(lambda t: t.cuda(device))

    def xpu(self, device=None):
        return self._apply(lambda t: t.xpu(device))

    def mtia(self, device=None):
        return self._apply(lambda t: t.mtia(device))

    def ipu(self, device=None):
        return self._apply(lambda t: t.ipu(device))

    def cpu(self):
        return self._apply(lambda t: t.cpu())

    def type(self, dst_type):
        return self._apply(lambda t: t.type(dst_type))

    def float(self):
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self):
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self):
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def bfloat16(self):
        return self._apply(lambda t: t.bfloat16() if t.is_floating_point() else t)

    def to_empty(self, *, device, recurse=True):
        return self._apply(lambda t: _torch.empty_like(t, device=device), recurse=recurse)

    def share_memory(self):
        return self._apply(lambda t: t.share_memory_())

    def compile(self, *args, **kwargs):
        """Nothing is compiled, and `torch.compile` says so once."""
        from torch._dynamo import compile

        compile(self, *args, **kwargs)

    # ---- modes ----

    def train(self, mode=True):
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        for parameter in self.parameters():
            if parameter.grad is not None:
                if set_to_none:
                    parameter.grad = None
                else:
                    parameter.grad = parameter.grad.detach().zero_()

    # ---- state ----

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        """Adds this module's own entries to `destination`; its children add theirs."""
        for name, parameter in self._parameters.items():
            if parameter is not None:
                destination[prefix + name] = parameter if keep_vars else parameter.detach()
        for name, buffer in self._buffers.items():
            if buffer is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = buffer if keep_vars else buffer.detach()
        if type(self).get_extra_state is not Module.get_extra_state:
            destination[prefix + _EXTRA_STATE] = self.get_extra_state()

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        if args:
            warnings.warn(
                "Positional args are being deprecated, use kwargs instead. Refer to "
                "https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict for details.",
                FutureWarning, stacklevel=2)
            destination = args[0] if destination is None else destination
            prefix = args[1] if len(args) > 1 and prefix == "" else prefix
            keep_vars = args[2] if len(args) > 2 and keep_vars is False else keep_vars
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=prefix + name + ".", keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            result = hook(self, destination, prefix, metadata)
            if getattr(hook, "_from_public_api", False):
                if result is not None:
                    raise RuntimeError("state_dict post-hook must return None")
            elif result is not None:
                destination = result
        return destination

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        """Takes this module's own entries from `state_dict`. What goes wrong is added to the three lists."""
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        own = {k: v for k, v in self._parameters.items() if v is not None}
        own.update((k, v) for k, v in self._buffers.items()
                   if v is not None and k not in self._non_persistent_buffers_set)
        assign = local_metadata.get("assign_to_params_buffers", False)
        for name, target in own.items():
            key = prefix + name
            if key in state_dict:
                self._load_one(name, target, key, state_dict[key], assign, error_msgs)
            elif strict:
                missing_keys.append(key)
        extra = prefix + _EXTRA_STATE
        if type(self).set_extra_state is not Module.set_extra_state:
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            for key in state_dict:
                if not key.startswith(prefix) or key == extra:
                    continue
                first, *rest = key[len(prefix):].split(".", 1)
                if first not in (self._modules if rest else own):
                    unexpected_keys.append(key)

    def _load_one(self, name, target, key, source, assign, error_msgs):
        if not isinstance(source, Tensor):
            error_msgs.append(
                f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from '
                f"checkpoint but received {type(source)}"
            )
            return
        if not is_lazy(target):
            if len(target.shape) == 0 and len(source.shape) == 1:
                # Files of PyTorch 0.3, which had no 0-dim tensors.
                source = source[0]
            if source.shape != target.shape:
                error_msgs.append(
                    f"size mismatch for {key}: copying a param with shape {source.shape} from checkpoint, "
                    f"the shape in current model is {target.shape}."
                )
                return
            if target.is_meta and not source.is_meta and not assign:
                warnings.warn(
                    f"for {key}: copying from a non-meta parameter in the checkpoint to a meta parameter in the current model, "
                    "which is a no-op. (Did you mean to pass `assign=True` to assign items in the state dictionary to their "
                    "corresponding key in the module instead of copying them in place?)", stacklevel=2)
        try:
            with _torch._grad_mode("no_grad"):
                if assign:
                    if isinstance(target, Parameter):
                        if not isinstance(source, Parameter):
                            source = Parameter(source, target.requires_grad)
                        else:
                            source.requires_grad_(target.requires_grad)
                    setattr(self, name, source)
                else:
                    target.copy_(source)
        except Exception as problem:
            error_msgs.append(
                f'While copying the parameter named "{key}", whose dimensions in the model are {target.size()} and whose '
                f"dimensions in the checkpoint are {source.size()}, an exception occurred : {problem.args}."
            )

    def load_state_dict(self, state_dict, strict=True, assign=False):
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing, unexpected, errors = [], [], []
        metadata = getattr(state_dict, "_metadata", None) or {}
        # A copy, because hooks may remove keys.
        state_dict = OrderedDict(state_dict)

        def load(module, state, prefix):
            local = metadata.get(prefix[:-1], {})
            if assign:
                local["assign_to_params_buffers"] = assign
            module._load_from_state_dict(state, prefix, local, True, missing, unexpected, errors)
            for name, child in module._modules.items():
                if child is not None:
                    inner = prefix + name + "."
                    load(child, {k: v for k, v in state.items() if k.startswith(inner)}, inner)
            incompatible = _IncompatibleKeys(missing, unexpected)
            for hook in module._load_state_dict_post_hooks.values():
                if hook(module, incompatible) is not None:
                    raise AssertionError(
                        "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new values, "
                        "if incompatible_keys need to be modified, it should be done inplace."
                    )

        load(self, state_dict, "")
        if strict:
            if unexpected:
                errors.insert(0, "Unexpected key(s) in state_dict: {}. ".format(", ".join(f'"{k}"' for k in unexpected)))
            if missing:
                errors.insert(0, "Missing key(s) in state_dict: {}. ".format(", ".join(f'"{k}"' for k in missing)))
        if errors:
            raise RuntimeError(
                "Error(s) in loading state_dict for {}:\n\t{}".format(type(self).__name__, "\n\t".join(errors))
            )
        return _IncompatibleKeys(missing, unexpected)

    def get_extra_state(self):
        raise RuntimeError(
            "Reached a code path in Module.get_extra_state() that should never be called. Please file an issue at "
            "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug."
        )

    def set_extra_state(self, state):
        raise RuntimeError(
            "Reached a code path in Module.set_extra_state() that should never be called. Please file an issue at "
            "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug."
        )

    @staticmethod
    def _hooked(hooks, hook):
        handle = _Handle(hooks)
        hooks[handle.id] = hook
        return handle

    def register_state_dict_post_hook(self, hook):
        hook._from_public_api = True
        return self._hooked(self._state_dict_hooks, hook)

    def _register_state_dict_hook(self, hook):
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError(
                "Cannot register the same function as the state dict post hook that was previously registered via "
                "register_state_dict_post_hook"
            )
        return self._hooked(self._state_dict_hooks, hook)

    def register_state_dict_pre_hook(self, hook):
        return self._hooked(self._state_dict_pre_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook):
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        return self._hooked(self._load_state_dict_pre_hooks, functools.partial(hook, self) if with_module else hook)

    def register_load_state_dict_post_hook(self, hook):
        return self._hooked(self._load_state_dict_post_hooks, hook)

    # ---- printing ----

    def _get_name(self):
        return type(self).__name__

    def extra_repr(self):
        return ""

    def __repr__(self):
        extra = self.extra_repr()
        extra_lines = extra.split("\n") if extra else []
        child_lines = []
        for name, module in self._modules.items():
            child_lines.append(f"({name}): " + _addindent(repr(module), 2))
        text = self._get_name() + "("
        if extra_lines or child_lines:
            if len(extra_lines) == 1 and not child_lines:
                text += extra_lines[0]
            else:
                text += "\n  " + "\n  ".join(extra_lines + child_lines) + "\n"
        return text + ")"


def _torch_typename(value):
    import torch

    return torch.typename(value)


def _with_own_init(cls):
    """Gives a class its own copy of an inherited `__init__`, so that Python's errors name the class."""
    inherited = cls.__init__
    own = type(inherited)(inherited.__code__, inherited.__globals__, "__init__", inherited.__defaults__, inherited.__closure__)
    own.__kwdefaults__, own.__qualname__ = inherited.__kwdefaults__, f"{cls.__name__}.__init__"
    cls.__init__ = own
    return cls


def _replaced(hooks, module, name, value):
    """What is registered under `name`: each hook may answer with another value."""
    for hook in hooks.values():
        answer = hook(module, name, value)
        if answer is not None:
            value = answer
    return value


def _of_all_calls(hook, hooks, *flags):
    """Registers a hook of all modules' calls. Each of `flags` marks it."""
    handle = _Handle(hooks, *flags)
    hooks[handle.id] = hook
    for flag in flags:
        flag[handle.id] = True
    handle._after = _choose_call
    _choose_call()
    return handle


def _choose_call():
    # The native call looks at a module's own hooks only.
    anywhere = _global_forward_pre_hooks or _global_forward_hooks or _global_backward_hooks or _global_backward_pre_hooks
    Module.__call__ = Module._call_with_hooks if anywhere else _torch._module_call


def register_module_forward_pre_hook(hook):
    """Calls `hook(module, args)` before the `forward` of every module."""
    return _of_all_calls(hook, _global_forward_pre_hooks)


def register_module_forward_hook(hook, *, with_kwargs=False, always_call=False):
    """Calls `hook(module, args, output)` after the `forward` of every module."""
    flags = [_global_forward_hooks_with_kwargs] if with_kwargs else []
    return _of_all_calls(hook, _global_forward_hooks, *flags, *([_global_forward_hooks_always_called] if always_call else []))


def register_module_full_backward_pre_hook(hook):
    """Calls `hook(module, grad_output)` before a backward pass goes through a module, for every module."""
    return _of_all_calls(hook, _global_backward_pre_hooks)


def register_module_full_backward_hook(hook):
    """Calls `hook(module, grad_input, grad_output)` in each backward pass, for every module."""
    return _of_all_backward_passes(hook, True)


def register_module_backward_hook(hook):
    """Calls `hook(module, grad_input, grad_output)` with the gradients of the node that made a module's output, for every
    module."""
    return _of_all_backward_passes(hook, False)


def _of_all_backward_passes(hook, full):
    global _global_is_full_backward_hook
    if _global_is_full_backward_hook is not full and _global_is_full_backward_hook is not None:
        raise RuntimeError("Cannot use both regular backward hooks and full backward hooks as a global Module hook. Please use "
                           "only one of them.")
    _global_is_full_backward_hook = full
    return _of_all_calls(hook, _global_backward_hooks)


def _of_all_registrations(hook, hooks):
    handle = _Handle(hooks)
    hooks[handle.id] = hook
    return handle


def register_module_buffer_registration_hook(hook):
    """Calls `hook(module, name, buffer)` for each buffer that a module registers. It may return another buffer."""
    return _of_all_registrations(hook, _global_buffer_registration_hooks)


def register_module_module_registration_hook(hook):
    """Calls `hook(module, name, submodule)` for each module that a module registers. It may return another module."""
    return _of_all_registrations(hook, _global_module_registration_hooks)


def register_module_parameter_registration_hook(hook):
    """Calls `hook(module, name, parameter)` for each parameter that a module registers. It may return another one."""
    return _of_all_registrations(hook, _global_parameter_registration_hooks)

"""The base of all optimizers: groups of parameters, and a state for each parameter, made at its first step."""

import functools
import math
import warnings
from collections import OrderedDict, defaultdict
from copy import deepcopy
from itertools import chain

import _torch
from _torch import Tensor


class _Required:
    def __repr__(self):
        return "<required parameter>"


required = _Required()

_global_optimizer_pre_hooks = OrderedDict()
_global_optimizer_post_hooks = OrderedDict()

# The hooks that each optimizer has.
_HOOKS = tuple(
    f"_optimizer_{when}_hooks"
    for when in ("step_pre", "step_post", "state_dict_pre", "state_dict_post", "load_state_dict_pre", "load_state_dict_post")
)

# What groups of older files may lack, if the optimizer has it.
_NEWER = {"nesterov": False, "amsgrad": False, "centered": False, "maximize": False, "foreach": None, "capturable": False,
          "differentiable": False, "decoupled_weight_decay": False, "fused": None}


def _hooked(hooks, hook, prepend=False):
    from torch.nn.modules.module import _Handle

    handle = _Handle(hooks)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def register_optimizer_step_pre_hook(hook):
    """Calls `hook(optimizer, args, kwargs)` before each step of every optimizer."""
    return _hooked(_global_optimizer_pre_hooks, hook)


def register_optimizer_step_post_hook(hook):
    """Calls `hook(optimizer, args, kwargs)` after each step of every optimizer."""
    return _hooked(_global_optimizer_post_hooks, hook)


def _has_hooks(self):
    return (self._optimizer_step_pre_hooks or self._optimizer_step_post_hooks or _global_optimizer_pre_hooks
            or _global_optimizer_post_hooks)


def _run_hooked(step, self, args, kwargs):
    """`step` between the hooks of its optimizer, which can see and change its arguments."""
    for hook in chain(_global_optimizer_pre_hooks.values(), self._optimizer_step_pre_hooks.values()):
        result = hook(self, args, kwargs)
        if result is not None:
            if not (isinstance(result, tuple) and len(result) == 2):
                place = f"<function {type(self).__name__}.step at {id(step):#x}>"
                raise RuntimeError(f"{place} must return None or a tuple of (new_args, new_kwargs), but got {result}.")
            args, kwargs = result
    out = step(*args, **kwargs)
    for hook in chain(self._optimizer_step_post_hooks.values(), _global_optimizer_post_hooks.values()):
        hook(self, args, kwargs)
    return out


_ORDERED = (
    "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets will change "
    "between runs. Please use a list instead."
)


class Optimizer:
    _newer = tuple(_NEWER)

    def __init__(self, params, defaults):
        self.defaults = defaults
        for name in _HOOKS:
            setattr(self, name, OrderedDict())
        if isinstance(params, Tensor):
            raise TypeError(
                f"params argument given to the optimizer should be an iterable of Tensors or dicts, but got {params.type()}"
            )
        if isinstance(params, set):
            warnings.warn(f"{_ORDERED} This will be an error in a future release.", FutureWarning, stacklevel=2)
        self.state = defaultdict(dict)
        self.param_groups = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(dict(group))
        if defaults.get("fused") and "foreach" in defaults:
            if defaults.get("differentiable"):
                raise RuntimeError("`fused` does not support `differentiable`")
            if defaults["foreach"]:
                raise RuntimeError("`fused` and `foreach` cannot be `True` together.")

    def add_param_group(self, param_group):
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, Tensor):
            params = [params]
        elif isinstance(params, set):
            raise TypeError(_ORDERED)
        else:
            params = list(params)
        names = [param[0] for param in params if isinstance(param, tuple)]
        if names and len(names) != len(params):
            raise ValueError("all optimizer params should be with/without names. Some param names are missing")
        if names:
            params = [param for _, param in params]
            param_group["param_names"] = names
        param_group["params"] = params
        for param in params:
            if not isinstance(param, Tensor):
                import torch

                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {torch.typename(param)}")
            if not (param.is_leaf or param.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
            param_group.setdefault(name, default)
        if len(params) != len({id(param) for param in params}):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; see "
                "github.com/pytorch/pytorch/issues/40967 for more information",
                stacklevel=3,
            )
        if self.param_groups and ("param_names" in param_group) != ("param_names" in self.param_groups[0]):
            kind = "with names" if "param_names" in param_group else "without names"
            raise ValueError("all optimizer param groups should be with/without names. cannot add param group "
                             f"{kind} to the optimizer")
        known = set()
        for group in self.param_groups:
            known.update(id(p) for p in group["params"])
        if any(id(p) in known for p in params):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)

    def zero_grad(self, set_to_none=True):
        for group in self.param_groups:
            params = group["params"]
            if not set_to_none and _torch._has_sparse_gradient(params):
                sparse = [p for p in params if p.grad is not None and p.grad.is_sparse or p.grad.is_sparse_csr]
                for p in sparse:
                    p.grad.detach_().zero_()
                params = [p for p in params if not any(p is other for other in sparse)]
            _torch._zero_grad(params, set_to_none)

    def _check_capture(self):
        """Refuses a captured step if the optimizer isn't capturable, and warns once if a capturable one runs without a
        graph."""
        if "capturable" not in self.defaults:
            return
        capturable = True
        for group in self.param_groups:
            if not group["capturable"]:
                capturable = False
                break
        capturing = _torch._is_capturing()
        # Whether there is a GPU is checked last, because that may read the program's environment, and there are many
        # steps.
        if capturing == capturable or (capturable and getattr(self, "_warned_capturable_if_run_uncaptured", False)):
            return
        if not _torch._machine()[0]:
            return
        if capturing:
            raise RuntimeError(f"Attempting CUDA graph capture of step() for an instance of {type(self).__name__} but "
                               "param_groups' capturable is False.")
        warnings.warn(
            "This instance was constructed with capturable=True or some of all the param_groups came with capturable=True, "
            "but step() is running without CUDA graph capture. If you never intend to graph-capture this instance, "
            "capturable=True can impair performance, and you should set capturable=False.",
            stacklevel=2,
        )
        self._warned_capturable_if_run_uncaptured = True

    def step(self, closure=None):
        if type(self)._update is Optimizer._update and type(self)._update_group is Optimizer._update_group:
            raise NotImplementedError
        if _has_hooks(self) and type(self).step is Optimizer.step:
            return _run_hooked(Optimizer._step, self, (self,) if closure is None else (self, closure), {})
        return self._step(closure)

    def _step(self, closure=None):
        self._check_capture()
        loss = None
        if closure is not None:
            with _torch._grad_mode("enable_grad"):
                loss = closure()
        for group in self.param_groups:
            if group.get("differentiable"):
                from . import _differentiable

                _differentiable.update(self, group)
            elif _torch._has_sparse_gradient(group["params"]):
                with _torch._grad_mode("no_grad"):
                    self._update_sparse_group(group)
            else:
                self._update_group(group)
        return loss

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        step = cls.__dict__.get("step")
        if step is None:
            return

        @functools.wraps(step)
        def hooked(*args, **kwargs):
            self = args[0]
            # When a subclass calls its base's step, that is part of its own step.
            if type(self).step is not hooked or not _has_hooks(self):
                return step(*args, **kwargs)
            return _run_hooked(step, self, args, kwargs)

        cls.step = hooked

    def _update_group(self, group):
        params = [p for p in group["params"] if p.grad is not None]
        if params:
            self._update(group, params, [p.grad for p in params])

    def _update(self, group, params, grads):
        """Changes `params` in place. Subclasses implement it."""
        raise NotImplementedError

    def _update_sparse_group(self, group):
        """As `_update_group`, for a group with sparse gradients."""
        own = next(c.__name__ for c in type(self).__mro__ if c.__module__.startswith("torch.optim"))
        if own in ("Adam", "AdamW"):
            raise RuntimeError("Adam does not support sparse gradients, please consider SparseAdam instead")
        raise RuntimeError(f"{own} does not support sparse gradients")

    def _update_rows(self, group, step):
        """`step` for each parameter with a sparse gradient, and the usual update for the others."""
        from torch._sparse import _steps

        sparse, params, grads = _steps.split(group)
        for p in sparse:
            step(group, p, self.state[p])
        if params:
            self._update(group, params, grads)

    def register_step_pre_hook(self, hook):
        return _hooked(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook):
        return _hooked(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook, prepend=False):
        return _hooked(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook, prepend=False):
        return _hooked(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook, prepend=False):
        return _hooked(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(self, hook, prepend=False):
        return _hooked(self._optimizer_load_state_dict_post_hooks, hook, prepend)

    def __getstate__(self):
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state):
        self.__dict__.update(state)
        for name in _HOOKS:
            self.__dict__.setdefault(name, OrderedDict())
        self.defaults.setdefault("differentiable", False)
        if "foreach" not in self.defaults:
            return
        for group in self.param_groups:
            for name, value in _NEWER.items():
                if name in self.defaults and name in self._newer:
                    group.setdefault(name, False if name == "fused" and "nesterov" in group else value)
            on_device = group.get("capturable") or group.get("fused") or "lambd" in group
            for p in group["params"]:
                own = self.state.get(p, {})
                for name in ("step", "mu_product", "eta", "mu"):
                    # Numbers in older files.
                    if name in own and not isinstance(own[name], Tensor):
                        dtype = _torch.float64 if _torch.get_default_dtype() == _torch.float64 else _torch.float32
                        own[name] = _torch.tensor(float(own[name]), dtype=dtype, device=p.device if on_device else "cpu")

    def state_dict(self):
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        index = {}
        groups = []
        for group in self.param_groups:
            packed = {k: v for k, v in group.items() if k != "params"}
            for p in group["params"]:
                index.setdefault(id(p), len(index))
            packed["params"] = [index[id(p)] for p in group["params"]]
            groups.append(packed)
        state = {(index[id(k)] if isinstance(k, Tensor) else k): v for k, v in self.state.items()}
        packed = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            changed = hook(self, packed)
            if changed is not None:
                packed = changed
        return packed

    def load_state_dict(self, state_dict):
        state_dict = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            changed = hook(self, state_dict)
            if changed is not None:
                state_dict = changed
        groups = self.param_groups
        saved_groups = state_dict["param_groups"]
        if len(groups) != len(saved_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(a["params"]) != len(b["params"]) for a, b in zip(groups, saved_groups)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        of_index, on_device = {}, set()
        for saved, own in zip(saved_groups, groups):
            of_index.update(zip(saved["params"], own["params"]))
            if saved.get("capturable") or saved.get("fused"):
                on_device.update(saved["params"])
        state = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in of_index:
                state[of_index[key]] = _cast(of_index[key], None, value, key in on_device)
            else:
                state[key] = value
        loaded = []
        for saved, own in zip(saved_groups, groups):
            group = {**deepcopy({k: v for k, v in saved.items() if k != "params"}), "params": own["params"]}
            if "param_names" in own:
                group.setdefault("param_names", own["param_names"])
            loaded.append(group)
        self.__setstate__({"state": state, "param_groups": loaded})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    def __repr__(self):
        text = type(self).__name__ + " ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            for key in sorted(group):
                if key != "params":
                    text += f"    {key}: {group[key]}\n"
        return text + ")"


def _cast(param, name, value, on_device):
    """A saved state on the device and in the dtype of its parameter. `step` isn't moved, unless a graph counts it. A tensor
    that fits is shared with the saved state."""
    if isinstance(value, dict):
        return {k: _cast(param, k, v, on_device) for k, v in value.items()}
    if isinstance(value, Tensor):
        if name == "step":
            return value.to(dtype=_torch.float32, device=param.device) if on_device else value
        if param.is_floating_point():
            return value.to(dtype=param.dtype, device=param.device)
        return value.to(device=param.device)
    if hasattr(value, "__iter__") and not isinstance(value, str):
        return type(value)(_cast(param, None, v, on_device) for v in value)
    return value


def check_one_element(lr):
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")


def check_rate(lr, foreach, capturable):
    """The checks of a learning rate that may be a tensor."""
    if isinstance(lr, Tensor):
        if foreach and not capturable:
            raise ValueError("lr as a Tensor is not supported for capturable=False and foreach=True")
    check_one_element(lr)
    if not 0.0 <= lr:
        raise ValueError(f"Invalid learning rate: {lr}")


def first_count(group, p, value=0.0):
    """A number in a parameter's state that a capturable step keeps on the device, where a graph can change it."""
    if group["capturable"]:
        return _torch.full((), value, dtype=_torch.float32, device=p.device)
    return _torch.tensor(value)


def power_less_one(base, exponent):
    """`base ** exponent - 1` for a tensor `exponent`, accurate even if the power is near 1 and a difference would lose
    its digits."""
    if base == 0:
        return _torch.full_like(exponent, -1.0)
    return (exponent * math.log(base)).expm1_()


def real_parts(p, g, own):
    """A parameter with its gradient and its state as the rules see them: a complex number is a pair of real ones."""
    if not p.is_complex():
        return p, g, own
    real = _torch.view_as_real
    return real(p), real(g), {name: real(t) if isinstance(t, Tensor) and t.is_complex() else t for name, t in own.items()}


def check_capturable(params, numbers, one_by_one="params and state_steps", together=None, with_xla=None):
    """Refuses a capturable step unless all parameters and the numbers in their states are on GPUs. PyTorch's message
    differs if it updates parameters together, which it does if all are on GPUs. `with_xla` is its list of devices
    in the other case."""
    on_gpu = all(p.is_cuda for p in params)
    if not (on_gpu and all(number.is_cuda for number in numbers)):
        _torch._uncapturable(together or one_by_one if on_gpu else one_by_one, not on_gpu if with_xla is None else with_xla)


def check_betas(lr, betas, eps, weight_decay):
    """The option checks of Adam and similar optimizers."""
    check_one_element(lr)
    if not 0.0 <= lr:
        raise ValueError(f"Invalid learning rate: {lr}")
    if not 0.0 <= eps:
        raise ValueError(f"Invalid epsilon value: {eps}")
    for i in (0, 1):
        if not 0.0 <= betas[i] < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {betas[i]}")
    if not 0.0 <= weight_decay:
        raise ValueError(f"Invalid weight_decay value: {weight_decay}")


def __getattr__(name):
    if name == "ParamsT":
        # What annotations of optimizers call the first argument.
        from collections.abc import Iterable
        from typing import Any

        return Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]]
    raise AttributeError(f"module 'torch.optim.optimizer' has no attribute '{name}'")

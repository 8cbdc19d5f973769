"""Mixed precision: `autocast` chooses a dtype for each operator, `GradScaler` keeps small gradients from vanishing."""

import functools
import warnings
from collections import abc, defaultdict

import _torch
from _torch import Tensor

_DEVICE_TYPES = ("cpu", "cuda", "mps")
_nesting = 0


class autocast:
    """Computes chosen operators in lower precision inside a `with` block, or in a decorated function."""

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.device = device_type
        _torch.device(device_type)
        if device_type not in _DEVICE_TYPES:
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        self.fast_dtype = dtype if dtype is not None else get_autocast_dtype(device_type)
        self._cache_enabled = is_autocast_cache_enabled() if cache_enabled is None else cache_enabled
        if enabled and device_type == "cuda" and not _torch._machine()[0]:
            warnings.warn("CUDA is not available or torch_xla is imported. Disabling autocast.", stacklevel=2)
            enabled = False
        if enabled and device_type == "cpu" and self.fast_dtype not in (_torch.bfloat16, _torch.float16):
            warnings.warn(
                "In CPU autocast, but the target dtype is not supported. Disabling autocast.\n"
                "CPU Autocast only supports dtypes of torch.bfloat16, torch.float16 currently.",
                stacklevel=2,
            )
            enabled = False
        if enabled and device_type == "mps" and self.fast_dtype not in (_torch.bfloat16, _torch.float16):
            warnings.warn(
                "In MPS autocast, but the target dtype is not supported. Disabling autocast.\n"
                "MPS Autocast only supports dtype of torch.bfloat16 and torch.float16 currently.",
                stacklevel=2,
            )
            enabled = False
        self._enabled = enabled

    def __enter__(self):
        global _nesting
        self._before = (_torch._autocast_get(self.device), is_autocast_cache_enabled())
        _torch._autocast_set(self.device, self._enabled, self.fast_dtype)
        _torch._autocast_cache(self._cache_enabled)
        _nesting += 1
        return self

    def __exit__(self, *exc):
        global _nesting
        _nesting -= 1
        if _nesting == 0:
            _torch._autocast_cache()
        (enabled, dtype), caching = self._before
        _torch._autocast_set(self.device, enabled, dtype)
        _torch._autocast_cache(caching)
        return False

    def __call__(self, function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            with autocast(self.device, self.fast_dtype, self._enabled, self._cache_enabled):
                return function(*args, **kwargs)

        return wrapper


def is_autocast_cache_enabled():
    before = _torch._autocast_cache(True)
    _torch._autocast_cache(before)
    return before


def _known(function, device_type):
    """A kind of device without its index. Raises RuntimeError for the name of none."""
    if not isinstance(device_type, str):
        raise TypeError(f"{function}(): argument 'device_type' (position 1) must be str, not {type(device_type).__name__}")
    return _torch.device(device_type).type


def get_autocast_dtype(device_type):
    return _torch._autocast_get(_known("get_autocast_dtype", device_type))[1]


def is_autocast_enabled(device_type="cuda"):
    return _torch._autocast_get(_known("is_autocast_enabled", device_type))[0]


def is_autocast_available(device_type):
    return device_type in _DEVICE_TYPES


def set_autocast_enabled(device_type, enabled=None):
    if enabled is None:
        device_type, enabled = "cuda", device_type
    _torch._autocast_set(device_type, enabled, get_autocast_dtype(device_type))


def set_autocast_dtype(device_type, dtype):
    _torch._autocast_set(device_type, is_autocast_enabled(device_type), dtype)


def set_autocast_cache_enabled(enabled):
    _torch._autocast_cache(enabled)


def clear_autocast_cache():
    before = is_autocast_cache_enabled()
    _torch._autocast_cache()
    _torch._autocast_cache(before)


def autocast_increment_nesting():
    global _nesting
    _nesting += 1
    return _nesting


def autocast_decrement_nesting():
    global _nesting
    _nesting -= 1
    return _nesting


def _older(name, function, device_type):
    """A function for one kind of device, whose name is older than the function for all."""
    def older(*args):
        given = "" if not args else "enabled" if name.endswith("enabled") else "dtype"
        now = f"{function.__name__}('{device_type}'{given and ', ' + given})"
        warnings.warn(f"torch.{name}({given}) is deprecated. Please use torch.{now} instead.", DeprecationWarning, stacklevel=2)
        return function(device_type, *args)

    older.__name__ = name
    return older


is_autocast_cpu_enabled = _older("is_autocast_cpu_enabled", is_autocast_enabled, "cpu")
get_autocast_cpu_dtype = _older("get_autocast_cpu_dtype", get_autocast_dtype, "cpu")
get_autocast_gpu_dtype = _older("get_autocast_gpu_dtype", get_autocast_dtype, "cuda")
set_autocast_cpu_enabled = _older("set_autocast_cpu_enabled", set_autocast_enabled, "cpu")
set_autocast_cpu_dtype = _older("set_autocast_cpu_dtype", set_autocast_dtype, "cpu")
set_autocast_gpu_dtype = _older("set_autocast_gpu_dtype", set_autocast_dtype, "cuda")


def _convert(value, device_type, dtype):
    if isinstance(value, Tensor):
        eligible = value.is_floating_point() and value.device.type == device_type and value.dtype != _torch.float64
        return value.to(dtype) if eligible else value
    if isinstance(value, (str, bytes)):
        return value
    if isinstance(value, abc.Mapping):
        return {k: _convert(v, device_type, dtype) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_convert(v, device_type, dtype) for v in value)
    return value


def custom_fwd(fwd=None, *, device_type, cast_inputs=None):
    """Decorates the `forward` of an autograd function. With `cast_inputs`, it runs outside autocast, in that dtype."""
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def decorated(*args, **kwargs):
        args[0]._dtype = get_autocast_dtype(device_type)
        if cast_inputs is None:
            args[0]._fwd_used_autocast = is_autocast_enabled(device_type)
            return fwd(*args, **kwargs)
        inside = is_autocast_enabled(device_type)
        args[0]._fwd_used_autocast = False
        if not inside:
            return fwd(*args, **kwargs)
        with autocast(device_type, enabled=False):
            return fwd(*_convert(args, device_type, cast_inputs), **_convert(kwargs, device_type, cast_inputs))

    return decorated


def custom_bwd(bwd=None, *, device_type):
    """Decorates the `backward` of an autograd function, which runs in the mode of its `forward`."""
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def decorated(ctx, *args, **kwargs):
        with autocast(device_type, enabled=ctx._fwd_used_autocast, dtype=ctx._dtype):
            return bwd(ctx, *args, **kwargs)

    return decorated


class OptState:
    """The state of an optimizer's step."""

    READY = 0
    UNSCALED = 1
    STEPPED = 2


def _fresh_state():
    return {"stage": OptState.READY, "found_inf_per_device": {}}


class GradScaler:
    """Scales losses so that half-precision gradients don't underflow, and skips steps whose gradients overflowed."""

    def __init__(self, device="cuda", init_scale=2.0**16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000,
                 enabled=True):
        self._device = device
        self._enabled = enabled
        if enabled and device == "cuda" and not _torch._machine()[0]:
            warnings.warn("torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.", stacklevel=2)
            self._enabled = False
        if self._enabled:
            assert growth_factor > 1.0, "The growth factor must be > 1.0."
            assert backoff_factor < 1.0, "The backoff factor must be < 1.0."
            self._init_scale = init_scale
            self._scale = None
            self._growth_factor = growth_factor
            self._backoff_factor = backoff_factor
            self._growth_interval = growth_interval
            self._init_growth_tracker = 0
            self._growth_tracker = None
            self._per_optimizer_states = defaultdict(_fresh_state)

    def _lazy_init(self, device):
        assert self._growth_tracker is None, "_growth_tracker initialized before _scale"
        self._scale = _torch.full((), self._init_scale, dtype=_torch.float32, device=device)
        self._growth_tracker = _torch.full((), self._init_growth_tracker, dtype=_torch.int32, device=device)

    def _check(self, function):
        fix = "This may indicate your script did not use scaler.scale(loss or outputs) earlier in the iteration."
        assert self._scale is not None, f"Attempted {function} but _scale is None.  " + fix
        assert self._growth_tracker is not None, f"Attempted {function} but _growth_tracker is None.  " + fix

    def scale(self, outputs):
        """A loss, or losses in lists, times the scale."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            if self._scale is None:
                self._lazy_init(outputs.device)
            return outputs * self._scale.to(outputs.device, non_blocking=True)
        if isinstance(outputs, abc.Iterable):
            scaled = map(self.scale, outputs)
            return type(outputs)(scaled) if isinstance(outputs, (list, tuple)) else scaled
        raise ValueError("outputs must be a Tensor or an iterable of Tensors")

    def _unscale_grads(self, optimizer, inverse, allow_half=False):
        """Multiplies gradients in place. Returns a flag on every device, which is 1.0 if one wasn't finite."""
        found = {}
        with _torch._grad_mode("no_grad"):
            for group in optimizer.param_groups:
                for p in group["params"]:
                    g = p.grad
                    if g is None:
                        continue
                    if not allow_half and g.dtype == _torch.float16:
                        raise ValueError("Attempting to unscale FP16 gradients.")
                    bad = (~_torch.isfinite(g)).any().to(_torch.float32)
                    before = found.get(g.device)
                    found[g.device] = bad if before is None else _torch.maximum(before, bad)
                    g.mul_(inverse.to(g.device, non_blocking=True))
        return found

    def _inverse_scale(self):
        if self._device != "mps":
            try:
                return self._scale.double().reciprocal().float()
            except NotImplementedError:
                # WebGPU has no float64 arithmetic. The scale is a power of 2 unless the program sets another factor, and
                # then float32 has its reciprocal exactly.
                pass
        return self._scale.reciprocal()

    def unscale_(self, optimizer):
        """Divides the gradients by the scale, for example before clipping. `step` won't do it again."""
        if not self._enabled:
            return
        self._check("unscale_")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.UNSCALED:
            raise RuntimeError("unscale_() has already been called on this optimizer since the last update().")
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        inverse = self._inverse_scale()
        state["found_inf_per_device"] = self._unscale_grads(optimizer, inverse)
        state["stage"] = OptState.UNSCALED

    def step(self, optimizer, *args, **kwargs):
        """`optimizer.step()`, unless gradients are infinite or not numbers."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._check("step")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if state["stage"] is OptState.READY:
            self.unscale_(optimizer)
        assert len(state["found_inf_per_device"]) > 0, "No inf checks were recorded for this optimizer."
        result = None
        if not sum(flag.item() for flag in state["found_inf_per_device"].values()):
            result = optimizer.step(*args, **kwargs)
        state["stage"] = OptState.STEPPED
        return result

    def update(self, new_scale=None):
        """Lowers the scale after an overflow, and raises it after `growth_interval` good steps."""
        if not self._enabled:
            return
        self._check("update")
        scale, tracker = self._scale, self._growth_tracker
        if new_scale is not None:
            if isinstance(new_scale, float):
                scale.fill_(new_scale)
            else:
                reason = "new_scale should be a float or a 1-element torch.cuda.FloatTensor or " \
                         "torch.FloatTensor with requires_grad=False."
                assert new_scale.device.type == self._device, reason
                assert new_scale.numel() == 1, reason
                assert new_scale.requires_grad is False, reason
                scale.copy_(new_scale)
        else:
            flags = [flag.to(scale.device, non_blocking=True) for state in self._per_optimizer_states.values()
                     for flag in state["found_inf_per_device"].values()]
            assert len(flags) > 0, "No inf checks were recorded prior to update."
            found = flags[0]
            for flag in flags[1:]:
                found = found + flag
            # Decided on the device, without reading anything back.
            bad = found > 0
            good_steps = tracker + 1
            grows = (good_steps == self._growth_interval) & ~bad
            grown = scale * self._growth_factor
            grown = _torch.where(_torch.isfinite(grown), grown, scale)
            scale.copy_(_torch.where(bad, scale * self._backoff_factor, _torch.where(grows, grown, scale)))
            tracker.copy_(_torch.where(bad | grows, _torch.zeros_like(tracker), good_steps))
        self._per_optimizer_states = defaultdict(_fresh_state)

    def get_scale(self):
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else self._scale.item()

    def get_growth_factor(self):
        return self._growth_factor

    def set_growth_factor(self, new_factor):
        self._growth_factor = new_factor

    def get_backoff_factor(self):
        return self._backoff_factor

    def set_backoff_factor(self, new_factor):
        self._backoff_factor = new_factor

    def get_growth_interval(self):
        return self._growth_interval

    def set_growth_interval(self, new_interval):
        self._growth_interval = new_interval

    def _get_growth_tracker(self):
        return self._init_growth_tracker if self._growth_tracker is None else self._growth_tracker.item()

    def is_enabled(self):
        return self._enabled

    def state_dict(self):
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._get_growth_tracker(),
        }

    def load_state_dict(self, state_dict):
        if not self._enabled:
            return
        if len(state_dict) == 0:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler."
            )
        self._init_scale = state_dict["scale"]
        if self._scale is not None:
            self._scale.fill_(state_dict["scale"])
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._init_growth_tracker = state_dict["_growth_tracker"]
        if self._growth_tracker is not None:
            self._growth_tracker.fill_(state_dict["_growth_tracker"])


autocast.__module__ = "torch.amp.autocast_mode"
GradScaler.__module__ = "torch.amp.grad_scaler"

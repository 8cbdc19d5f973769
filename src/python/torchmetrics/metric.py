"""`Metric`: a module that gathers numbers batch by batch; its state lives on one device."""

import copy
import warnings

import torch
from torch import nn

_SUMS = {"sum": lambda a, b: a + b, "max": torch.max, "min": torch.min}


class Metric(nn.Module):
    is_differentiable = higher_is_better = full_state_update = None

    def __init__(self, **kwargs):
        super().__init__()
        for name in kwargs:
            if name not in (
                "compute_on_cpu",
                "dist_sync_on_step",
                "process_group",
                "dist_sync_fn",
                "distributed_available_fn",
                "sync_on_compute",
                "compute_with_cache",
            ):
                raise ValueError(f"Unexpected keyword arguments: `{name}`")
        self._defaults, self._reductions = {}, {}
        self._computed, self._update_count = None, 0
        self._device = torch.get_default_device()

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if "update" in cls.__dict__:
            cls.update = _counted(cls.__dict__["update"])
        if "compute" in cls.__dict__:
            cls.compute = _kept(cls.__dict__["compute"])

    def add_state(self, name, default, dist_reduce_fx=None, persistent=False):
        if not isinstance(default, (torch.Tensor, list)) or isinstance(default, list) and default:
            raise ValueError("state variable must be a tensor or any empty list (where you can append tensors)")
        if dist_reduce_fx not in (None, "sum", "mean", "cat", "min", "max") and not callable(dist_reduce_fx):
            raise ValueError("`dist_reduce_fx` must be callable or one of ['mean', 'sum', 'cat', 'min', 'max', None]")
        if isinstance(default, torch.Tensor):
            default = default.contiguous()
        self._defaults[name], self._reductions[name] = copy.deepcopy(default), dist_reduce_fx
        setattr(self, name, default.clone() if isinstance(default, torch.Tensor) else [])

    @property
    def metric_state(self):
        return {name: getattr(self, name) for name in self._defaults}

    @property
    def update_called(self):
        return self._update_count > 0

    @property
    def update_count(self):
        return self._update_count

    @property
    def device(self):
        return self._device

    def update(self, *args, **options):
        raise NotImplementedError

    def compute(self):
        raise NotImplementedError

    def forward(self, *args, **options):
        """The value of this batch alone, which is gathered with all before it."""
        before, count = self.metric_state, self._update_count
        self.reset()
        self.update(*args, **options)
        found = self.compute()
        for name, old in before.items():
            new, how = getattr(self, name), self._reductions[name]
            if isinstance(old, list):
                merged = old + new
            elif how == "mean":
                merged = (count * old + new) / (count + 1)
            elif how in _SUMS:
                merged = _SUMS[how](old, new)
            elif how == "cat":
                merged = torch.cat([old, new])
            elif how is None:
                merged = torch.stack([old, new])
            else:
                merged = how(torch.stack([old, new]))
            setattr(self, name, merged)
        self._update_count, self._computed = count + 1, None
        return found

    def reset(self):
        self._update_count, self._computed = 0, None
        for name, default in self._defaults.items():
            setattr(self, name, default.detach().clone().to(self._device) if isinstance(default, torch.Tensor) else [])

    def clone(self):
        return copy.deepcopy(self)

    def _apply(self, fn, *args):
        made = super()._apply(fn, *args)
        for name in self._defaults:
            value = getattr(self, name)
            setattr(self, name, [fn(x) for x in value] if isinstance(value, list) else fn(value))
        self._device = fn(torch.zeros(1, device=self._device)).device
        if isinstance(self._computed, torch.Tensor):
            self._computed = fn(self._computed)
        return made

    # A metric keeps the dtypes of its state.
    def type(self, dst_type):
        return self

    def float(self):
        return self

    def double(self):
        return self

    def half(self):
        return self

    def set_dtype(self, dst_type):
        return super().type(dst_type)

    def plot(self, *args, **options):
        raise NotImplementedError(f"torchmetrics: {type(self).__name__}.plot isn't here")

    def __repr__(self):
        return f"{type(self).__name__}()"

    __str__ = __repr__
    __hash__ = nn.Module.__hash__

    def _combined(self, other):
        raise NotImplementedError("torchmetrics: arithmetic on metrics isn't here")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _combined


def _counted(update):
    def counted(self, *args, **options):
        self._computed = None
        self._update_count += 1
        with torch.set_grad_enabled(torch.is_grad_enabled()):
            try:
                update(self, *args, **options)
            except RuntimeError as error:
                if "Expected all tensors to be on" in str(error):
                    name = type(self).__name__
                    raise RuntimeError(
                        "Encountered different devices in metric calculation (see stacktrace for details). This could be due to the "
                        f"metric class not being on the same device as input. Instead of `metric={name}(...)` try to do "
                        f"`metric={name}(...).to(device)` where device corresponds to the device of the input."
                    ) from error
                raise

    counted.__wrapped__ = update
    return counted


def _kept(compute):
    def kept(self):
        if not self.update_called:
            warnings.warn(
                f"The ``compute`` method of metric {type(self).__name__} was called before the ``update`` method which may "
                "lead to errors, as metric states have not yet been updated.",
                UserWarning,
                stacklevel=2,
            )
        if self._computed is None:
            found = compute(self)
            self._computed = found.squeeze() if isinstance(found, torch.Tensor) and found.numel() == 1 else found
        return self._computed

    kept.__wrapped__ = compute
    return kept

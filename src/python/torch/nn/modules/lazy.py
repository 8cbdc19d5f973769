"""Modules that take their input's size from the first input."""

import itertools

import _torch

from ..parameter import UninitializedBuffer, UninitializedParameter, is_lazy
from . import batchnorm, conv, instancenorm
from .linear import Linear


class LazyModuleMixin:
    """The common part of lazy modules: the first call runs `initialize_parameters` with the input, and the module's
    class changes to `cls_to_become`."""

    cls_to_become = None

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def _own(self):
        return itertools.chain(self._parameters.items(), self._buffers.items())

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        for name, value in self._own():
            if value is not None and name not in self._non_persistent_buffers_set:
                # A parameter without a shape can't be detached, so it's saved itself.
                destination[prefix + name] = value if keep_vars or is_lazy(value) else value.detach()

    def _lazy_load_hook(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        for name, value in self._own():
            source = state_dict.get(prefix + name)
            if value is not None and source is not None and is_lazy(value) and not is_lazy(source):
                with _torch._grad_mode("no_grad"):
                    value.materialize(source.shape)

    def initialize_parameters(self, *args, **kwargs):
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def has_uninitialized_params(self):
        return any(is_lazy(value) for _, value in self._own())

    def _infer_parameters(self, module, args, kwargs=None):
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {self._get_name()} has not been fully initialized")
        for hook in ("_initialize_hook", "_load_hook"):
            getattr(module, hook).remove()
            delattr(module, hook)
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _replicate_for_data_parallel(self):
        raise RuntimeError(
            "Modules with uninitialized parameters can't be used with `DataParallel`. Run a dummy forward pass to correctly "
            "initialize the modules"
        )


class LazyLinear(LazyModuleMixin, Linear):
    """A `Linear` whose `in_features` is the last dimension of its first input."""

    cls_to_become = Linear

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        # Without weights, nothing is drawn from the generator yet.
        super().__init__(0, 0, False)
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_features = out_features
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.in_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input):
        features = input.shape[-1]
        if self.has_uninitialized_params():
            with _torch._grad_mode("no_grad"):
                self.in_features = features
                self.weight.materialize((self.out_features, features))
                if self.bias is not None:
                    self.bias.materialize((self.out_features,))
                self.reset_parameters()
        if self.in_features == 0:
            # Its weights have already been loaded.
            known = self.weight.shape[-1]
            if features != known:
                raise AssertionError(
                    f"The in_features inferred from input: {features} is not equal to in_features from self.weight: {known}"
                )
            self.in_features = features


class _LazyConv(LazyModuleMixin):
    def __init__(
        self, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode="zeros",
        device=None, dtype=None,
    ):
        super().__init__(0, 0, kernel_size, stride=stride, padding=padding, dilation=dilation, groups=groups, bias=False,
                         padding_mode=padding_mode, device=device, dtype=dtype)
        self._make_lazy(out_channels, bias, device, dtype)

    def _make_lazy(self, out_channels, bias, device, dtype):
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def initialize_parameters(self, input, *args, **kwargs):
        if not self.has_uninitialized_params():
            return
        self.in_channels = self._in_channels(input)
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        channels = self.out_channels, self.in_channels
        if self._transposed:
            channels = channels[::-1]
        with _torch._grad_mode("no_grad"):
            self.weight.materialize((channels[0], channels[1] // self.groups, *self.kernel_size))
            if self.bias is not None:
                self.bias.materialize((self.out_channels,))
            self.reset_parameters()

    def _in_channels(self, input):
        alone, batched = self._n + 1, self._n + 2
        if input.dim() not in (alone, batched):
            raise RuntimeError(
                f"Expected {alone}D (unbatched) or {batched}D (batched) input to {type(self).__name__}, "
                f"but got input of size: {input.shape}"
            )
        return input.shape[1] if input.dim() == batched else input.shape[0]


class _LazyConvTranspose(_LazyConv):
    def __init__(
        self, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1,
        padding_mode="zeros", device=None, dtype=None,
    ):
        LazyModuleMixin.__init__(
            self, 0, 0, kernel_size, stride=stride, padding=padding, output_padding=output_padding, groups=groups, bias=False,
            dilation=dilation, padding_mode=padding_mode, device=device, dtype=dtype)
        self._make_lazy(out_channels, bias, device, dtype)


class _LazyNormBase(LazyModuleMixin):
    def __init__(
        self, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True,
    ):
        super().__init__(0, eps, momentum, False, False, device, dtype, bias=False)
        self.affine = affine
        self.track_running_stats = track_running_stats
        if affine:
            self.weight = UninitializedParameter(device=device, dtype=dtype)
            if bias:
                self.bias = UninitializedParameter(device=device, dtype=dtype)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(device=device, dtype=dtype)
            self.running_var = UninitializedBuffer(device=device, dtype=dtype)
            self.num_batches_tracked = _torch.tensor(0, dtype=_torch.int64, device=device)

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input):
        if not self.has_uninitialized_params():
            return
        self.num_features = input.shape[1]
        for value in (self.weight, self.bias, self.running_mean, self.running_var):
            if value is not None:
                value.materialize((self.num_features,))
        self.reset_parameters()


def _names():
    """Every lazy class except LazyLinear, by name: one for each ordinary class that exists here."""
    kinds = [(conv, "Conv", _LazyConv), (conv, "ConvTranspose", _LazyConvTranspose),
             (batchnorm, "BatchNorm", _LazyNormBase), (instancenorm, "InstanceNorm", _LazyNormBase)]
    for module, kind, base in kinds:
        for n in (1, 2, 3):
            eager = getattr(module, f"{kind}{n}d", None)
            if eager is not None:
                yield f"Lazy{kind}{n}d", base, eager


for _name, _base, _eager in _names():
    globals()[_name] = type(_name, (_base, _eager), {
        "__module__": _eager.__module__,
        "__doc__": f"A `{_eager.__name__}` that takes the number of channels from its first input.",
        "cls_to_become": _eager,
    })

LazyLinear.__module__ = "torch.nn.modules.linear"
__all__ = [_name for _name in globals() if _name.startswith("Lazy") and _name != "LazyModuleMixin"]

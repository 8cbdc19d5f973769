"""Functions of `torch.nn.utils` that programs rarely use."""

import copy
import inspect
import warnings

import torch

from . import clip_grad_norm_
from ..parameter import Parameter


def clip_grad_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    warnings.warn("`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.", FutureWarning,
                  stacklevel=2)
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    """Scales gradients in place if `total_norm` exceeds `max_norm`."""
    parameters = [parameters] if isinstance(parameters, torch.Tensor) else list(parameters)
    # Multiplying by a clamped coefficient avoids a branch, which would wait for the device.
    scale = torch.clamp(float(max_norm) / (total_norm + 1e-6), max=1.0)
    with torch.no_grad():
        for p in parameters:
            if p.grad is not None:
                p.grad.mul_(scale.to(p.grad.device))


def skip_init(module_cls, *args, **kwargs):
    """A module whose parameters are not initialized."""
    if not issubclass(module_cls, torch.nn.Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    device = kwargs.pop("device", "cpu")
    kwargs["device"] = "meta"
    return module_cls(*args, **kwargs).to_empty(device=device)


def _scaled(weight, bias, bn_rm, bn_rv, bn_eps, bn_w, bn_b, shape):
    bias = torch.zeros_like(bn_rm) if bias is None else bias
    bn_w = torch.ones_like(bn_rm) if bn_w is None else bn_w
    bn_b = torch.zeros_like(bn_rm) if bn_b is None else bn_b
    scale = bn_w * torch.rsqrt(bn_rv + bn_eps)
    fused = (weight * scale.reshape(shape)).to(dtype=weight.dtype), ((bias - bn_rm) * scale + bn_b).to(dtype=bias.dtype)
    return tuple(Parameter(t.detach(), old.requires_grad) for t, old in zip(fused, (weight, bias)))


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    shape = [1, -1] if transpose else [-1, 1]
    return _scaled(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, shape + [1] * (conv_w.dim() - 2))


def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    return _scaled(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, [-1, 1])


def _fused(first, bn, fuse, *more):
    if first.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")
    made = copy.deepcopy(first)
    made.weight, made.bias = fuse(made.weight, made.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias, *more)
    return made


def fuse_conv_bn_eval(conv, bn, transpose=False):
    """A convolution that does the same as the two modules together."""
    return _fused(conv, bn, fuse_conv_bn_weights, transpose)


def fuse_linear_bn_eval(linear, bn):
    """A linear layer that does the same as the two modules together."""
    if not linear.training and not bn.training and bn.num_features not in (linear.out_features, 1):
        raise AssertionError("To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got "
                             f"linear.out_features={linear.out_features} and bn.num_features={bn.num_features}")
    return _fused(linear, bn, fuse_linear_bn_weights)


def _converting(name, classes):
    def convert(module, memory_format):
        """Lays out the weights of a module's convolutions in this memory format. Their values stay."""
        if isinstance(module, classes):
            module.weight.data = module.weight.detach().clone(memory_format=memory_format)
        for child in module.children():
            convert(child, memory_format)
        return module

    convert.__name__ = convert.__qualname__ = name
    return convert


convert_conv2d_weight_memory_format = _converting(
    "convert_conv2d_weight_memory_format", (torch.nn.Conv2d, torch.nn.ConvTranspose2d))
convert_conv3d_weight_memory_format = _converting(
    "convert_conv3d_weight_memory_format", (torch.nn.Conv3d, torch.nn.ConvTranspose3d))

"""Batch norm over the samples of all processes. Loaded when a program first asks for it."""

import _torch

from torch import distributed as dist
from torch.autograd.function import Function

from .. import functional as F
from .batchnorm import _BatchNorm


class _Synced(Function):
    @staticmethod
    def forward(ctx, input, weight, bias, running_mean, running_var, eps, momentum, group, world):
        dims = [d for d in range(input.dim()) if d != 1]
        channels = input.size(1)
        wide = input.float() if input.dtype in (_torch.float16, _torch.bfloat16) else input
        count = _torch.full((1,), input.numel() // channels, dtype=wide.dtype, device=input.device)
        if input.numel():
            var, mean = _torch.var(wide, dims, correction=0), wide.mean(dims)
        else:
            # It adds nothing to the sums, but the other processes wait for it.
            var = mean = _torch.zeros(channels, dtype=wide.dtype, device=input.device)
        own = _torch.cat([mean, var, count])
        every = _torch.empty(world * own.numel(), dtype=own.dtype, device=own.device)
        dist.all_gather_into_tensor(every, own, group)
        means, vars, counts = every.view(world, -1).split([channels, channels, 1], 1)
        total = counts.sum()
        mean = (means * counts).sum(0) / total
        var = ((vars + (means - mean) ** 2) * counts).sum(0) / total
        if running_mean is not None:
            running_mean.lerp_(mean.to(running_mean.dtype), momentum)
            running_var.lerp_((var * (total / (total - 1))).to(running_var.dtype), momentum)
        scale = (var + eps).rsqrt()
        ctx.save_for_backward(input, weight, mean, scale, total)
        ctx.group = group
        shape = [1, channels] + [1] * (input.dim() - 2)
        out = (wide - mean.view(shape)) * scale.view(shape)
        if weight is not None:
            out = out * weight.view(shape)
        if bias is not None:
            out = out + bias.view(shape)
        return out.to(input.dtype)

    @staticmethod
    def backward(ctx, grad):
        input, weight, mean, scale, total = ctx.saved_tensors
        dims = [d for d in range(input.dim()) if d != 1]
        shape = [1, input.size(1)] + [1] * (input.dim() - 2)
        grad_in = grad.to(mean.dtype)
        normal = (input.to(mean.dtype) - mean.view(shape)) * scale.view(shape)
        sums, products = grad_in.sum(dims), (grad_in * normal).sum(dims)
        to_weight = products.to(weight.dtype) if weight is not None else None
        to_bias = sums.to(grad.dtype if weight is None else weight.dtype) if ctx.needs_input_grad[2] else None
        both = _torch.cat([sums, products])
        dist.all_reduce(both, group=ctx.group)
        sums, products = (both / total).view(2, *shape).unbind(0)
        out = (grad_in - sums - normal * products) * scale.view(shape)
        if weight is not None:
            out = out * weight.view(shape)
        return out.to(input.dtype), to_weight, to_bias, None, None, None, None, None, None


class SyncBatchNorm(_BatchNorm):
    """In training, the mean and variance are those of the batches of all processes together."""

    def __init__(
        self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, process_group=None, device=None,
        dtype=None, *, bias=True,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self.process_group = process_group

    def _check_input_dim(self, input):
        if input.dim() < 2:
            raise ValueError(f"expected at least 2D input (got {input.dim()}D input)")
        if input.size(1) == 0:
            raise ValueError("SyncBatchNorm number of input channels should be non-zero")

    def forward(self, input):
        self._check_input_dim(input)
        if not (self.training and dist.is_available() and dist.is_initialized()):
            return super().forward(input)
        if input.device.type != "cuda":
            raise ValueError("SyncBatchNorm expected input tensor to be on GPU or XPU or privateuseone")
        group = self.process_group or dist.group.WORLD
        world = dist.get_world_size(group)
        if world == 1:
            return super().forward(input)
        factor = 0.0 if self.momentum is None else self.momentum
        if self.track_running_stats:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                factor = 1.0 / self.num_batches_tracked.item()
        keep = self.track_running_stats
        return _Synced.apply(
            input, self.weight, self.bias, self.running_mean if keep else None, self.running_var if keep else None, self.eps, factor,
            group, world,
        )

    @classmethod
    def convert_sync_batchnorm(cls, module, process_group=None):
        """The module with every batch norm in it replaced; parameters and buffers stay the same."""
        out = module
        if isinstance(module, _BatchNorm):
            out = SyncBatchNorm(
                module.num_features, module.eps, module.momentum, module.affine, module.track_running_stats, process_group,
                bias=module.bias is not None,
            )
            if module.affine:
                out.weight, out.bias = module.weight, module.bias
            out.running_mean, out.running_var = module.running_mean, module.running_var
            out.num_batches_tracked = module.num_batches_tracked
            out.training = module.training
        for name, child in module.named_children():
            out.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return out


SyncBatchNorm.__module__ = "torch.nn.modules.batchnorm"

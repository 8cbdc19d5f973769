"""Copies between devices through which gradients flow back."""

import warnings

import _torch
from torch.autograd import Function


class Broadcast(Function):
    """Every tensor on every device: `(on the first device..., on the second...)`. Gradients are added on the first."""

    @staticmethod
    def forward(ctx, target_gpus, *inputs):
        if any(t.device.type == "cpu" for t in inputs):
            raise AssertionError("Broadcast function not implemented for CPU tensors")
        ctx.count = len(inputs)
        ctx.home = target_gpus[0]
        return tuple(_copy(t, device, "scatter") for device in target_gpus for t in inputs)

    @staticmethod
    def backward(ctx, *grads):
        summed = list(grads[: ctx.count])
        for at in range(ctx.count, len(grads)):
            moved = _copy(grads[at], ctx.home, "allreduce")
            summed[at % ctx.count] = summed[at % ctx.count] + moved
        return (None, *summed)


class Scatter(Function):
    """A tensor's chunks, one for each device."""

    @staticmethod
    def forward(ctx, target_gpus, chunk_sizes, dim, input):
        ctx.dim = dim
        ctx.home = input.get_device()
        if ctx.home == -1:
            # On each target, a copy from the host uses a separate stream. There is one for every device of the machine.
            streams = [None] * _torch._machine()[0]
            for device in target_gpus:
                streams[device]
        chunks = input.chunk(len(target_gpus), dim) if chunk_sizes is None else input.split(chunk_sizes, dim)
        return tuple(_copy(chunk, device, "scatter") for chunk, device in zip(chunks, target_gpus))

    @staticmethod
    def backward(ctx, *grads):
        return None, None, None, _joined(grads, ctx.home, ctx.dim)


class Gather(Function):
    """Joins tensors from several devices on one device."""

    @staticmethod
    def forward(ctx, target_device, dim, *inputs):
        if any(t.device.type == "cpu" for t in inputs):
            raise AssertionError("Gather function not implemented for CPU tensors")
        ctx.dim = dim
        ctx.gpus = tuple(t.get_device() for t in inputs)
        ctx.scalars = all(t.dim() == 0 for t in inputs) and dim == 0
        if ctx.scalars:
            inputs = tuple(t.view(1) for t in inputs)
            warnings.warn("Was asked to gather along dimension 0, but all input tensors were scalars; will instead "
                          "unsqueeze and return a vector.", stacklevel=2)
        ctx.sizes = [t.size(dim) for t in inputs]
        return _joined(inputs, target_device, dim)

    @staticmethod
    def backward(ctx, grad):
        pieces = [_copy(piece, device, "scatter") for piece, device in zip(grad.split(ctx.sizes, ctx.dim), ctx.gpus)]
        return (None, None, *(piece[0] if ctx.scalars else piece for piece in pieces))


def _copy(tensor, device, why):
    """A new tensor on a device, over the same storage if it's already there."""
    return _torch._copy_between(tensor, _place(device), why)


def _place(device):
    return "cpu" if device in ("cpu", -1) else _torch.device("cuda", device)


def _joined(tensors, device, dim):
    return _torch.cat([_copy(t, device, "gather") for t in tensors], dim)

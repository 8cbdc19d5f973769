"""Normalization over neighboring channels, as in Caffe."""

import torch
from torch.autograd.function import Function

from .module import Module


class _CrossMapLRN2d(Function):
    @staticmethod
    def forward(ctx, input, size, alpha, beta, k):
        if input.dim() != 4:
            raise ValueError(f"CrossMapLRN2d: Expected input to be 4D, got {input.dim()}D instead.")
        squares, reach = input * input, int((size - 1) / 2 + 1)
        sums = []
        for c in range(input.size(1)):
            first = max(0, c - reach + 1)
            sums.append(squares[:, first : c + reach].sum(1))
            if first > 0:
                # PyTorch never takes the first channel out of its sum again.
                sums[-1] += squares[:, 0]
        ctx.scale = torch.stack(sums, 1) * (alpha / size) + k
        ctx.size, ctx.alpha, ctx.beta = size, alpha, beta
        output = ctx.scale ** -beta * input
        ctx.save_for_backward(input, output)
        return output

    @staticmethod
    def backward(ctx, grad_output):
        input, output = ctx.saved_tensors
        before, channels = int(ctx.size - (ctx.size - 1) / 2), input.size(1)
        ratio = input.new_zeros(input.size(0), channels + ctx.size - 1, *input.shape[2:])
        ratio[:, before : before + channels] = grad_output * output / ctx.scale
        sums = torch.stack([ratio[:, c : c + ctx.size].sum(1) for c in range(channels)], 1)
        grad = ctx.scale ** -ctx.beta * grad_output - 2 * ctx.alpha * ctx.beta / ctx.size * input * sums
        return grad, None, None, None, None


# The name of its node.
_CrossMapLRN2d._backward_cls.__name__ = "CrossMapLRN2dBackward"


class CrossMapLRN2d(Module):
    def __init__(self, size, alpha=1e-4, beta=0.75, k=1):
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input):
        return _CrossMapLRN2d.apply(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self):
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


CrossMapLRN2d.__module__ = "torch.nn.modules.normalization"

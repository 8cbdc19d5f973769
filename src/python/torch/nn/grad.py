"""Gradients of convolutions, as torch.nn.grad."""

import torch

from . import functional as F


def _convolution(n, wanted):
    convolve = getattr(F, f"conv{n}d")

    def gradient(given, shape, grad_output, stride=1, padding=0, dilation=1, groups=1):
        sought = torch.zeros(shape, dtype=given.dtype, device=given.device, requires_grad=True)
        with torch.enable_grad():
            pair = (sought, given.detach()) if wanted == "input" else (given.detach(), sought)
            out = convolve(*pair, None, stride, padding, dilation, groups)
        return torch.autograd.grad(out, sought, grad_output)[0]

    if wanted == "input":
        def function(input_size, weight, grad_output, stride=1, padding=0, dilation=1, groups=1):
            return gradient(weight, input_size, grad_output, stride, padding, dilation, groups)
    else:
        def function(input, weight_size, grad_output, stride=1, padding=0, dilation=1, groups=1):
            return gradient(input, weight_size, grad_output, stride, padding, dilation, groups)

    function.__name__ = f"conv{n}d_{wanted}"
    return function


conv1d_input, conv2d_input, conv3d_input = (_convolution(n, "input") for n in (1, 2, 3))
conv1d_weight, conv2d_weight, conv3d_weight = (_convolution(n, "weight") for n in (1, 2, 3))

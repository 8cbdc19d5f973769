"""Layers that several models are built of."""

import torch
from torch import nn


class ConvNormActivation(nn.Sequential):
    """A convolution, then its norm and its activation, each of which may be None."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size=3,
        stride=1,
        padding=None,
        groups=1,
        norm_layer=nn.BatchNorm2d,
        activation_layer=nn.ReLU,
        dilation=1,
        inplace=True,
        bias=None,
        conv_layer=nn.Conv2d,
    ):
        if padding is None:
            if isinstance(kernel_size, int) and isinstance(dilation, int):
                padding = (kernel_size - 1) // 2 * dilation
            else:
                n = len(kernel_size if not isinstance(kernel_size, int) else dilation)
                kernels = [kernel_size] * n if isinstance(kernel_size, int) else kernel_size
                dilations = [dilation] * n if isinstance(dilation, int) else dilation
                padding = tuple((k - 1) // 2 * d for k, d in zip(kernels, dilations))
        if bias is None:
            bias = norm_layer is None
        layers = [
            conv_layer(in_channels, out_channels, kernel_size, stride, padding, dilation=dilation, groups=groups, bias=bias)
        ]
        if norm_layer is not None:
            layers.append(norm_layer(out_channels))
        if activation_layer is not None:
            layers.append(activation_layer() if inplace is None else activation_layer(inplace=inplace))
        super().__init__(*layers)
        self.out_channels = out_channels


class Conv2dNormActivation(ConvNormActivation):
    """`ConvNormActivation` in two dimensions."""


class SqueezeExcitation(nn.Module):
    """Scales each channel of (N, C, H, W) by a weight between 0 and 1 that the whole image decides."""

    def __init__(self, input_channels, squeeze_channels, activation=nn.ReLU, scale_activation=nn.Sigmoid):
        super().__init__()
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc1 = nn.Conv2d(input_channels, squeeze_channels, 1)
        self.fc2 = nn.Conv2d(squeeze_channels, input_channels, 1)
        self.activation = activation()
        self.scale_activation = scale_activation()

    def forward(self, input):
        scale = self.activation(self.fc1(self.avgpool(input)))
        return self.scale_activation(self.fc2(scale)) * input


class MLP(nn.Sequential):
    """Linear layers of the widths `hidden_channels`, with an activation and a dropout after each but the last, which has the
    dropout alone."""

    def __init__(
        self,
        in_channels,
        hidden_channels,
        norm_layer=None,
        activation_layer=nn.ReLU,
        inplace=None,
        bias=True,
        dropout=0.0,
    ):
        settings = {} if inplace is None else {"inplace": inplace}
        layers = []
        for width in hidden_channels[:-1]:
            layers.append(nn.Linear(in_channels, width, bias=bias))
            if norm_layer is not None:
                layers.append(norm_layer(width))
            layers += [activation_layer(**settings), nn.Dropout(dropout, **settings)]
            in_channels = width
        layers += [nn.Linear(in_channels, hidden_channels[-1], bias=bias), nn.Dropout(dropout, **settings)]
        super().__init__(*layers)


def stochastic_depth(input, p, mode, training=True):
    """Zeros whole examples ("row") or the whole batch ("batch") with probability `p`, and scales up what is left."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"drop probability has to be between 0 and 1, but got {p}")
    if mode not in ("batch", "row"):
        raise ValueError(f"mode has to be either 'batch' or 'row', but got {mode}")
    if not training or p == 0.0:
        return input
    survival = 1.0 - p
    shape = [input.shape[0] if mode == "row" else 1] + [1] * (input.ndim - 1)
    noise = torch.empty(shape, dtype=input.dtype, device=input.device).bernoulli_(survival)
    if survival > 0.0:
        noise.div_(survival)
    return input * noise


class StochasticDepth(nn.Module):
    def __init__(self, p, mode):
        super().__init__()
        self.p = p
        self.mode = mode

    def forward(self, input):
        return stochastic_depth(input, self.p, self.mode, self.training)

    def __repr__(self):
        return f"{type(self).__name__}(p={self.p}, mode={self.mode})"

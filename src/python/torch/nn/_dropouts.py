"""Dropout (Srivastava et al., 2014) and its relatives, as in torch.nn.functional."""

import math
import warnings

import _torch


def _choose(function, input, inplace, *args):
    """The function's result for `input`; with `inplace`, written into `input`."""
    return _torch._replace(input, function, *args) if inplace else function(input, *args)


def dropout(input, p=0.5, training=True, inplace=False):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return _choose(_torch.dropout, input, inplace and training, p, training)


def _dropped(input, p, training, inplace, feature=False, alpha=False):
    """The dropouts that decide by channel (`feature`) or keep what SELU keeps (`alpha`)."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0.0 or input.numel() == 0:
        return input
    if p == 1.0:
        return _choose(_torch.mul, input, inplace, _torch.zeros((), dtype=input.dtype, device=input.device))
    if feature and input.dim() < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    shape = list(input.shape[:2]) + [1] * (input.dim() - 2)
    noise = _torch.empty(shape, dtype=input.dtype, device=input.device) if feature else _torch.empty_like(input)
    if noise.is_complex():
        noise.copy_(_torch.empty(noise.shape, dtype=noise.real.dtype, device=input.device).bernoulli_(1 - p))
    else:
        noise.bernoulli_(1 - p)
    if not alpha:
        return _choose(_torch.mul, input, inplace, noise.div_(1 - p))
    slope = 1.7580993408473766
    a = 1.0 / math.sqrt((slope * slope * p + 1) * (1 - p))
    b = noise.add(-1).mul_(slope * a).add_(slope * a * p)
    noise.mul_(a)
    return _choose(lambda t: t * noise + b, input, inplace)


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    """Dropout that keeps the mean and variance of inputs that went through SELU (Klambauer et al., 2017)."""
    return _dropped(input, p, training, inplace, alpha=True)


def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    return _dropped(input, p, training, inplace, feature=True, alpha=True)


def dropout1d(input, p=0.5, training=True, inplace=False):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if input.dim() not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {input.dim()}D input. Note that dropout1d exists to "
            "provide channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an optional batch "
            "dimension (i.e. 2D or 3D inputs)."
        )
    return _unbatched(input, p, training, inplace) if input.dim() == 2 else _dropped(input, p, training, inplace, True)


def _unbatched(input, p, training, inplace):
    return _dropped(input.unsqueeze(0), p, training, inplace, True).squeeze(0)


def _warn_dimensions(name, ndim, spatial, dims):
    warnings.warn(
        f"{name}: Received a {ndim}-D input to {name}, which is deprecated and will result in an error in a future release. To "
        f"retain the behavior and silence this warning, please use dropout instead. Note that {name} exists to provide "
        f"channel-wise dropout on inputs with {spatial} spatial dimensions, a channel dimension, and an optional batch "
        f"dimension (i.e. {dims} inputs).",
        stacklevel=3,
    )


def dropout2d(input, p=0.5, training=True, inplace=False):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if input.dim() not in (3, 4):
        _warn_dimensions("dropout2d", input.dim(), 2, "3D or 4D")
    if input.dim() == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired - input "
            "is interpreted as shape (N, C, L), where C is the channel dim. This behavior will change in a future release to "
            "interpret the input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise "
            "dropout behavior, please switch to using dropout1d instead.",
            stacklevel=2,
        )
    return _dropped(input, p, training, inplace, True)


def dropout3d(input, p=0.5, training=True, inplace=False):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if input.dim() not in (4, 5):
        _warn_dimensions("dropout3d", input.dim(), 3, "4D or 5D")
    return _dropped(input, p, training, inplace, True) if input.dim() == 5 else _unbatched(input, p, training, inplace)

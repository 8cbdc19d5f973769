"""Functions of neural networks, as torch.nn.functional. Most are the engine's own; what is here parses options."""

import math
import warnings

import _torch
from _torch import Tensor

_REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}


def _reduction(word):
    if word not in _REDUCTIONS:
        raise ValueError(f"{word} is not a valid value for reduction")
    return _REDUCTIONS[word]


def _legacy_reduction(size_average, reduce, reduction):
    """The older pair of options, `size_average` and `reduce`, as the newer one."""
    if size_average is None and reduce is None:
        return reduction
    mean = True if size_average is None else size_average
    if reduce is False:
        word = "none"
    else:
        word = "mean" if mean else "sum"
    warnings.warn(f"size_average and reduce args will be deprecated, please use reduction='{word}' instead.", stacklevel=4)
    return word


def _pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)


linear = _torch.linear
sigmoid = _torch.sigmoid
tanh = _torch.tanh


def relu(input, inplace=False):
    return _torch.relu_(input) if inplace else _torch.relu(input)


def relu_(input):
    return _torch.relu_(input)


def _choose(result, input, inplace):
    """`result` itself, or `input` overwritten by it."""
    if not inplace:
        return result
    input.copy_(result)
    return input


def gelu(input, approximate="none"):
    return _torch.gelu(input, approximate)


def silu(input, inplace=False):
    return _choose(_torch.silu(input), input, inplace)


def mish(input, inplace=False):
    return _choose(_torch.mish(input), input, inplace)


def elu(input, alpha=1.0, inplace=False):
    return _choose(_torch.elu(input, alpha), input, inplace)


def selu(input, inplace=False):
    return _choose(_torch.selu(input), input, inplace)


def celu(input, alpha=1.0, inplace=False):
    return _choose(_torch.celu(input, alpha), input, inplace)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    return _choose(_torch.leaky_relu(input, negative_slope), input, inplace)


def prelu(input, weight):
    return _torch.prelu(input, weight)


def softplus(input, beta=1.0, threshold=20.0):
    return _torch.softplus(input, beta, threshold)


def hardswish(input, inplace=False):
    return _choose(_torch.hardswish(input), input, inplace)


def hardsigmoid(input, inplace=False):
    return _choose(_torch.hardsigmoid(input), input, inplace)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    return _choose(_torch.clamp(input, min_val, max_val), input, inplace)


def relu6(input, inplace=False):
    return hardtanh(input, 0.0, 6.0, inplace)


def threshold(input, threshold, value, inplace=False):
    return _choose(_torch.where(input > threshold, input, value), input, inplace)


def hardshrink(input, lambd=0.5):
    return _torch.where(input.abs() > lambd, input, 0.0)


def logsigmoid(input):
    return _torch.logsigmoid(input)


def softsign(input):
    return input / (1 + input.abs())


def tanhshrink(input):
    return input - input.tanh()


def glu(input, dim=-1):
    return _torch.glu(input, dim)


def _softmax_dim(name, ndim):
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=3,
    )
    return 0 if ndim in (0, 1, 3) else 1


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        dim = _softmax_dim("softmax", input.dim())
    return _torch.softmax(input, dim, dtype=dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        dim = _softmax_dim("log_softmax", input.dim())
    return _torch.log_softmax(input, dim, dtype=dtype)


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    return softmax(-input, dim, dtype=dtype)


def dropout(input, p=0.5, training=True, inplace=False):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return _choose(_torch.dropout(input, p, training), input, inplace and training)


def _feature_dropout(input, p, training, inplace):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0.0:
        return input
    # One decision a channel.
    shape = list(input.shape[:2]) + [1] * (input.dim() - 2)
    mask = _torch.empty(shape, dtype=input.dtype, device=input.device).bernoulli_(1 - p)
    return _choose(input * mask.div_(1 - p), input, inplace)


def dropout1d(input, p=0.5, training=True, inplace=False):
    return _feature_dropout(input, p, training, inplace)


def dropout2d(input, p=0.5, training=True, inplace=False):
    return _feature_dropout(input, p, training, inplace)


def embedding(
    input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False
):
    if max_norm is not None or scale_grad_by_freq or sparse:
        raise NotImplementedError("embedding with max_norm, scale_grad_by_freq or sparse is not available here")
    if padding_idx is None:
        padding_idx = -1
    elif padding_idx < 0:
        padding_idx += weight.size(0)
    return _torch.embedding(weight, input, padding_idx)


def one_hot(tensor, num_classes=-1):
    return _torch.one_hot(tensor, num_classes)


def bilinear(input1, input2, weight, bias=None):
    out = _torch.einsum("...i,kij,...j->...k", input1, weight, input2)
    return out if bias is None else out + bias


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return _torch.conv1d(input, weight, bias, stride, padding, dilation, groups)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return _torch.conv2d(input, weight, bias, stride, padding, dilation, groups)


def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    return _torch.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    one = lambda v: v if isinstance(v, int) else v[0]
    stride = kernel_size if stride is None else stride
    pooled, indices = _torch.max_pool2d(
        input.unsqueeze(-2), (1, one(kernel_size)), (1, one(stride)), (0, one(padding)), (1, one(dilation)), ceil_mode
    )
    pooled = pooled.squeeze(-2)
    return (pooled, indices.squeeze(-2)) if return_indices else pooled


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    stride = kernel_size if stride is None else stride
    pooled, indices = _torch.max_pool2d(
        input, _pair(kernel_size), _pair(stride), _pair(padding), _pair(dilation), ceil_mode
    )
    return (pooled, indices) if return_indices else pooled


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    one = lambda v: v if isinstance(v, int) else v[0]
    stride = kernel_size if stride is None else stride
    pooled = _torch.avg_pool2d(
        input.unsqueeze(-2), (1, one(kernel_size)), (1, one(stride)), (0, one(padding)), ceil_mode, count_include_pad, None
    )
    return pooled.squeeze(-2)


def avg_pool2d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    stride = kernel_size if stride is None else stride
    return _torch.avg_pool2d(
        input, _pair(kernel_size), _pair(stride), _pair(padding), ceil_mode, count_include_pad, divisor_override
    )


def adaptive_avg_pool1d(input, output_size):
    size = output_size if isinstance(output_size, int) else output_size[0]
    return _torch.adaptive_avg_pool2d(input.unsqueeze(-2), (1, size)).squeeze(-2)


def adaptive_avg_pool2d(input, output_size):
    return _torch.adaptive_avg_pool2d(input, _pair(output_size))


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    return _torch.layer_norm(input, normalized_shape, weight, bias, eps)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    if eps is None:
        eps = _torch.finfo(input.dtype).eps
    dims = tuple(range(-len(normalized_shape), 0))
    out = input * _torch.rsqrt((input * input).mean(dims, keepdim=True) + eps)
    return out if weight is None else out * weight


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    return _torch.group_norm(input, num_groups, weight, bias, eps)


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    if training:
        count = input.numel() // input.size(1) if input.dim() > 1 and input.size(1) else 0
        if count == 1:
            raise ValueError(f"Expected more than 1 value per channel when training, got input size {input.size()}")
    return _torch.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)


def normalize(input, p=2.0, dim=1, eps=1e-12):
    return input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    dot = (x1 * x2).sum(dim)
    return dot / (x1.norm(2.0, dim).clamp_min(eps) * x2.norm(2.0, dim).clamp_min(eps))


def pad(input, pad, mode="constant", value=None):
    return _torch.pad(input, pad, mode, value)


def _warn_sizes(input, target):
    if target.size() != input.size():
        warnings.warn(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). "
            "This will likely lead to incorrect results due to broadcasting. "
            "Please ensure they have the same size.",
            stacklevel=3,
        )


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    if weight is not None:
        raise NotImplementedError("mse_loss with weight is not available here")
    if target.shape != input.shape:
        _warn_sizes(input, target)
    return _torch.mse_loss(input, target, _reduction(_legacy_reduction(size_average, reduce, reduction)))


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    if target.shape != input.shape:
        _warn_sizes(input, target)
    return _torch.l1_loss(input, target, _reduction(_legacy_reduction(size_average, reduce, reduction)))


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    if target.shape != input.shape:
        _warn_sizes(input, target)
    return _torch.smooth_l1_loss(input, target, _reduction(_legacy_reduction(size_average, reduce, reduction)), beta)


def huber_loss(input, target, reduction="mean", delta=1.0):
    if target.shape != input.shape:
        _warn_sizes(input, target)
    return _torch.huber_loss(input, target, _reduction(reduction), delta)


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is deprecated. "
            "Please ensure they have the same size."
        )
    return _torch.binary_cross_entropy(
        input, target, weight, _reduction(_legacy_reduction(size_average, reduce, reduction))
    )


def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    reduction = _reduction(_legacy_reduction(size_average, reduce, reduction))
    return _torch.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    reduction = _reduction(_legacy_reduction(size_average, reduce, reduction))
    return _torch.nll_loss(input, target, weight, reduction, ignore_index)


def cross_entropy(
    input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0
):
    reduction = _reduction(_legacy_reduction(size_average, reduce, reduction))
    return _torch.cross_entropy(input, target, weight, reduction, ignore_index, label_smoothing)


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    if log_target:
        loss = target.exp() * (target - input)
    else:
        # Where the target is 0 its term is 0, not NaN.
        loss = _torch.where(target > 0, target * (target.log() - input), 0.0)
    if reduction == "batchmean":
        return loss.sum() / input.size(0)
    word = _legacy_reduction(size_average, reduce, reduction)
    if word == "mean":
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size."
            "'batchmean' divides only by the batch size, and aligns with the KL div math definition."
            "'mean' will be changed to behave the same as 'batchmean' in the next major release.",
            stacklevel=2,
        )
    return loss if _reduction(word) == 0 else loss.mean() if word == "mean" else loss.sum()


def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    if not query.device == key.device == value.device:
        raise RuntimeError(
            "Expected query, key, and value to have the same device type, but got query.device: "
            f"{query.device} key.device: {key.device} and value.device: {value.device} instead."
        )
    scale = 1.0 / math.sqrt(query.size(-1)) if scale is None else scale
    scores = query @ key.transpose(-2, -1) * scale
    if is_causal:
        keep = _torch.ones(query.size(-2), key.size(-2), dtype=_torch.bool, device=query.device).tril()
        scores = scores.masked_fill(~keep, float("-inf"))
    if attn_mask is not None:
        if attn_mask.dtype == _torch.bool:
            scores = scores.masked_fill(~attn_mask, float("-inf"))
        else:
            scores = scores + attn_mask
    weights = softmax(scores, -1)
    return dropout(weights, dropout_p, True) @ value if dropout_p > 0 else weights @ value

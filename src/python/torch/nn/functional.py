"""Functions of neural networks, as in torch.nn.functional. Most are the engine's own; the code here parses options."""

import math
import warnings

import _torch
from _torch import Tensor
from torch._checks import _scalar_name
from torch._modes import loaded_later
from torch.nn._attention import multi_head_attention_forward, scaled_dot_product_attention
from torch.nn._dropouts import _choose, alpha_dropout, dropout, dropout1d, dropout2d, dropout3d, feature_alpha_dropout
from torch.nn._losses import (
    _legacy_reduction,
    _only_wide,
    _reduction,
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cosine_embedding_loss,
    cross_entropy,
    gaussian_nll_loss,
    hinge_embedding_loss,
    huber_loss,
    kl_div,
    l1_loss,
    margin_ranking_loss,
    mse_loss,
    multi_margin_loss,
    multilabel_margin_loss,
    multilabel_soft_margin_loss,
    nll_loss,
    poisson_nll_loss,
    smooth_l1_loss,
    soft_margin_loss,
    triplet_margin_loss,
    triplet_margin_with_distance_loss,
)

# Programs that print or pickle a function name it by this module.
for _name, _function in list(globals().items()):
    if getattr(_function, "__module__", "").startswith("torch.nn._"):
        _function.__module__ = __name__


def _pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)


linear = _torch.linear
sigmoid = _torch.sigmoid
tanh = _torch.tanh


def relu(input, inplace=False):
    return _torch.relu_(input) if inplace else _torch.relu(input)


def relu_(input):
    return _torch.relu_(input)


gelu = _torch.gelu


def silu(input, inplace=False):
    return _choose(_torch.silu, input, inplace)


def mish(input, inplace=False):
    return _choose(_torch.mish, input, inplace)


def elu(input, alpha=1.0, inplace=False):
    return _choose(_torch.elu, input, inplace, alpha)


def selu(input, inplace=False):
    return _choose(_torch.selu, input, inplace)


def celu(input, alpha=1.0, inplace=False):
    return _choose(_torch.celu, input, inplace, alpha)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    return _choose(_torch.leaky_relu, input, inplace, negative_slope)


prelu = _torch.prelu
softplus = _torch.softplus


def hardswish(input, inplace=False):
    return _choose(_torch.hardswish, input, inplace)


def hardsigmoid(input, inplace=False):
    return _choose(_torch.hardsigmoid, input, inplace)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return _choose(_torch.hardtanh, input, inplace, min_val, max_val)


def relu6(input, inplace=False):
    return hardtanh(input, 0.0, 6.0, inplace)


def threshold(input, threshold, value, inplace=False):
    return _choose(_torch.threshold, input, inplace, threshold, value)


hardshrink = _torch.hardshrink
softshrink = _torch.softshrink


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    if lower > upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    if training:
        if input.dtype != _torch.bfloat16:
            _only_wide("rrelu_with_noise_out_cpu", input)
        # One slope is drawn for each number that isn't positive, in order.
        low = input.detach() <= 0
        drawn = _torch.empty(int(low.sum()), dtype=_torch.float64, device=input.device).uniform_(lower, upper)
        slopes = _torch.ones_like(input, requires_grad=False).masked_scatter(low, drawn.to(input.dtype))
        return _choose(lambda x: _torch._under_node(x.contiguous() * slopes, "RreluWithNoiseBackward0"), input, inplace)
    mean = lambda x: _torch._under_node(leaky_relu(x.contiguous(), (lower + upper) / 2), "RreluWithNoiseBackward0")
    return _choose(mean, input, inplace)


logsigmoid = _torch.logsigmoid


def softsign(input):
    return input / (1 + input.abs())


def tanhshrink(input):
    return input - input.tanh()


def glu(input, dim=-1):
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return _torch.glu(input, dim)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """A sample of a relaxed one-hot variable; with `hard`, a one-hot sample with the gradient of the relaxed one."""
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    # Drawn in the order of the dimensions, however `logits` is stored.
    noise = -_torch.empty(logits.shape, dtype=logits.dtype, device=logits.device).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    return _torch.zeros_like(logits).scatter_(dim, index, 1.0) - soft.detach() + soft


def _softmax_dim(name, ndim):
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=3,
    )
    return 0 if ndim in (0, 1, 3) else 1


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        dim = _softmax_dim("softmax", input.dim())
    return input.softmax(dim, dtype=dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        dim = _softmax_dim("log_softmax", input.dim())
    return input.log_softmax(dim, dtype=dtype)


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        dim = _softmax_dim("softmin", input.dim())
    return softmax(-input, dim, dtype=dtype)


def embedding(
    input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False
):
    if padding_idx is None:
        padding_idx = -1
    elif padding_idx > 0:
        assert padding_idx < weight.size(0), "Padding_idx must be within num_embeddings"
    elif padding_idx < 0:
        assert padding_idx >= -weight.size(0), "Padding_idx must be within num_embeddings"
        padding_idx += weight.size(0)
    if max_norm is not None:
        _shorten_rows(weight, input, max_norm, norm_type)
    if sparse and weight.requires_grad and _torch.is_grad_enabled():
        return _looked_up(weight, input, padding_idx, scale_grad_by_freq)
    found = _torch.embedding(weight, input, padding_idx)
    if scale_grad_by_freq and found.requires_grad:
        _, places, counts = _torch.unique(input, return_inverse=True, return_counts=True)
        often = counts[places].unsqueeze(-1)
        found.register_hook(lambda grad: grad / often)
    return found


def _looked_up(weight, places, padding_idx, scale_grad_by_freq):
    """Rows of a table whose gradient is sparse."""
    found = _torch.embedding(weight.detach(), places, padding_idx)

    def back(grads):
        from torch import _sparse

        if scale_grad_by_freq:
            raise RuntimeError("embedding_backward: scale_grad_by_freq not supported with sparse gradients")
        return [_sparse._embedding_gradient(grads[0], places, weight.size(0), padding_idx)]

    _torch._record("EmbeddingBackward0", [weight], [found], back)
    return found


def _shorten_rows(weight, input, max_norm, norm_type):
    """Scales those rows of `weight` that `input` names, in place, to a norm of at most `max_norm`."""
    if input.dtype not in (_torch.int64, _torch.int32):
        raise RuntimeError(
            "Expected tensor for argument #2 'indices' to have one of the following scalar types: Long, Int; but got "
            f"{input.type()} instead (while checking arguments for embedding_renorm_)"
        )
    with _torch._grad_mode("no_grad"):
        rows = input.unique()
        count = weight.size(0)
        for row in rows[(rows < -count) | (rows >= count)].tolist()[:1]:
            raise IndexError(
                f"select(): index {row} out of range for tensor of size {list(weight.shape)} at dimension 0"
            )
        values = weight[rows]
        norm = values.norm(norm_type, 1, keepdim=True)
        weight[rows] = values * _torch.where(norm > max_norm, max_norm / (norm + 1e-7), 1.0)


def embedding_bag(*args, **kwargs):
    """Embeddings summed, averaged or maximized over bags: the rows of a 2-D `input`, or the slices that begin at
    `offsets`."""
    found = _bags(*args, **kwargs)
    return _torch._under_node(found, "EmbeddingBagBackward0") if found.grad_fn is not None else found


def _bags(
    input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode="mean", sparse=False,
    per_sample_weights=None, include_last_offset=False, padding_idx=None,
):
    if weight.dtype == _torch.int64 and input.is_floating_point():
        warnings.warn("Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, ...)` is "
                      "deprecated, and should now be `embedding_bag(input, weight, ...)`.", stacklevel=3)
        weight, input = input, weight
    if per_sample_weights is not None and input.size() != per_sample_weights.size():
        raise ValueError(f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it must have the same "
                         f"shape as the input ({input.shape})")
    if weight.dim() != 2:
        raise ValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}")
    if not weight.is_floating_point():
        name = weight.type() if weight.dtype != _torch.bool and not weight.is_complex() else f"CPU{_scalar_name(weight)}Type"
        raise RuntimeError("Expected tensor for argument #1 'weight' to have one of the following scalar types: Half, BFloat16, "
                           f"Float, Double; but got {name} instead (while checking arguments for embedding_bag)")
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if sparse:
        if mode == "max":
            raise ValueError("max mode does not support sparse weights")
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' "
            f"(got mode='{mode}'). Please open a feature request on GitHub."
        )
    if padding_idx is not None:
        count = weight.size(0)
        if not -count <= padding_idx < count:
            raise RuntimeError(
                f"padding_idx must be within the number of embeddings, -{count} through {count - 1}, but got {padding_idx}"
            )
        padding_idx %= count
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError("if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed "
                             f"length sequences. However, found offsets of type {type(offsets)}")
        starts = [row * input.size(1) for row in range(input.size(0))]
        _check_bags(input.reshape(-1), _torch.tensor(starts, dtype=_torch.int64), weight, per_sample_weights)
        if padding_idx is None and input.size(1) > 0 and mode == "max":
            return embedding(input, weight, None, max_norm, norm_type).max(1)[0]
        input = input.reshape(-1)
        per_sample_weights = None if per_sample_weights is None else per_sample_weights.reshape(-1)
        include_last_offset = False
    elif input.dim() != 1:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}")
    else:
        if offsets is None:
            raise ValueError("offsets has to be a 1D Tensor but got None")
        if offsets.dim() != 1:
            raise ValueError("offsets has to be a 1D Tensor")
        _check_bags(input, offsets, weight, per_sample_weights)
        starts = offsets.tolist()
    ends = starts[1:] + ([] if include_last_offset else [input.numel()])
    if padding_idx is not None:
        # Padding doesn't count: it's removed, and its bags get shorter.
        real = input != padding_idx
        before = [0] + real.to(_torch.int64).cumsum(0).tolist()
        starts, ends = [before[n] for n in starts], [before[n] for n in ends]
        input = input[real]
        per_sample_weights = None if per_sample_weights is None else per_sample_weights[real]
    found = embedding(input, weight, None, max_norm, norm_type, scale_grad_by_freq, sparse)
    if per_sample_weights is not None:
        found = found * per_sample_weights.unsqueeze(-1)
    counts = [end - start for start, end in zip(starts, ends)]
    if mode == "max":
        rows = [found[start:end].max(0)[0] if end > start else found[:0].sum(0) for start, end in zip(starts, ends)]
        return _torch.stack(rows) if rows else found.new_zeros(0, weight.size(1))
    # Rows before the first bag and behind the last one aren't in any.
    found = found[starts[0] : ends[-1]] if starts and ends else found[:0]
    counts = _torch.tensor(counts, dtype=_torch.int64, device=weight.device)
    bags = _torch.repeat_interleave(_torch.arange(len(starts[: len(ends)]), device=weight.device), counts)
    summed = found.new_zeros(len(counts), weight.size(1)).index_add(0, bags, found)
    return summed if mode == "sum" else summed / counts.clamp(min=1).unsqueeze(1)


def _check_bags(input, offsets, weight, per_sample_weights):
    """PyTorch's checks of bags that `offsets` delimit."""
    for name in (input, offsets):
        if name.dtype not in (_torch.int64, _torch.int32):
            raise RuntimeError("Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
                               f"{name.type()} instead (while checking arguments for embedding_bag)")
    if per_sample_weights is not None and per_sample_weights.dtype != weight.dtype:
        raise RuntimeError("Expected tensor for argument #1 'weight' to have the same type as tensor for argument #1 "
                           f"'per_sample_weights'; but type {weight.type()} does not equal {per_sample_weights.type()} (while checking "
                           "arguments for embedding_bag)")
    if weight.device.type != "cpu":
        return
    count = weight.size(0)
    outside = (input < 0) | (input >= count)
    if outside.any():
        wrong = outside.nonzero().flatten().tolist()
        raise RuntimeError(f"Index {wrong[0]} of input takes value {input[wrong[0]].item()} which is not in the valid range [0, {count})")
    if offsets.numel() == 0:
        return
    first, last = offsets[0].item(), offsets[-1].item()
    if first != 0:
        raise RuntimeError("offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, "
                           f"got {first}\n[ torch.{'Int' if offsets.dtype == _torch.int32 else 'Long'}Tensor{{}} ]")
    if last > input.numel():
        raise RuntimeError(f"offsets[-1] can not be greater than input's length {input.numel()} but got offsets[-1] of {last}")


one_hot = _torch.one_hot


def bilinear(input1, input2, weight, bias=None):
    from torch._composed import bilinear

    return bilinear(input1, input2, weight, bias)


conv1d = _torch.conv1d
conv2d = _torch.conv2d
conv_transpose1d = _torch.conv_transpose1d
conv_transpose2d = _torch.conv_transpose2d


def _single(value):
    return value if isinstance(value, int) else value[0]


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    stride = kernel_size if stride is None or stride in ((), []) else stride
    sizes = dict(kernel_size=kernel_size, stride=stride, padding=padding, dilation=dilation)
    if return_indices:
        _check_row("max_pool1d", input, **sizes)
    elif input.dim() not in (2, 3) or 0 in input.shape[-2:]:
        raise RuntimeError("max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:"
                           f"{list(input.shape)}")
    for what, size in sizes.items():
        if not isinstance(size, int) and len(size) != 1:
            wanted = {"stride": "None, an int, list of ints, or", "padding": "an int, list of ints, or"}.get(what, "an int, list of ints or")
            raise RuntimeError(f"max_pool1d() {what} must be {wanted} tuple of ints of size 1 but got size {len(size)}")
    pooled, indices = _torch._max_pool1d(
        input, _single(kernel_size), _single(stride), _single(padding), _single(dilation), ceil_mode, return_indices
    )
    return (pooled, indices) if return_indices else pooled


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    stride = kernel_size if stride is None else stride
    pooled, indices = _torch.max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode)
    return (pooled, indices) if return_indices else pooled


def _check_row(name, input, **sizes):
    """Refuses what isn't a row of windows: other numbers of dimensions, and sizes that aren't one number."""
    if input.dim() not in (2, 3):
        raise RuntimeError(f"Expected 2 to 3 dimensions, but got {input.dim()}-dimensional tensor for argument #1 'self'"
                           f" (while checking arguments for {name})")
    for what, size in sizes.items():
        if not isinstance(size, int) and len(size) != 1:
            raise RuntimeError(f"{name}() argument '{what}' should contain one int (got {len(size)})")


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    stride = kernel_size if stride is None or stride == () else stride
    _check_row("avg_pool1d", input, kernel_size=kernel_size, stride=stride, padding=padding)
    pooled = _torch.avg_pool2d(
        input.unsqueeze(-2), (1, _single(kernel_size)), (1, _single(stride)), (0, _single(padding)), ceil_mode,
        count_include_pad, None,
    )
    return pooled.squeeze(-2)


avg_pool2d = _torch.avg_pool2d


def _one_size(name, input, output_size):
    """The one size that an adaptive pool of rows should give."""
    wrong = f"{name}(): argument 'output_size' (position 2) must be tuple of ints, "
    if output_size is None:
        raise TypeError(wrong + "not NoneType")
    if not isinstance(output_size, int) and None in tuple(output_size):
        raise TypeError(wrong + f"but found element of type NoneType at pos {tuple(output_size).index(None)}")
    _check_row(name, input, output_size=output_size)
    return output_size if isinstance(output_size, int) else output_size[0]


def adaptive_avg_pool1d(input, output_size):
    size = _one_size("adaptive_avg_pool1d", input, output_size)
    return _torch.adaptive_avg_pool2d(input.unsqueeze(-2), (1, size)).squeeze(-2)


def _own_where_none(size, own, dims=2):
    """The sizes that an adaptive pool should give, where None stands for the input's own."""
    if isinstance(size, int):
        return (size,) * dims
    if len(own) <= len(size):
        raise ValueError(f"Input dimension should be at least {len(size) + 1}")
    return [have if want is None else want for want, have in zip(size, own[-len(size):])]


def adaptive_avg_pool2d(input, output_size):
    return _torch.adaptive_avg_pool2d(input, _own_where_none(output_size, input.size()))


def _windows(size, count):
    """Where each of `count` windows over `size` elements begins and ends."""
    return [((i * size) // count, -((-(i + 1) * size) // count)) for i in range(count)]


def _check_adaptive(input, name):
    for at in range(1, input.dim()):
        if input.shape[at] == 0:
            raise RuntimeError(f"{name}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes "
                               f"{list(input.shape)} with dimension {at} being empty")


def adaptive_max_pool2d(input, output_size, return_indices=False):
    output_size = _own_where_none(output_size, input.size())
    if input.dim() not in (3, 4):
        raise RuntimeError(f"adaptive_max_pool2d(): Expected 3D or 4D tensor, but got: {list(input.shape)}")
    _check_adaptive(input, "adaptive_max_pool2d")
    if len(output_size) != 2:
        raise RuntimeError("adaptive_max_pool2d(): internal error: output_size.size() must be 2")
    pooled, indices = _largest_in_windows(input, output_size, return_indices)
    from . import _spatial

    pooled = _torch._under_node(_spatial._as_stored(pooled, input), "AdaptiveMaxPool2DBackward0")
    indices = indices if indices is None else _spatial._as_stored(indices, input)
    return (pooled, indices) if return_indices else pooled


def _largest_in_windows(input, output_size, with_indices):
    if not input.is_floating_point():
        raise NotImplementedError(f'"adaptive_max_pool2d" not implemented for \'{_scalar_name(input)}\'')
    _check_adaptive(input, "adaptive_max_pool2d")
    height, width = input.shape[-2:]
    size = _pair(output_size)
    if any(n is not None and not 0 <= n <= 2**20 for n in size):
        # Memory is allocated first, because a loop over more windows than fit into it might never end.
        _torch.empty((*input.shape[:-2], *(have if n is None else n for have, n in zip((height, width), size))))
    rows, columns = (n if want is None else want for n, want in zip((height, width), size))
    lead = input.shape[:-2]
    if rows * columns > 4096:
        # The loop visits every window, so a number of windows for which there is no memory is refused first.
        _torch.empty(*lead, rows, columns, dtype=input.dtype, device=input.device)
    values, indices = [], []
    for top, bottom in _windows(height, rows):
        for left, right in _windows(width, columns):
            window = input[..., top:bottom, left:right].flatten(-2)
            best, place = window.max(-1)
            across = right - left
            values.append(best)
            indices.append((top + _torch.div(place, across, rounding_mode="floor")) * width + left + place % across)
    pooled = _torch.stack(values, -1).reshape(*lead, rows, columns)
    return pooled, _torch.stack(indices, -1).reshape(*lead, rows, columns) if with_indices else None


def adaptive_max_pool1d(input, output_size, return_indices=False):
    size = _one_size("adaptive_max_pool1d", input, output_size)
    _check_adaptive(input, "adaptive_max_pool1d")
    pooled, indices = adaptive_max_pool2d(input.unsqueeze(-2), (1, size), True)
    pooled = pooled.squeeze(-2)
    return (pooled, indices.squeeze(-2)) if return_indices else pooled


def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    height, width = _pair(kernel_size)
    out = avg_pool2d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return (_torch.sign(out) * relu(_torch.abs(out))).mul(width * height).pow(1.0 / norm_type)


def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    out = avg_pool1d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return (_torch.sign(out) * relu(_torch.abs(out))).mul(_single(kernel_size)).pow(1.0 / norm_type)


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """Sliding blocks as columns: [N, C, H, W] to [N, C * kh * kw, blocks]."""
    return _torch.im2col(input, _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """Sums sliding blocks back: the adjoint of `unfold`."""
    return _torch.col2im(
        input, _pair(output_size), _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride)
    )


pixel_shuffle = _torch.pixel_shuffle
pixel_unshuffle = _torch.pixel_unshuffle

_INTERPOLATIONS = {"linear": 1, "bilinear": 2, "bicubic": 2, "trilinear": 3}


def interpolate(
    input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None, antialias=False
):
    """Resamples the spatial dimensions of [N, C, L] or [N, C, H, W] to `size`, or by `scale_factor`."""
    if mode in ("nearest", "area", "nearest-exact"):
        if align_corners is not None:
            raise ValueError(
                "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
            )
    elif align_corners is None:
        align_corners = False
    n = input.dim() - 2
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if recompute_scale_factor and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    scales = None
    if size is not None:
        if isinstance(size, (list, tuple)) and len(size) != n:
            raise ValueError(
                "Input and output must have the same number of spatial dimensions, but got input with spatial dimensions of "
                f"{list(input.shape[2:])} and output size of {size}. Please provide input tensor in (N, C, d1, d2, ...,dK) "
                "format and output size in (o1, o2, ...,oK) format."
            )
        size = list(size) if isinstance(size, (list, tuple)) else [size] * n
    else:
        if isinstance(scale_factor, (list, tuple)) and len(scale_factor) != n:
            raise ValueError(
                "Input and scale_factor must have the same number of spatial dimensions, but got input with spatial "
                f"dimensions of {list(input.shape[2:])} and scale_factor of shape {scale_factor}. Please provide input "
                "tensor in (N, C, d1, d2, ...,dK) format and scale_factor in (s1, s2, ...,sK) format."
            )
        scales = list(scale_factor) if isinstance(scale_factor, (list, tuple)) else [scale_factor] * n
        size = [math.floor(s) if abs(s) < 2**63 else None for s in (float(input.size(i + 2)) * scales[i] for i in range(n))]
        if None in size:
            raise RuntimeError("value cannot be converted to type int64_t without overflow")
        if recompute_scale_factor or mode == "area":
            scales = None
    if antialias and not (mode in ("bilinear", "bicubic", "lanczos") and n == 2):
        raise ValueError("Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input")
    wanted = _INTERPOLATIONS.get(mode)
    if n not in (1, 2, 3) or wanted is None and mode not in ("nearest", "nearest-exact", "area", "lanczos"):
        raise NotImplementedError(
            "Input Error: Only 3D, 4D and 5D input Tensors supported (got {}D) for the modes: nearest | linear | bilinear | "
            "bicubic | trilinear | lanczos | area | nearest-exact (got {})".format(input.dim(), mode)
        )
    if wanted not in (None, n):
        raise NotImplementedError(f"Got {n + 2}D input, but {mode} mode needs {wanted + 2}D input")
    if mode == "area":
        return (adaptive_avg_pool1d, adaptive_avg_pool2d, __getattr__("adaptive_avg_pool3d"))[n - 1](input, size)
    if n == 3 or mode == "bicubic" or antialias:
        from . import _spatial

        if min(size) <= 0 or 0 in input.shape[1:]:
            raise RuntimeError(
                "Input and output sizes should be greater than 0, but got input ({}) output ({})".format(
                    ", ".join(f"{a}: {b}" for a, b in zip("DHW"[3 - n :], input.shape[2:])),
                    ", ".join(f"{a}: {b}" for a, b in zip("DHW"[3 - n :], size)))
                if min(size) <= 0 or 0 in input.shape[2:] else
                f"Non-empty {n + 2}D data tensor expected but got a tensor with sizes {list(input.shape)}")
        if antialias:
            return _spatial.antialiased(input, size, mode, bool(align_corners), scales)
        if mode == "bicubic":
            return _spatial.bicubic(input, size, bool(align_corners), scales)
        return _spatial.resample3d(input, size, mode, bool(align_corners), scales)
    if input.dtype == _torch.uint8:
        from . import _spatial

        return _spatial.resampled_bytes(input, size, mode, bool(align_corners), scales)
    return _torch._upsample(input, size, mode, bool(align_corners), scales)


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    warnings.warn("`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2)
    return interpolate(input, size, scale_factor, mode, align_corners)


def instance_norm(
    input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-5
):
    """Batch norm of every sample separately."""
    if use_input_stats and math.prod(input.shape[2:]) == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.size()}")
    batch, channels = input.size(0), input.size(1)
    if not use_input_stats and (running_mean is None or running_var is None):
        raise RuntimeError("Expected running_mean and running_var to be defined when use_input_stats is false")
    again = lambda t: None if t is None else t.repeat(batch)
    mean, var = again(running_mean), again(running_var)
    flat = input.reshape(1, batch * channels, *input.shape[2:])
    out = _torch.batch_norm(flat, again(weight), again(bias), mean, var, use_input_stats, momentum, eps, True)
    if use_input_stats:
        for own, used in ((running_mean, mean), (running_var, var)):
            if own is not None:
                with _torch._grad_mode("no_grad"):
                    own.copy_(used.view(batch, channels).mean(0))
    return out.view(input.shape)


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    """Divides by the sum of squares over neighboring channels (Krizhevsky et al., 2012)."""
    if input.dim() < 3:
        raise ValueError(f"Expected 3D or higher dimensionality                          input (got {input.dim()} dimensions)")
    pool = "avg_pool2d" if input.dim() == 3 else "avg_pool3d_out_frame"
    narrow = input.dim() > 3 and input.dtype in (_torch.float16, _torch.bfloat16)
    if narrow or not input.is_floating_point() and input.dtype != _torch.int64:
        raise NotImplementedError(f'"{pool}" not implemented for \'{_scalar_name(input)}\'')
    if input.numel() == 0:
        return input
    squares = input.mul(input)
    padding = [0, 0] * (input.dim() - 2) + [size // 2, (size - 1) // 2]
    total = sum(pad(squares, padding)[:, i : i + input.size(1)] for i in range(size))
    return input / total.div(size).mul(alpha).add(k).pow(beta)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    return _torch.layer_norm(input, normalized_shape, weight, bias, eps)


def _is_channels_last(t):
    from torch import channels_last

    return t.dim() == 4 and t.is_contiguous(memory_format=channels_last)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    shape, given = list(normalized_shape), list(input.shape)
    if not shape:
        raise RuntimeError("Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but "
                           "got normalized_shape = []")
    if weight is not None and list(weight.shape) != shape:
        raise RuntimeError("Expected weight to be of same shape as normalized_shape, but got weight of shape "
                           f"{list(weight.shape)} and normalized_shape = {shape}")
    if given[-len(shape) :] != shape:
        raise RuntimeError(f"Given normalized_shape={shape}, expected input with shape [*{', '.join(map(str, shape))}], "
                           f"but got input of size{given}")
    if not (input.is_floating_point() or input.is_complex()):
        raise NotImplementedError(f'"rms_norm" not implemented for \'{_scalar_name(input)}\'')
    # Squares of 16-bit numbers soon overflow, so everything inside is float32.
    wide = input.float() if input.dtype in (_torch.float16, _torch.bfloat16) else input
    if not _is_channels_last(wide):
        wide = wide.contiguous()
    if eps is None:
        from torch._functions import finfo

        eps = finfo(wide.dtype).eps
    dims = tuple(range(-len(shape), 0))
    out = wide * _torch.rsqrt((wide * wide).mean(dims, keepdim=True) + eps)
    return (out if weight is None else out * weight).to(input.dtype)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.dim()}")
    sizes = [input.size(0) * input.size(1) // num_groups, num_groups, *input.shape[2:]]
    if math.prod(sizes) == num_groups and num_groups:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {sizes}")
    return _torch.group_norm(input, num_groups, weight, bias, eps)


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    if training:
        if eps <= 0.0:
            raise ValueError(f"batch_norm eps must be positive during training, but got {eps}")
        count = input.numel() // input.size(1) if input.dim() > 1 and input.size(1) else 0
        if count == 1:
            raise ValueError(f"Expected more than 1 value per channel when training, got input size {input.size()}")
    return _torch.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, True)


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    length = input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    return input / length if out is None else _torch.div(input, length, out=out)


cosine_similarity = _torch.cosine_similarity
pairwise_distance = _torch.pairwise_distance


def pdist(input, p=2.0):
    """Distances between all pairs of rows: those above the diagonal, row by row."""
    if not input.is_floating_point():
        raise RuntimeError("pdist only supports floating-point dtypes")
    if input.dtype in (_torch.float16, _torch.bfloat16):
        raise NotImplementedError(f'"pdist" not implemented for \'{_scalar_name(input)}\'')
    if input.dim() != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {input.dim()}D")
    if p < 0:
        raise RuntimeError("pdist only supports non-negative p values")
    n = input.size(0)
    first, second = _torch.triu_indices(n, n, 1, device=input.device).unbind(0)
    return _torch._under_node((input[first] - input[second]).norm(p, 1), "PdistBackward0")


def pad(input, pad, mode="constant", value=None):
    if mode in ("reflect", "replicate", "circular") and value is not None and value != 0:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    return _torch.pad(input, pad, mode, value)


# Functions that few programs use. Each is in the module named here, which is loaded when a program first asks for one.
_LATER = dict.fromkeys((
    "adaptive_avg_pool3d", "adaptive_max_pool3d", "affine_grid", "avg_pool3d", "channel_shuffle", "conv3d", "conv_transpose3d",
    "fractional_max_pool2d", "fractional_max_pool2d_with_indices", "fractional_max_pool3d", "fractional_max_pool3d_with_indices",
    "grid_sample", "lp_pool3d", "max_pool3d", "max_unpool1d", "max_unpool2d", "max_unpool3d", "upsample_bilinear",
    "upsample_nearest",
), "_spatial")
_LATER.update(dict.fromkeys(("ctc_loss", "linear_cross_entropy"), "_ctc"))


_IN_PLACE = ("celu_", "elu_", "hardtanh_", "leaky_relu_", "rrelu_", "selu_", "threshold_")


def __getattr__(name):
    if name in _IN_PLACE:
        function = globals()[name[:-1]]

        def in_place(input, *args, **kwargs):
            return function(input, *args, **kwargs, inplace=True)

        in_place.__name__ = name
        globals()[name] = in_place
        return in_place
    pool = name.removesuffix("_with_indices")
    if pool != name and pool.startswith(("max_pool", "adaptive_max_pool")) and pool[-2:] in ("1d", "2d", "3d"):
        function = globals()[pool] if pool in globals() else __getattr__(pool)

        count = function.__code__.co_varnames.index("return_indices")

        def with_indices(*args, return_indices=False, **kwargs):
            # Given by position, it's ignored as well.
            return function(*args[:count], return_indices=True, **kwargs)

        with_indices.__name__ = name
        globals()[name] = with_indices
        return with_indices
    if name not in _LATER:
        raise AttributeError(f"module 'torch.nn.functional' has no attribute '{name}'")
    import importlib

    globals()[name] = loaded_later(getattr(importlib.import_module("torch.nn." + _LATER[name]), name))
    return globals()[name]

"""Functions of neural networks, as in torch.nn.functional. Most are the engine's own; the code here parses options."""

import math
import warnings

import _torch
from _torch import Tensor
from torch.nn._attention import multi_head_attention_forward, scaled_dot_product_attention
from torch.nn._dropouts import _choose, alpha_dropout, dropout, dropout1d, dropout2d, dropout3d, feature_alpha_dropout

_REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}


_INTEGERS = (_torch.uint8, _torch.int8, _torch.int16, _torch.int32, _torch.int64)


def _reduction(word, size_average=None, reduce=None):
    if size_average is not None or reduce is not None:
        word = _legacy_reduction(size_average, reduce, word, 5)
    if word not in _REDUCTIONS:
        raise ValueError(f"{word} is not a valid value for reduction")
    return _REDUCTIONS[word]


def _legacy_reduction(size_average, reduce, reduction, stacklevel=4):
    """Converts the older pair of options, `size_average` and `reduce`, to the newer one."""
    if size_average is None and reduce is None:
        return reduction
    mean = True if size_average is None else size_average
    if reduce is False:
        word = "none"
    else:
        word = "mean" if mean else "sum"
    text = f"size_average and reduce args will be deprecated, please use reduction='{word}' instead."
    warnings.warn(text, stacklevel=stacklevel)
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
        return _choose(lambda x: _torch._under_node(x * slopes, "RreluWithNoiseBackward0"), input, inplace)
    mean = lambda x: _torch._under_node(leaky_relu(x, (lower + upper) / 2), "RreluWithNoiseBackward0")
    return _choose(mean, input, inplace)


logsigmoid = _torch.logsigmoid


def softsign(input):
    return input / (1 + input.abs())


def tanhshrink(input):
    return input - input.tanh()


def glu(input, dim=-1):
    return _torch.glu(input, dim)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """A sample of a relaxed one-hot variable; with `hard`, a one-hot sample with the gradient of the relaxed one."""
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    noise = -_torch.empty_like(logits).exponential_().log()
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
    return _torch.softmax(input, dim, dtype=dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        dim = _softmax_dim("log_softmax", input.dim())
    return _torch.log_softmax(input, dim, dtype=dtype)


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
    with _torch._grad_mode("no_grad"):
        rows = input.unique()
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
        if padding_idx is None and input.size(1) > 0:
            found = embedding(input, weight, None, max_norm, norm_type, scale_grad_by_freq, sparse)
            if per_sample_weights is not None:
                found = found * per_sample_weights.unsqueeze(-1)
            found = found.sum(1) if mode == "sum" else found.mean(1) if mode == "mean" else found.max(1)[0]
            return _torch._under_node(found, "EmbeddingBagBackward0")
        starts = [row * input.size(1) for row in range(input.size(0))]
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
    rows = []
    for start, end in zip(starts, ends):
        bag = found[start:end]
        if end == start:
            rows.append(found.new_zeros(found.size(-1)))
        else:
            rows.append(bag.sum(0) if mode == "sum" else bag.mean(0) if mode == "mean" else bag.max(0)[0])
    return _torch._under_node(_torch.stack(rows), "EmbeddingBagBackward0") if rows else found.new_zeros(0, weight.size(1))


one_hot = _torch.one_hot


def bilinear(input1, input2, weight, bias=None):
    out = _torch.einsum("...i,kij,...j->...k", input1, weight, input2)
    return out if bias is None else out + bias


conv1d = _torch.conv1d
conv2d = _torch.conv2d
conv_transpose1d = _torch.conv_transpose1d
conv_transpose2d = _torch.conv_transpose2d


def _single(value):
    return value if isinstance(value, int) else value[0]


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    stride = kernel_size if stride is None or stride == [] else stride
    if not return_indices and (input.dim() not in (2, 3) or 0 in input.shape[-2:]):
        raise RuntimeError("max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:"
                           f"{list(input.shape)}")
    pooled, indices = _torch._max_pool1d(
        input, _single(kernel_size), _single(stride), _single(padding), _single(dilation), ceil_mode, return_indices
    )
    return (pooled, indices) if return_indices else pooled


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    stride = kernel_size if stride is None else stride
    pooled, indices = _torch.max_pool2d(
        input, _pair(kernel_size), _pair(stride), _pair(padding), _pair(dilation), ceil_mode
    )
    return (pooled, indices) if return_indices else pooled


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    stride = kernel_size if stride is None or stride == () else stride
    pooled = _torch.avg_pool2d(
        input.unsqueeze(-2), (1, _single(kernel_size)), (1, _single(stride)), (0, _single(padding)), ceil_mode,
        count_include_pad, None,
    )
    return pooled.squeeze(-2)


avg_pool2d = _torch.avg_pool2d


def adaptive_avg_pool1d(input, output_size):
    if input.dim() not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {input.dim()}-dimensional tensor for argument #1 'self'"
            " (while checking arguments for adaptive_avg_pool1d)"
        )
    size = (output_size,) if isinstance(output_size, int) else tuple(output_size)
    if len(size) != 1:
        raise RuntimeError(f"adaptive_avg_pool1d() argument 'output_size' should contain one int (got {len(size)})")
    return _torch.adaptive_avg_pool2d(input.unsqueeze(-2), (1, size[0])).squeeze(-2)


def _own_where_none(size, own):
    """The two sizes that an adaptive pool should give, where None stands for the input's own."""
    if isinstance(size, int):
        return size, size
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
    if isinstance(output_size, (list, tuple)) and len(output_size) != 2:
        raise RuntimeError("adaptive_max_pool2d(): internal error: output_size.size() must be 2")
    if input.dim() < 3:
        raise ValueError("Input dimension should be at least 3")
    if input.dim() > 4:
        raise RuntimeError(f"adaptive_max_pool2d(): Expected 3D or 4D tensor, but got: {list(input.shape)}")
    pooled, indices = _largest_in_windows(input, output_size, return_indices)
    pooled = _torch._under_node(pooled, "AdaptiveMaxPool2DBackward0")
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
            window = input[..., top:bottom, left:right].reshape(*lead, -1)
            best, place = window.max(-1)
            across = right - left
            values.append(best)
            indices.append((top + _torch.div(place, across, rounding_mode="floor")) * width + left + place % across)
    pooled = _torch.stack(values, -1).reshape(*lead, rows, columns)
    return pooled, _torch.stack(indices, -1).reshape(*lead, rows, columns) if with_indices else None


def adaptive_max_pool1d(input, output_size, return_indices=False):
    if isinstance(output_size, (list, tuple)) and len(output_size) != 1:
        raise RuntimeError("adaptive_max_pool1d() argument 'output_size' should contain one int "
                           f"(got {len(output_size)})")
    if input.dim() not in (2, 3):
        raise RuntimeError(f"Expected 2 to 3 dimensions, but got {input.dim()}-dimensional tensor for argument #1 'self' "
                           "(while checking arguments for adaptive_max_pool1d)")
    _check_adaptive(input, "adaptive_max_pool1d")
    pooled, indices = adaptive_max_pool2d(input.unsqueeze(-2), (1, _single(output_size)), True)
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
            "bicubic | trilinear | area | nearest-exact (got {})".format(input.dim(), mode)
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
    batch, channels = input.shape[:2]
    if use_input_stats and input[0, 0].numel() == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.size()}")
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
    if eps is None:
        from torch._functions import finfo

        eps = finfo(wide.dtype).eps
    dims = tuple(range(-len(shape), 0))
    out = wide * _torch.rsqrt((wide * wide).mean(dims, keepdim=True) + eps)
    return (out if weight is None else out * weight).to(input.dtype)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
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
    n = input.size(0)
    first, second = _torch.triu_indices(n, n, 1, device=input.device).unbind(0)
    return _torch._under_node((input[first] - input[second]).norm(p, 1), "PdistBackward0")


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
    if _torch._differ_in_shape(target, input):
        _warn_sizes(input, target)
    return _torch.mse_loss(input, target, _reduction(reduction, size_average, reduce))


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    if _torch._differ_in_shape(target, input):
        _warn_sizes(input, target)
    return _torch.l1_loss(input, target, _reduction(reduction, size_average, reduce))


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    if _torch._differ_in_shape(target, input):
        _warn_sizes(input, target)
    return _torch.smooth_l1_loss(input, target, _reduction(reduction, size_average, reduce), beta)


def huber_loss(input, target, reduction="mean", delta=1.0):
    if _torch._differ_in_shape(target, input):
        _warn_sizes(input, target)
    return _torch.huber_loss(input, target, _reduction(reduction), delta)


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is deprecated. "
            "Please ensure they have the same size."
        )
    return _torch.binary_cross_entropy(
        input, target, weight, _reduction(reduction, size_average, reduce)
    )


def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    reduction = _reduction(reduction, size_average, reduce)
    if input.is_floating_point() and target.dtype in _INTEGERS:
        names = [t.type().rpartition(".")[2].removesuffix("Tensor") for t in (input, target)]
        raise RuntimeError("result type {} can't be cast to the desired output type {}".format(*names))
    return _torch.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    reduction = _reduction(reduction, size_average, reduce)
    return _torch.nll_loss(input, target, weight, reduction, ignore_index)


def cross_entropy(
    input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0
):
    reduction = _reduction(reduction, size_average, reduce)
    if not (isinstance(input, _torch.Tensor) and isinstance(target, _torch.Tensor)):
        # Refused in PyTorch's words.
        return _torch.cross_entropy(input, target, weight, reduction, ignore_index, label_smoothing)
    if not _torch._differ_in_shape(target, input):
        # Probabilities of classes.
        if not target.is_floating_point():
            raise RuntimeError(f"Expected floating point type for target with class probabilities, got {_scalar_name(target)}")
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
    elif (input.dim() == 3 or input.dim() > 4) and target.shape[:1] == input.shape[:1] and target.shape[1:] != input.shape[2:]:
        raise RuntimeError(f"Expected target size {[input.size(0), *input.shape[2:]]}, got {list(target.shape)}")
    return _torch.cross_entropy(input, target, weight, reduction, ignore_index, label_smoothing)


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    word = reduction if reduction == "batchmean" else _legacy_reduction(size_average, reduce, reduction)
    if word == "mean":
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size."
            "'batchmean' divides only by the batch size, and aligns with the KL div math definition."
            "'mean' will be changed to behave the same as 'batchmean' in the next major release.",
            stacklevel=2,
        )
    input, target = _torch._full(input, target)
    if input.is_complex() or target.is_complex():
        raise RuntimeError("kl_div: Complex inputs not supported.")
    if not (input.is_floating_point() and target.is_floating_point()):
        raise RuntimeError("kl_div: Integral inputs not supported.")
    if log_target:
        loss = target.exp() * (target - input)
    else:
        # Where the target is 0 its term is 0, not NaN.
        loss = _torch.xlogy(target, target) - target * input
    if word == "batchmean":
        return loss.sum() / input.size(0) if input.dim() else loss.sum()
    return loss if _reduction(word) == 0 else loss.mean() if word == "mean" else loss.sum()


def _scalar_name(t):
    """The name of a tensor's dtype in PyTorch's messages: `Float`."""
    return t.type().split(".")[-1].removesuffix("Tensor")


def _only_wide(kernel, t):
    """On the CPU, refuses dtypes for a kernel that PyTorch has only for float32 and float64."""
    if t.dtype not in (_torch.float32, _torch.float64) and not (t.is_cuda and t.is_floating_point()):
        raise NotImplementedError(f'"{kernel}" not implemented for \'{_scalar_name(t)}\'')


def _reduced(loss, reduction):
    kind = _reduction(reduction)
    return loss if kind == 0 else loss.mean() if kind == 1 else loss.sum()


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    (input,) = _torch._full(input)
    zeros = _torch.zeros_like(input)
    # The margin in the input's own dtype, as in PyTorch's C++.
    margin = _torch.full((), margin, dtype=input.dtype, device=input.device)
    apart = _torch.where(target != 1, (margin - input).clamp_min(0), zeros)
    near = _torch.where(target != -1, input, zeros)
    return _reduced(apart + near, _legacy_reduction(size_average, reduce, reduction))


def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    input1, input2 = _torch._full(input1, input2)
    if input1.dim() != input2.dim() or input1.dim() != target.dim():
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {input1.size()}, input2: {input2.size()}, target: {target.size()} "
        )
    gap = input1 - input2
    loss = (-target * gap + float(margin)).clamp_min(0)
    return _reduced(loss, _legacy_reduction(size_average, reduce, reduction))


def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    input1, input2 = _torch._full(input1, input2)
    dim = target.dim()
    if dim not in (0, 1):
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if dim == 1 and (input1.dim() != 2 or input2.dim() != 2) or dim == 0 and (input1.dim() != 1 or input2.dim() != 1):
        raise RuntimeError(
            f"{dim}D target tensor expects {dim + 1}D input tensors, but found inputs with sizes "
            f"{list(input1.shape)} and {list(input2.shape)}."
        )
    dot = (input1 * input2).sum(dim)
    first, second = (input1 * input1).sum(dim) + 1e-12, (input2 * input2).sum(dim) + 1e-12
    cos = dot / (first * second).sqrt()
    zeros = _torch.zeros_like(cos)
    loss = _torch.where(target == 1, 1 - cos, zeros) + _torch.where(target == -1, (cos - margin).clamp_min(0), zeros)
    return _reduced(loss, _legacy_reduction(size_average, reduce, reduction))


def triplet_margin_loss(
    anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None, reduce=None, reduction="mean"
):
    anchor, positive, negative = _torch._full(anchor, positive, negative)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    distance = lambda a, b: pairwise_distance(a, b, p, eps)
    return triplet_margin_with_distance_loss(
        anchor, positive, negative, distance_function=distance, margin=margin, swap=swap,
        reduction=_legacy_reduction(size_average, reduce, reduction),
    )


def triplet_margin_with_distance_loss(
    anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction="mean"
):
    _reduction(reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    if not anchor.dim() == positive.dim() == negative.dim():
        raise RuntimeError("The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
                           f"anchor {anchor.dim()}D, positive {positive.dim()}D, and negative {negative.dim()}D inputs")
    distance = pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = _torch.minimum(far, distance(positive, negative))
    return _reduced((margin + near - far).clamp_min(0), reduction)


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    input, target = _torch._full(input, target)
    if not (input.is_floating_point() or input.is_complex()) and input.dtype != _torch.bool:
        raise RuntimeError(f"result type Float can't be cast to the desired output type {_scalar_name(input)}")
    if target.is_complex() and not input.is_complex():
        raise RuntimeError(f"result type {_scalar_name(target)} can't be cast to the desired output type {_scalar_name(input)}")
    loss = _reduced((-input * target).to(input.dtype).exp().log1p(), _legacy_reduction(size_average, reduce, reduction))
    return _torch._under_node(loss, "SoftMarginLossBackward0")


def multi_margin_loss(
    input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"
):
    (input,) = _torch._full(input)
    if p != 1 and p != 2:
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    reduction = _legacy_reduction(size_average, reduce, reduction)
    _reduction(reduction)
    _check_rows(input)
    samples = input.size(0) if input.dim() == 2 else 1
    if target.dim() > 1 or target.numel() != samples or input.dim() == 2 and target.dim() == 0:
        raise RuntimeError("multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch size). "
                           f"Expected target size [{samples}], but got {list(target.shape)}. Input has shape {list(input.shape)}.")
    if weight is not None and weight.numel() != (input.size(-1) if input.dim() else 1):
        raise RuntimeError(f"inconsistent weight size, expected {input.size(-1) if input.dim() else 1} but got {list(weight.shape)}")
    _only_wide("multi_margin_loss_cpu_kernel", input)
    _check_classes(input, target, 0, "target out of range")
    rows = input.reshape(-1, input.size(-1)) if input.dim() > 0 else input.reshape(1, 1)
    # A single sample keeps the shape of its target.
    alone = target.dim() > 0
    target = target.reshape(-1, 1)
    loss = (margin - rows.gather(1, target) + rows).clamp_min(0)
    loss = loss if p == 1 else loss * loss
    if weight is not None:
        loss = loss * weight[target]
    loss = loss.scatter(1, target, 0.0).sum(1) / rows.size(1)
    loss = _reduced(loss if input.dim() > 1 or alone else loss.squeeze(0), reduction)
    return _torch._under_node(loss, "MultiMarginLossBackward0")


def _check_rows(input):
    if input.dim() > 2 or input.dim() and input.size(-1) == 0:
        raise RuntimeError(f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(input.shape)}")


def _check_classes(input, target, least, text):
    """Refuses labels that aren't classes. On an accelerator that would mean to wait for it, so PyTorch doesn't."""
    if target.dtype != _torch.int64:
        raise RuntimeError(f"expected scalar type Long but found {_scalar_name(target)}")
    classes = input.size(-1) if input.dim() else 1
    if target.device.type == "cpu" and bool(((target < least) | (target >= classes)).any()):
        raise RuntimeError(text)


def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    (input,) = _torch._full(input)
    reduction = _legacy_reduction(size_average, reduce, reduction)
    _reduction(reduction)
    _check_rows(input)
    if target.numel() != input.numel() or input.dim() == 2 and target.shape != input.shape or target.dim() > max(input.dim(), 1):
        raise RuntimeError(f"inconsistent target size: {list(target.shape)} for input of size: {list(input.shape)}")
    _only_wide("multilabel_margin_loss_forward_out_frame", input)
    _check_classes(input, target, -1, "argument #2 'target' is out of range")
    classes = input.size(-1) if input.dim() > 0 else 1
    rows, labels = input.reshape(-1, classes), target.reshape(-1, classes)
    # The first -1 ends a row's labels.
    real = (labels >= 0).to(_torch.int64).cumprod(1).to(_torch.bool)
    at = _torch.where(real, labels, 0)
    is_label = _torch.zeros_like(rows).scatter_add(1, at, real.to(rows.dtype)) > 0
    gaps = (1 - rows.gather(1, at).unsqueeze(2) + rows.unsqueeze(1)).clamp_min(0)
    counted = real.unsqueeze(2) & ~is_label.unsqueeze(1)
    loss = _torch.where(counted, gaps, 0.0).sum((1, 2)) / rows.size(1)
    loss = _reduced(loss if input.dim() > 1 else loss.squeeze(0), reduction)
    return _torch._under_node(loss, "MultilabelMarginLossBackward0")


def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    loss = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    return _reduced(loss.sum(-1) / input.size(-1), _legacy_reduction(size_average, reduce, reduction))


def poisson_nll_loss(
    input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"
):
    input, target = _torch._full(input, target)
    reduction = _legacy_reduction(size_average, reduce, reduction)
    if reduction not in _REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    loss = _torch.exp(input) - target * input if log_input else input - target * _torch.log(input + eps)
    if full:
        stirling = target * _torch.log(target) - target + 0.5 * _torch.log(2 * math.pi * target)
        loss = loss + stirling.masked_fill(target <= 1, 0)
    return _reduced(loss, reduction)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = var * _torch.ones_like(input)
    elif (var < 0).any():
        raise ValueError("var has negative entry/entries")
    if var.size() != input.size():
        if input.size()[:-1] == var.size():
            var = var.unsqueeze(-1)
        elif input.dim() != var.dim() or sum(v for n, v in zip(input.size(), var.size()) if n != v) != 1:
            raise ValueError("var is of incorrect size")
    if reduction not in _REDUCTIONS:
        raise ValueError(reduction + " is not valid")
    var = var.clone()
    with _torch._grad_mode("no_grad"):
        var.clamp_(min=eps)
    loss = 0.5 * (_torch.log(var) + (input - target) ** 2 / var)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return _reduced(loss, reduction)


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

        def with_indices(*args, return_indices=False, **kwargs):
            return function(*args, return_indices=True, **kwargs)

        with_indices.__name__ = name
        globals()[name] = with_indices
        return with_indices
    if name not in _LATER:
        raise AttributeError(f"module 'torch.nn.functional' has no attribute '{name}'")
    import importlib

    globals()[name] = getattr(importlib.import_module("torch.nn." + _LATER[name]), name)
    return globals()[name]

"""Layers over three spatial dimensions, made of those over two: depth and the plane are separate, one after the other.

Loaded when a program first asks for one of them.
"""

import math

import _torch


def _node(t, name):
    # Autograd of complex numbers goes by the names of the parts.
    return t if t.is_complex() else _torch._under_node(t, name)


def _triple(value):
    value = (value,) if isinstance(value, int) else tuple(value)
    return value * 3 if len(value) == 1 else value


def _scalar_name(t):
    return t.type().split(".")[-1].removesuffix("Tensor")


def _only_floating(kernel, t, narrow=True):
    """Refuses what the CPU kernel of that name does not take."""
    if not t.is_floating_point() or not narrow and t.dtype in (_torch.float16, _torch.bfloat16) and not t.is_cuda:
        raise NotImplementedError(f'"{kernel}" not implemented for \'{_scalar_name(t)}\'')


def _batched(input, wanted, dims=(4, 5)):
    """The input with a batch dimension, and whether it had none."""
    if input.dim() not in dims:
        raise RuntimeError(wanted.format(list(input.shape)))
    return (input.unsqueeze(0), True) if input.dim() == dims[0] else (input, False)


# ---- convolutions ----------------------------------------------------------------------------------------------------


def _check_convolution(input, weight, bias, stride, padding, dilation, groups, output_padding=None):
    shape, given = list(weight.shape), list(input.shape)
    transposed = output_padding is not None
    if weight.dim() < 3:
        raise RuntimeError("weight should have at least three dimensions")
    dims = weight.dim() - 2
    options = {"stride": stride, "padding": padding, **({"output_padding": output_padding} if transposed else {}), "dilation": dilation}
    for name, numbers in options.items():
        if len(numbers) not in (1, dims):
            raise RuntimeError(f"expected {name} to be a single integer value or a list of {dims} values to match the convolution "
                               f"dimensions, but got {name}={list(numbers)}")
    for bad, text in (
        (groups <= 0, "non-positive groups is not supported"),
        (min(output_padding or (0,)) < 0, "negative output_padding is not supported"),
        (min(padding) < 0, "negative padding is not supported"),
        (min(stride) <= 0, "non-positive stride is not supported"),
        (min(dilation) <= 0, "dilation should be greater than zero"),
        (weight.dim() != 5, f"Expected {weight.dim()}-dimensional input for {weight.dim()}-dimensional weight {shape}, but got "
                            f"5-dimensional input of size {given} instead"),
        (shape[0] < groups, f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of "
                            f"size {shape} instead"),
        (shape[0] % max(groups, 1) != 0, f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but "
                                         f"got weight of size [{shape}] instead"),
    ):
        if bad:
            raise RuntimeError(text)
    channels, out = (shape[0], shape[1] * groups) if transposed else (shape[1] * groups, shape[0])
    what = "transposed=1" if transposed else f"groups={groups}"
    if given[1] != channels:
        raise RuntimeError(f"Given {what}, weight of size {shape}, expected input{given} to have {channels} channels, but got "
                           f"{given[1]} channels instead")
    if bias is not None and (bias.dim() != 1 or bias.size(0) != out):
        given = "Given " + ("transposed=1, " if transposed else "")
        raise RuntimeError(f"{given}weight of size {shape}, expected bias to be 1-dimensional with {out} elements, but got bias of "
                           f"size {list(bias.shape)} instead")


def _of_parts(convolution, input, weight, bias, *options):
    """A convolution of complex numbers as four of their parts."""
    part = lambda x, w: convolution(x, w, None, *options)
    out = _torch.complex(part(input.real, weight.real) - part(input.imag, weight.imag),
                         part(input.real, weight.imag) + part(input.imag, weight.real))
    return out if bias is None else out + bias.view(-1, 1, 1, 1)


def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    if input.is_complex() and weight.dtype == input.dtype:
        return _of_parts(conv3d, input, weight, bias, stride, padding, dilation, groups)
    if bias is not None and bias.dtype != input.dtype:
        from ._attention import _C_NAMES

        given = [_C_NAMES.get(t.dtype, t.dtype) for t in (input, bias)]
        raise RuntimeError("Input type ({}) and bias type ({}) should be the same".format(*given))
    x, alone = _batched(input, "Expected 4D (unbatched) or 5D (batched) input to conv3d, but got input of size: {}")
    stride, dilation = _triple(stride), _triple(dilation)
    if padding == "same":
        if weight.dim() > 2 and weight.dim() != 5:
            shape, dims = list(weight.shape), weight.dim()
            raise RuntimeError(f"Expected {dims}-dimensional input for {dims}-dimensional weight{shape}, but got 5-dimensional input of "
                               f"size {list(x.shape)} instead")
        if any(s != 1 for s in stride):
            raise RuntimeError("padding='same' is not supported for strided convolutions")
        total = [d * (k - 1) for d, k in zip(dilation, weight.shape[2:])]
        padding = tuple(t // 2 for t in total)
        if any(t % 2 for t in total):
            x = _torch.pad(x, [n for t in reversed(total) for n in (0, t % 2)])
    elif padding == "valid":
        padding = 0
    elif isinstance(padding, str):
        raise RuntimeError(f"Invalid padding string: '{padding}'")
    padding = _triple(padding)
    _check_convolution(x, weight, bias, stride, padding, dilation, groups)
    n, c, depth, h, w = x.shape
    out, per_group, deep, kh, kw = weight.shape
    sizes = [size + 2 * p for size, p in zip((depth, h, w), padding)]
    if any(size < d * (k - 1) + 1 for size, d, k in zip(sizes, dilation, (deep, kh, kw))):
        raise RuntimeError(
            "Calculated padded input size per channel: ({} x {} x {}). Kernel size: ({} x {} x {}). Kernel size can't be greater "
            "than actual input size".format(*sizes, *(d * (k - 1) + 1 for d, k in zip(dilation, (deep, kh, kw)))))
    # The planes that one step of the kernel sees become its channels: one convolution in two dimensions does the rest.
    if deep == 1 and padding[0] == 0:
        planes = x[:, :, :: stride[0]].transpose(1, 2)
        rows = planes.size(1)
    elif n * c == 0:
        rows = (sizes[0] - dilation[0] * (deep - 1) - 1) // stride[0] + 1
        planes = x.new_empty(n, rows, c * deep, h, w)
    else:
        planes = _torch.im2col(x.reshape(n, c, depth, h * w), (deep, 1), dilation[:1] + (1,), padding[:1] + (0,), stride[:1] + (1,))
        rows = planes.size(2) // max(h * w, 1)
        planes = planes.view(n, c * deep, rows, h * w).transpose(1, 2)
    y = _torch.conv2d(planes.reshape(n * rows, c * deep, h, w), weight.reshape(out, per_group * deep, kh, kw), bias, stride[1:],
                      padding[1:], dilation[1:], groups)
    # The view gives dimensions of size 1 the strides of a new tensor.
    y = y.view(n, rows, out, *y.shape[2:]).transpose(1, 2).contiguous()
    y = y.view(y.shape)
    return _node(y.squeeze(0) if alone else y, "SqueezeBackward1" if alone else "ConvolutionBackward0")


def conv_transpose3d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    if input.is_complex() and weight.dtype == input.dtype:
        return _of_parts(conv_transpose3d, input, weight, bias, stride, padding, output_padding, groups, dilation)
    x, alone = _batched(input, "Expected 4D (unbatched) or 5D (batched) input to conv_transpose3d, but got input of size: {}")
    stride, padding, extra, dilation = map(_triple, (stride, padding, output_padding, dilation))
    _check_convolution(x, weight, bias, stride, padding, dilation, groups, extra)
    n, c, depth, h, w = x.shape
    _, per_group, deep, kh, kw = weight.shape
    out = per_group * groups
    planes = x.transpose(1, 2).reshape(n * depth, c, h, w)
    y = _torch.conv_transpose2d(planes, weight.reshape(c, per_group * deep, kh, kw), None, stride[1:], padding[1:], extra[1:], groups,
                                dilation[1:])
    rows, columns = y.shape[2:]
    y = y.view(n, depth, out * deep, rows * columns).transpose(1, 2).reshape(n, out * deep, depth * rows * columns)
    high = (depth - 1) * stride[0] + dilation[0] * (deep - 1) + 1
    y = _torch.col2im(y, (high, rows * columns), (deep, 1), dilation[:1] + (1,), (0, 0), stride[:1] + (1,))
    if padding[0] or extra[0]:
        y = _torch.pad(y, (0, 0, -padding[0], extra[0] - padding[0]))
    y = y.reshape(n, out, -1, rows, columns)
    if bias is not None:
        y = y + bias.view(-1, 1, 1, 1)
    return _node(y.squeeze(0) if alone else y, "SqueezeBackward1" if alone else "ConvolutionBackward0")


# ---- pools -----------------------------------------------------------------------------------------------------------


def _window(name, kernel_size, stride, padding, dilation=1):
    both = []
    either = "" if name == "avg_pool3d" else "either "
    for what, value in (("kernel_size", kernel_size), ("stride", stride), ("padding", padding), ("dilation", dilation)):
        value = () if value is None else (value,) if isinstance(value, int) else tuple(value)
        if len(value) not in ((1, 3) if what != "stride" else (0, 1, 3)):
            must = "be either" if what == "dilation" else f"{either}be omitted," if what == "stride" else f"{either}be"
            raise RuntimeError(f"{name}: {what} must {must} a single int, or a tuple of three ints")
        both.append(both[0] if not value else _triple(value))
    return both


def _check_padding(padding, kernel):
    """Borders wider than half a window are refused before anything else is asked."""
    for p, k in zip(padding, kernel):
        if p < 0:
            raise RuntimeError(f"pad must be non-negative, but got pad: {p}")
        if p > k // 2:
            raise RuntimeError("pad should be at most half of effective kernel size, but got "
                               f"pad={p}, kernel_size={k} and dilation=1")


def _pooled(size, kernel, stride, padding, dilation, ceil_mode):
    """The number of windows along a dimension."""
    space = size + 2 * padding - dilation * (kernel - 1) - 1 + (stride - 1 if ceil_mode else 0)
    count = space // stride + 1
    # With `ceil_mode`, the last window has to start inside the input or its padding on the left.
    return count - 1 if ceil_mode and (count - 1) * stride >= size + padding else count


def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    kernel, stride, padding, dilation = _window("max_pool3d", kernel_size, stride, padding, dilation)
    for bad, text in (
        (min(kernel) <= 0, "kernel size should be greater than zero, but got kT: {} kH: {} kW: {}".format(*kernel)),
        (min(stride) <= 0, "stride should be greater than zero, but got dT: {} dH: {} dW: {}".format(*stride)),
        (min(dilation) <= 0, "dilation should be greater than zero, but got dilationT: {} dilationH: {} dilationW: {}".format(
            *dilation)),
    ):
        if bad:
            raise RuntimeError(text)
    if not (input.is_floating_point() or input.dtype in (_torch.int64, _torch.int32, _torch.int16, _torch.int8, _torch.uint8)):
        raise NotImplementedError(f'"max_pool3d" not implemented for \'{_scalar_name(input)}\'')
    _check_padding(padding, kernel)
    x, alone = _batched(input, "non-empty 4D or 5D (batch mode) tensor expected for input")
    n, c, depth, h, w = x.shape
    for d in range(0 if alone else 1, input.dim()):
        if not input.size(d):
            raise RuntimeError("max_pool3d_with_indices_out_cpu_template(): Expected input to have non-zero size for non-batch "
                               f"dimensions, but input has sizes {list(input.shape)} with dimension {d} being empty")
    pooled = [_pooled(*of, ceil_mode) for of in zip((depth, h, w), kernel, stride, padding, dilation)]
    if min(pooled) < 1:
        raise RuntimeError("Given input size: ({}x{}x{}x{}). Calculated output size: ({}x{}x{}x{}). Output size is too small".format(
            c, depth, h, w, c, *pooled))
    plane, at = _torch.max_pool2d(x.reshape(n, c * depth, h, w), kernel[1:], stride[1:], padding[1:], dilation[1:], ceil_mode)
    rows, columns = plane.shape[2:]
    area = rows * columns
    out, which = _torch.max_pool2d(plane.reshape(n, c, depth, area), (kernel[0], 1), (stride[0], 1), (padding[0], 0),
                                   (dilation[0], 1), ceil_mode)
    shape = (c, out.size(2), rows, columns) if alone else (n, c, out.size(2), rows, columns)
    out = _node(out.reshape(shape), "MaxPool3DWithIndicesBackward0")
    if not return_indices:
        return out
    which = which.flatten(2)
    at = at.reshape(n, c, depth * area).gather(2, which) + _torch.div(which, area, rounding_mode="floor") * (h * w)
    return out, at.reshape(shape)


def avg_pool3d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    kernel, stride, padding, _ = _window("avg_pool3d", kernel_size, stride, padding)
    x, alone = _batched(input, "non-empty 4D or 5D (batch mode) tensor expected for input")
    for bad, text in (
        (min(stride) <= 0, "stride should be greater than zero, but got dT: {} dH: {} dW: {}".format(*stride)),
        (min(kernel) <= 0, "kernel size should be greater than zero, but got kT: {} kH: {} kW: {}".format(*kernel)),
        (divisor_override == 0, "divisor must be not zero"),
    ):
        if bad:
            raise RuntimeError(text)
    _check_padding(padding, kernel)
    if input.dtype == _torch.int64 and input.device.type == "cpu":
        # Rounded once, not after each of two dimensions.
        return avg_pool3d(input.double(), kernel, stride, padding, ceil_mode, count_include_pad, divisor_override).to(_torch.int64)
    _only_floating("avg_pool3d_out_frame", input, input.dtype == _torch.bfloat16)
    n, c, depth, h, w = x.shape
    if any(size < k for size, k in zip((depth, h, w), kernel)):
        raise RuntimeError("input image (T: {} H: {} W: {}) smaller than kernel size (kT: {} kH: {} kW: {})".format(depth, h, w, *kernel))
    y = _torch.avg_pool2d(x.reshape(n, c * depth, h, w), kernel[1:], stride[1:], padding[1:], ceil_mode, count_include_pad,
                          divisor_override)
    rows, columns = y.shape[2:]
    y = _torch.avg_pool2d(y.reshape(n, c, depth, rows * columns), (kernel[0], 1), (stride[0], 1), (padding[0], 0), ceil_mode,
                          count_include_pad, None if divisor_override is None else 1)
    shape = (c, y.size(2), rows, columns)
    return _node(y.reshape(shape if alone else (n, *shape)), "AvgPool3DBackward0")


def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    from . import functional as F

    out = avg_pool3d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return (_torch.sign(out) * F.relu(_torch.abs(out))).mul(math.prod(_triple(kernel_size))).pow(1.0 / norm_type)


def _adaptive(input, name, output_size):
    from .functional import _own_where_none

    size = _own_where_none(output_size, input.size(), 3)
    if "avg" in name and len(size) != 3:
        raise RuntimeError(f"{name}: output_size must be 3")
    if "avg" in name and list(size) == [1, 1, 1]:
        return None, size
    if input.dim() not in (4, 5):
        raise RuntimeError(f"{name}(): Expected 4D or 5D tensor, but got{':' if 'max' in name else ''} {list(input.shape)}")
    for at in range(1, input.dim()):
        if input.shape[at] == 0:
            raise RuntimeError(f"{name}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes "
                               f"{list(input.shape)} with dimension {at} being empty")
    if len(size) != 3:
        raise RuntimeError(f"{name}(): internal error: output_size.size() must be 3")
    _only_floating(name + "_cpu", input)
    size = list(size)
    if min(size) < 0 and "max" in name:
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(size)}: {[*input.shape[:-3], *size]}")
    if min(size) < 0:
        raise RuntimeError(f"{name}: elements of output_size must be greater than or equal to 0 but received "
                           "{{{}, {},{}}}".format(*size))
    return (input if input.dim() == 5 else input.unsqueeze(0)), size


def adaptive_avg_pool3d(input, output_size):
    x, size = _adaptive(input, "adaptive_avg_pool3d", output_size)
    if x is None:
        return input.mean((-1, -2, -3), keepdim=True)
    n, c, depth, h, w = x.shape
    y = _torch.adaptive_avg_pool2d(x.reshape(n, c * depth, h, w), size[1:])
    y = _torch.adaptive_avg_pool2d(y.reshape(n, c, depth, size[1] * size[2]), (size[0], size[1] * size[2]))
    return _node(y.reshape(*input.shape[:-3], *size), "AdaptiveAvgPool3DBackward0")


def adaptive_max_pool3d(input, output_size, return_indices=False):
    from .functional import _largest_in_windows, _windows

    x, size = _adaptive(input, "adaptive_max_pool3d", output_size)
    n, c, depth, h, w = x.shape
    plane, at = _largest_in_windows(x.reshape(n, c * depth, h, w), size[1:], True)
    plane, at = plane.reshape(n, c, depth, *size[1:]), at.reshape(n, c, depth, *size[1:])
    values, indices = [], []
    for first, last in _windows(depth, size[0]):
        best, which = plane[:, :, first:last].max(2, keepdim=True)
        values.append(best)
        indices.append(at.gather(2, which + first) + (which + first) * (h * w))
    shape = (*input.shape[:-3], *size)
    out = _torch.cat(values, 2) if values else x.new_empty(n, c, *size)
    out = _node(out.reshape(shape), "AdaptiveMaxPool3DBackward0")
    if not return_indices:
        return out
    return out, (_torch.cat(indices, 2) if indices else at.new_empty(n, c, *size)).reshape(shape)


def _fractional(n, input, kernel_size, output_size, output_ratio, return_indices, samples):
    name = f"fractional_max_pool{n}d"
    if output_size is None and output_ratio is None:
        raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
    each = lambda value: (value,) * n if isinstance(value, (int, float)) else tuple(value)
    if output_size is None:
        if not isinstance(output_ratio, (int, float)) and len(output_ratio) > n:
            raise ValueError(f"{name} requires output_ratio to either be a single Int or tuple of Ints.")
        output_size = [int(size * ratio) for size, ratio in zip(input.shape[-n:], each(output_ratio))]
    kernel, size = each(kernel_size), each(output_size)
    alone = input.dim() == n + 1
    drawn = samples is None and not input.is_complex()
    _only_floating("check_uniform_bounds" if drawn else f"{name}_out_frame", input)
    if samples is None:
        samples = _torch.rand(1 if alone else input.size(0), input.size(-n - 1), n, dtype=input.dtype, device=input.device)
    x = input.unsqueeze(0) if alone else input
    names = "time height width".split()[-n:]
    spatial = x.shape[2:]
    for what, have, k, out in zip(names, spatial, kernel, size):
        if out + k - 1 > have:
            raise RuntimeError(f"{name}(): pool {what} {k} too large relative to input {what} {have}")
    # Where every window begins: PyTorch's sequence for the plane is drawn as (w, h), for space as (t, h, w).
    places = None
    for d in range(n):
        have, k, out = spatial[d], kernel[d], size[d]
        sample = samples[..., d if n == 3 else n - 1 - d]
        steps = _torch.arange(out, device=x.device)
        if out > 1:
            alpha = (have - k) / (out - 1)
            start = ((steps + sample.unsqueeze(-1)) * alpha).to(_torch.int64) - (sample.unsqueeze(-1) * alpha).to(_torch.int64)
        else:
            start = steps.expand(*samples.shape[:2], out)
        start = _torch.where(steps == out - 1, have - k, start)
        at = (start.unsqueeze(-1) + _torch.arange(k, device=x.device)) * math.prod(spatial[d + 1 :])
        shape = [1] * (2 * n)
        shape[d], shape[n + d] = out, k
        at = at.reshape(*at.shape[:2], *shape)
        places = at if places is None else places + at
    places = places.reshape(*x.shape[:2], math.prod(size), math.prod(kernel))
    found = x.flatten(2).gather(2, places.flatten(2)).view(places.shape)
    best, which = found.max(-1)
    shape = (*input.shape[:-n], *size)
    out = _node(best.reshape(shape), f"FractionalMaxPool{n}DBackward0")
    return (out, places.gather(3, which.unsqueeze(-1)).reshape(shape)) if return_indices else out


def fractional_max_pool2d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
    return _fractional(2, input, kernel_size, output_size, output_ratio, return_indices, _random_samples)


def fractional_max_pool3d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
    return _fractional(3, input, kernel_size, output_size, output_ratio, return_indices, _random_samples)


def fractional_max_pool2d_with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                                       _random_samples=None):
    return _fractional(2, input, kernel_size, output_size, output_ratio, True, _random_samples)


def fractional_max_pool3d_with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                                       _random_samples=None):
    return _fractional(3, input, kernel_size, output_size, output_ratio, True, _random_samples)


def _is_channels_last(t):
    from torch import channels_last

    return t.dim() == 4 and t.is_contiguous(memory_format=channels_last) and not t.is_contiguous()


def _channels_last(t):
    from torch import channels_last

    return t.contiguous(memory_format=channels_last)


def _as_stored(result, input):
    """The result with its channels last in memory, if those of the input are."""
    return _channels_last(result) if _is_channels_last(input) else result


def _unpool(n, input, indices, kernel_size, stride, padding, output_size):
    each = lambda value: (value,) * n if isinstance(value, int) else tuple(value)
    kernel, padding = each(kernel_size), each(padding)
    stride = kernel if stride is None else each(stride)
    default = [(have - 1) * s + k - 2 * p for have, s, k, p in zip(input.shape[-n:], stride, kernel, padding)]
    if output_size is None:
        size = default
    else:
        size = output_size[2:] if len(output_size) == n + 2 else output_size
        if len(size) != n:
            raise ValueError(f"output_size should be a sequence containing {n} or {n + 2} elements, but it has a length of "
                             f"'{len(size)}'")
        for d in range(n):
            low, high = default[d] - stride[d], default[d] + stride[d]
            if not low < size[d] < high:
                raise ValueError(f'invalid output_size "{size}" (dim {d} must be between {low} and {high})')
    if indices.dtype != _torch.int64:
        raise RuntimeError(f"elements in indices should be type int64 but got: {_scalar_name(indices)}")
    if n == 1:
        # A plane of one column.
        out = _unpool(2, input.unsqueeze(-1), indices.unsqueeze(-1), kernel + (1,), stride + (1,), padding + (0,), [*size, 1])
        return out.squeeze(-1)
    if input.dim() not in (n + 1, n + 2):
        raise RuntimeError(f"Input to max_unpooling{n}d should be a {n + 1}d or {n + 2}d Tensor, but got a tensor with {input.dim()} "
                           "dimensions.")
    _only_floating(f"max_unpool{n}d", input)
    _torch._alert_not_deterministic(f"max_unpooling{n}d_forward_out")
    if indices.shape != input.shape:
        raise RuntimeError(f"Expected shape of indices to be same as that of the input tensor ({list(input.shape)}) but got indices "
                           f"tensor with shape: {list(indices.shape)}")
    if n == 3 and any(s <= 0 for s in stride):
        raise RuntimeError(f"strides should be greater than zero, but got stride: {list(stride)}")
    count = math.prod(size)
    lead = input.shape[:-n]
    at = indices.reshape(*lead, -1)
    if at.device.type == "cpu":
        wrong = at[(at < 0) | (at >= count)]
        if wrong.numel():
            raise RuntimeError(f"Found an invalid max index: {wrong[0].item()} "
                               f"(output volumes are of size {'x'.join(map(str, size))})")
    out = _torch.zeros((*lead, count), dtype=input.dtype, device=input.device).scatter(-1, at, input.reshape(*lead, -1))
    out = out.view(*lead, *size)
    if n == 2:
        out = _as_stored(out, input)
    return _node(out, f"MaxUnpool{n}DBackward0")


def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _unpool(1, input, indices, kernel_size, stride, padding, output_size)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _unpool(2, input, indices, kernel_size, stride, padding, output_size)


def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _unpool(3, input, indices, kernel_size, stride, padding, output_size)


# ---- resampling ------------------------------------------------------------------------------------------------------


def resample3d(input, size, mode, align_corners, scales):
    if mode == "trilinear" and input.dtype != _torch.uint8:
        _only_floating("compute_indices_weights_linear", input)
    mode, name = ("bilinear", "Trilinear") if mode == "trilinear" else (mode, "Nearest" + "Exact" * (mode == "nearest-exact"))
    n, c, depth, h, w = input.shape
    if input.dtype == _torch.uint8 and name != "Trilinear":
        return resample3d(input.float(), size, mode, align_corners, scales).to(_torch.uint8)
    y = _torch._upsample(input.reshape(n, c * depth, h, w), size[1:], mode, align_corners, scales and scales[1:])
    area = size[1] * size[2]
    y = _torch._upsample(y.reshape(n, c, depth, area), (size[0], area), mode, align_corners, scales and [scales[0], 1.0])
    return _node(y.reshape(n, c, *size), f"Upsample{name}3DBackward0")


def _cubic(x, a):
    """The cubic convolution kernel at the distance `x`."""
    x = x.abs()
    near, far = ((a + 2) * x - (a + 3)) * x * x + 1, ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    return _torch.where(x <= 1, near, _torch.where(x < 2, far, 0.0))


def _scale(have, want, align_corners, scale):
    if align_corners:
        return (have - 1) / (want - 1) if want > 1 else 0.0
    return 1.0 / scale if scale is not None and scale > 0 else have / want


def _resampled_bytes(x, weights, dim, mode):
    """Bytes resampled along a dimension, with PyTorch's arithmetic: weights are whole numbers of 15 bits and a sign, and each dimension's
    result is rounded to bytes. `weights` is a matrix of wanted by given pixels."""
    if x.device.type != "cpu":
        raise NotImplementedError(f'"upsample_{mode}2d_out_frame" not implemented for \'Byte\'')
    largest, bits = weights.max().item() if weights.numel() else 0.0, 0
    while bits < 22 and int(0.5 + largest * (1 << (bits + 1))) < 1 << 15:
        bits += 1
    # float64 holds these integers exactly.
    scaled = weights.double() * (1 << bits)
    scaled = _torch.where(scaled < 0, scaled - 0.5, scaled + 0.5).trunc()
    x = x.double()
    total = x @ scaled.t() if dim == 3 else scaled @ x
    return ((total + (1 << (bits - 1))) / (1 << bits)).floor().clamp(0, 255)


def resampled_bytes(input, size, mode, align_corners, scales):
    """Resamples an image of bytes, `[N, C, H, W]` or `[N, C, L]`."""
    if mode in ("nearest", "nearest-exact"):
        return _torch._upsample(input.float(), size, mode, False, scales).to(_torch.uint8)
    if input.dim() != 4:
        raise NotImplementedError("\"compute_indices_weights_linear\" not implemented for 'Byte'")
    x = input
    for dim in (3, 2):
        have, want = input.size(dim), size[dim - 2]
        # What each pixel contributes is what becomes of an image that is 1 there and 0 elsewhere.
        pixels = _torch.eye(have, device=input.device).view(1, 1, have, have)
        weights = _torch._upsample(pixels, (want, have), mode, align_corners, scales and [scales[dim - 2], 1.0])
        x = _resampled_bytes(x, weights.view(want, have), dim, mode)
    return x.to(_torch.uint8)


def bicubic(input, size, align_corners, scales):
    if input.dtype != _torch.uint8:
        _only_floating("compute_indices_weights_cubic", input)
    kind = _torch.float64 if input.dtype in (_torch.float64, _torch.uint8) else _torch.float32
    x = input if input.dtype == kind else input.to(kind)
    for dim in (3, 2):
        have, want = x.size(dim), size[dim - 2]
        step = _scale(have, want, align_corners, scales and scales[dim - 2])
        place = _torch.arange(want, dtype=kind, device=x.device)
        place = place * step if align_corners else (place + 0.5) * step - 0.5
        low = place.floor()
        low, part = low.to(_torch.int64), place - low
        shape = (-1, 1) if dim == 2 else (-1,)
        taps = [((low + k).clamp(0, have - 1), _cubic(part - k, -0.75)) for k in (-1, 0, 1, 2)]
        if input.dtype == _torch.uint8:
            weights = _torch.zeros(want, have, dtype=kind, device=x.device)
            for pixel, weight in taps:
                weights.scatter_add_(1, pixel.unsqueeze(1), weight.unsqueeze(1))
            x = _resampled_bytes(x, weights, dim, "bicubic")
        else:
            x = sum(x.index_select(dim, pixel) * weight.view(shape) for pixel, weight in taps)
    return _node(_as_stored(x.to(input.dtype), input), "UpsampleBicubic2DBackward0")


def antialiased(input, size, mode, align_corners, scales):
    """Each output pixel averages all input pixels under a filter as wide as the step: two products with banded matrices."""
    filters = {
        "bilinear": (1.0, lambda x: (1 - x.abs()).clamp(min=0)),
        "bicubic": (2.0, lambda x: _cubic(x, -0.5)),
        "lanczos": (3.0, lambda x: _torch.where(x.abs() < 3, x.sinc() * (x / 3).sinc(), 0.0)),
    }
    support, weigh = filters[mode]
    kind = _torch.float64 if input.dtype in (_torch.float64, _torch.uint8) else _torch.float32
    x = input if input.dtype == kind else input.to(kind)
    for dim in (3, 2):
        have, want = x.size(dim), size[dim - 2]
        step = _scale(have, want, align_corners, scales and scales[dim - 2])
        wide = max(step, 1.0)
        center = (_torch.arange(want, dtype=kind, device=x.device).unsqueeze(1) + 0.5) * step
        first = (center - support * wide + 0.5).to(_torch.int64).clamp(min=0)
        last = (center + support * wide + 0.5).to(_torch.int64).clamp(max=have)
        pixel = _torch.arange(have, device=x.device)
        weights = _torch.where((pixel >= first) & (pixel < last), weigh((pixel - center + 0.5) / wide), 0.0)
        weights = weights / weights.sum(1, keepdim=True)
        if input.dtype == _torch.uint8:
            x = _resampled_bytes(x, weights, dim, mode)
        else:
            x = x @ weights.t() if dim == 3 else weights @ x
    return _node(_as_stored(x.to(input.dtype), input), f"Upsample{mode.capitalize()}2DAaBackward0")


def affine_grid(theta, size, align_corners=None):
    from . import functional as F

    if align_corners is None:
        F.warnings.warn("Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify "
                        "align_corners=True if the old behavior is desired. See the documentation of grid_sample for details.",
                        stacklevel=2)
        align_corners = False
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    if len(size) not in (4, 5):
        raise NotImplementedError("affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size "
                                  f"{size}.")
    n = len(size) - 2
    if theta.dim() != 3 or tuple(theta.shape[-2:]) != (n, n + 1):
        raise ValueError(f"Expected a batch of {n}D affine matrices of shape Nx{n}x{n + 1} for size {size}. Got "
                         f"{theta.shape}.")
    if min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    axes = []
    for d, count in enumerate(size[2:]):
        # The order of these steps decides on which side of a pixel's center a place lands.
        end = 1.0 if count > 1 else 0.0
        places = _torch.linspace(-end, end, count, dtype=theta.dtype, device=theta.device)
        if not align_corners:
            places = places * (count - 1) / count
        shape = [1] * n
        shape[d] = count
        axes.append(places.view(shape).expand(size[2:]))
    base = _torch.stack([*reversed(axes), _torch.ones_like(axes[0])], -1)
    grid = base.view(1, -1, n + 1).expand(theta.size(0), -1, -1).bmm(theta.transpose(1, 2))
    return _node(grid.view(theta.size(0), *size[2:], n), "AffineGridGeneratorBackward0")


def _reflect(x, low, high):
    """A place reflected at both borders until it is between them; `low` and `high` are twice the borders."""
    if low == high:
        return x * 0
    first, span = low / 2, (high - low) / 2
    x = (x - first).abs()
    extra, flips = x.fmod(span), _torch.div(x.detach(), span, rounding_mode="floor")
    return _torch.where(flips.remainder(2) == 0, extra, span - extra) + first


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    from . import functional as F

    if mode not in ("bilinear", "nearest", "bicubic"):
        raise ValueError("nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: "
                         f"'{mode}'")
    if padding_mode not in ("zeros", "border", "reflection"):
        raise ValueError("nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: "
                         f"'{padding_mode}'")
    if align_corners is None:
        F.warnings.warn("Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify "
                        "align_corners=True if the old behavior is desired. See the documentation of grid_sample for details.",
                        stacklevel=2)
    return grid_sampler(input, grid, ("bilinear", "nearest", "bicubic").index(mode),
                        ("zeros", "border", "reflection").index(padding_mode), bool(align_corners))


def grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners):
    if input.device != grid.device:
        raise RuntimeError("grid_sampler(): expected input and grid to be on same device, but input is on "
                           f"{input.device} and grid is on {grid.device}")
    if input.size(0) != grid.size(0):
        raise RuntimeError("grid_sampler(): expected grid and input to have same batch size, but got input with sizes "
                           f"{list(input.shape)} and grid with sizes {list(grid.shape)}")
    if grid.size(-1) != input.dim() - 2:
        raise RuntimeError(f"grid_sampler(): expected grid to have size {input.dim() - 2} in last dimension, but got grid with sizes "
                           f"{list(grid.shape)}")
    n = input.dim() - 2
    if n not in (2, 3) or grid.dim() != input.dim():
        raise RuntimeError("grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got input with sizes "
                           f"{list(input.shape)} and grid with sizes {list(grid.shape)}")
    for d in range(2, input.dim()):
        if input.size(d) <= 0:
            raise RuntimeError("grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes "
                               f"{list(input.shape)} with dimension {d} being empty")
    if input.dtype != grid.dtype:
        raise RuntimeError(f"expected scalar type {_scalar_name(input)} but found {_scalar_name(grid)}")
    if not input.is_floating_point():
        raise NotImplementedError(f'"grid_sampler{"_2d_cpu_kernel_impl" if n == 2 else "3d_cpu"}" not implemented for \'{_scalar_name(input)}\'')
    if interpolation_mode == 2 and input.dtype in (_torch.float16, _torch.bfloat16):
        wide = grid_sampler(input.float(), grid.float(), 2, padding_mode, align_corners)
        return _node(wide.to(input.dtype), f"GridSampler{n}DBackward0")
    batch, channels = input.shape[:2]
    sizes, target = input.shape[2:], grid.shape[1:-1]
    flat = input.flatten(2)
    cubic = interpolation_mode == 2

    def inside(x, size):
        """A place, or a whole number as a place, moved to where there are pixels."""
        if padding_mode == 2:
            x = _reflect(x, 0, 2 * (size - 1)) if align_corners else _reflect(x, -1, 2 * size - 1)
        return x.clamp(0, size - 1) if padding_mode else x

    # For each dimension, slowest first: which pixels, with which weights.
    taps = []
    for d, size in enumerate(sizes):
        x = grid[..., n - 1 - d].flatten(1)
        x = (x + 1) / 2 * (size - 1) if align_corners else ((x + 1) * size - 1) / 2
        if not cubic:
            x = inside(x, size)
        if interpolation_mode == 1:
            taps.append([(x.detach().round(), None)])
            continue
        low = x.detach().floor()
        part = x - low
        if cubic:
            taps.append([(inside(low + k, size), _cubic(part - k, -0.75)) for k in (-1, 0, 1, 2)])
        else:
            taps.append([(low, 1 - part), (low + 1, part)])
    # A place far out, or none at all, is no index: it counts as outside.
    columns = []
    for size, own in zip(sizes, taps):
        columns.append([])
        for at, weight in own:
            real = (at >= 0) & (at <= size - 1)
            columns[-1].append((_torch.where(real, at, 0.0).to(_torch.int64), real, weight))
    out = None
    for combination in _product(columns):
        index, real, weight = 0, None, None
        for size, (at, ok, part) in zip(sizes, combination):
            index = index * size + at
            real = ok if real is None else real & ok
            weight = part if weight is None else weight * part
        value = flat.gather(2, index.unsqueeze(1).expand(-1, channels, -1))
        weight = real.to(input.dtype) if weight is None else _torch.where(real, weight, 0.0)
        value = value * weight.unsqueeze(1)
        out = value if out is None else out + value
    if interpolation_mode == 1 and grid.requires_grad:
        # The nearest pixel stays the nearest: a gradient of zeros, but one.
        out = out + _torch._without_gradient(_torch.zeros_like(out.detach()), "CopyBackwards", [grid])
    return _node(out.view(batch, channels, *target), f"GridSampler{n}DBackward0")


def _product(lists):
    out = [()]
    for items in lists:
        out = [(*head, item) for head in out for item in items]
    return out


def grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners):
    return grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners)


grid_sampler_3d = grid_sampler_2d


def channel_shuffle(input, groups):
    if input.dim() < 3:
        raise RuntimeError(f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(input.shape)}")
    if groups <= 0:
        raise RuntimeError(f"Number of groups to divide channels in must be positive. Value of groups:{groups}")
    if input.size(1) % groups:
        raise RuntimeError(f"Number of channels must be divisible by groups. Got {input.size(1)} channels and {groups} groups.")
    out = input.unflatten(1, (groups, input.size(1) // groups)).transpose(1, 2).flatten(1, 2)
    from torch import channels_last, contiguous_format

    kept = input.dim() == 4 and not input.is_contiguous() and input.is_contiguous(memory_format=channels_last)
    layout = channels_last if kept else contiguous_format
    # Groups of one channel, or a single group, leave the order as it is, but not the memory.
    out = out.clone(memory_format=layout) if groups in (1, input.size(1)) else out.contiguous(memory_format=layout)
    return _node(out, "ChannelShuffleBackward0")


def upsample_nearest(input, size=None, scale_factor=None):
    from . import functional as F

    F.warnings.warn("`nn.functional.upsample_nearest` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2)
    return F.interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input, size=None, scale_factor=None):
    from . import functional as F

    F.warnings.warn("`nn.functional.upsample_bilinear` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2)
    return F.interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


avg_pool3d = _torch._with_out("avg_pool3d", avg_pool3d)

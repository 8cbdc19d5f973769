"""Losses, as in torch.nn.functional."""

import math
import warnings

import _torch
from _torch import Tensor
from torch._checks import _scalar_name

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


def _warn_sizes(input, target):
    if target.size() != input.size():
        warnings.warn(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). "
            "This will likely lead to incorrect results due to broadcasting. "
            "Please ensure they have the same size.",
            stacklevel=3,
        )


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    if _torch._differ_in_shape(target, input):
        _warn_sizes(input, target)
    if weight is not None:
        reduction = _legacy_reduction(size_average, reduce, reduction)
        return _weighted((input - target) ** 2, input, weight, reduction)
    return _torch.mse_loss(input, target, _reduction(reduction, size_average, reduce))


def _weighted(errors, input, weight, reduction):
    """The sum, the mean or each of the errors, which count by their weights."""
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")
    if reduction not in _REDUCTIONS:
        raise ValueError(f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'.")
    errors = errors * weight
    return errors if reduction == "none" else errors.sum() if reduction == "sum" else errors.sum() / weight.sum()


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    if _torch._differ_in_shape(target, input):
        _warn_sizes(input, target)
    if weight is not None:
        reduction = _legacy_reduction(size_average, reduce, reduction)
        return _weighted((input - target).abs(), input, weight, reduction)
    if input.is_complex() or target.is_complex():
        errors = (input - target).abs()
        reduction = _reduction(reduction, size_average, reduce)
        return errors if reduction == 0 else errors.mean() if reduction == 1 else errors.sum()
    return _torch.l1_loss(input, target, _reduction(reduction, size_average, reduce))


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    if _torch._differ_in_shape(target, input):
        _warn_sizes(input, target)
    return _torch.smooth_l1_loss(input, target, _reduction(reduction, size_average, reduce), beta)


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    if _torch._differ_in_shape(target, input):
        _warn_sizes(input, target)
    if weight is not None:
        if weight.shape != input.shape:
            raise ValueError("Weights and input must have the same size.")
        weighted = _torch.huber_loss(input, target, 0, delta) * weight
        if reduction not in ("none", "mean", "sum"):
            raise ValueError(f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'.")
        return weighted if reduction == "none" else weighted.sum() if reduction == "sum" else weighted.mean()
    return _torch.huber_loss(input, target, _reduction(reduction), delta)


def _no_gradient(function, **arguments):
    """Refuses arguments that would get no gradient although they require one."""
    for name, given in arguments.items():
        if given is not None and given.requires_grad and _torch.is_grad_enabled():
            raise RuntimeError(f"The function '{function}' is not differentiable with respect to argument '{name}'. This input cannot "
                               "have requires_grad True.")


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is deprecated. "
            "Please ensure they have the same size."
        )
    _no_gradient("binary_cross_entropy", weight=weight)
    return _torch.binary_cross_entropy(
        input, target, weight, _reduction(reduction, size_average, reduce)
    )


def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    reduction = _reduction(reduction, size_average, reduce)
    _no_gradient("binary_cross_entropy_with_logits", weight=weight, pos_weight=pos_weight)
    if input.is_floating_point() and target.dtype in _INTEGERS:
        names = [t.type().rpartition(".")[2].removesuffix("Tensor") for t in (input, target)]
        raise RuntimeError("result type {} can't be cast to the desired output type {}".format(*names))
    return _torch.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def _places_of_targets(input, target):
    """Refuses class indices whose shape isn't the input's without its classes, in the words of the kernel that PyTorch would run."""
    if input.dim() not in (0, 2) and (target.dim() < 2 if input.dim() == 1 else target.shape[:1] == input.shape[:1]):
        _places_of_batches(input, target)
        if target.dtype not in (_torch.int64, _torch.uint8):
            raise RuntimeError(f"expected target dtype to be Long or Byte, but got {_scalar_name(target)}")


def _places_of_batches(input, target):
    if input.dim() == 4:
        if target.dim() != 3:
            raise RuntimeError("only batches of spatial targets supported (3D tensors) but got targets of dimension: "
                               f"{target.dim()}")
    elif input.dim() > 1 and target.shape[1:] != input.shape[2:]:
        raise RuntimeError(f"Expected target size {[input.size(0), *input.shape[2:]]}, got {list(target.shape)}")


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    reduction = _reduction(reduction, size_average, reduce)
    if isinstance(input, _torch.Tensor) and isinstance(target, _torch.Tensor):
        _places_of_targets(input, target)
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
    else:
        _places_of_targets(input, target)
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
    _tensors("kl_div", input, target)
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


def _only_wide(kernel, t):
    """On the CPU, refuses dtypes for a kernel that PyTorch has only for float32 and float64."""
    if t.dtype not in (_torch.float32, _torch.float64) and not (t.is_cuda and t.is_floating_point()):
        raise NotImplementedError(f'"{kernel}" not implemented for \'{_scalar_name(t)}\'')


def _reduced(loss, reduction):
    kind = _reduction(reduction)
    return loss if kind == 0 else loss.mean() if kind == 1 else loss.sum()


def _tensors(name, input, target):
    """Refuses anything but tensors, as PyTorch does where a loss is one function of its C++."""
    for at, (what, t) in enumerate((("input", input), ("target", target)), 1):
        if not isinstance(t, _torch.Tensor):
            raise TypeError(f"{name}(): argument '{what}' (position {at}) must be Tensor, not {type(t).__name__}")


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    _tensors("hinge_embedding_loss", input, target)
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
    distance = lambda a, b: _torch.pairwise_distance(a, b, p, eps)
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
    distance = _torch.pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = _torch.minimum(far, distance(positive, negative))
    return _reduced((margin + near - far).clamp_min(0), reduction)


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    _tensors("soft_margin_loss", input, target)
    input, target = _torch._full(input, target)
    if not (input.is_floating_point() or input.is_complex()) and input.dtype != _torch.bool:
        raise RuntimeError(f"result type Float can't be cast to the desired output type {_scalar_name(input)}")
    if target.is_complex() and not input.is_complex():
        raise RuntimeError(f"result type {_scalar_name(target)} can't be cast to the desired output type {_scalar_name(input)}")
    product = -input * target
    if product.shape != input.shape:
        raise RuntimeError(f"output with shape {list(input.shape)} doesn't match the broadcast shape {list(product.shape)}")
    loss = _reduced(product.to(input.dtype).exp().log1p(), _legacy_reduction(size_average, reduce, reduction))
    return _torch._under_node(loss, "SoftMarginLossBackward0")


def multi_margin_loss(
    input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"
):
    _tensors("multi_margin_loss", input, target)
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
    _tensors("multilabel_margin_loss", input, target)
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
    loss = -(target * _torch.logsigmoid(input) + (1 - target) * _torch.logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    return _reduced(loss.sum(-1) / input.size(-1), _legacy_reduction(size_average, reduce, reduction))


def poisson_nll_loss(
    input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"
):
    _tensors("poisson_nll_loss", input, target)
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

"""How layers of networks and losses of one row are computed of all rows at once (see torch/_batching_rules.py)."""

import torch
import torch.nn.functional as F
from _torch import Tensor
from torch._batched import Batched, NoRule, plain, wrap
from torch._batching_rules import (
    _all_dims, _along, _counts, _full, _looked_up, _none, _pointwise, _product_of, _raised, _rank, _rule, _shifted)


def _averaged(loss, k, reduction):
    if reduction == "none":
        return loss
    flat = _all_dims(loss, k)
    return flat.mean(-1) if reduction == "mean" else flat.sum(-1) if reduction == "sum" else _none()


@_rule("mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy binary_cross_entropy_with_logits kl_div soft_margin_loss "
       "poisson_nll_loss hinge_embedding_loss")
def _loss(func, k, input, target, *args, reduction="mean", **kwargs):
    if args or kwargs.get("reduce") is not None or kwargs.get("size_average") is not None or _rank(input, k) != _rank(target, k):
        raise NoRule
    if reduction == "batchmean" and func.__name__ == "kl_div" and _rank(input, k):
        return _averaged(func(input, target, reduction="none", **kwargs), k, "sum") / input.shape[k if type(input) is Batched else 0]
    counts = _counts((input, target), k)
    # Sizes that differ are a warning about a row. All rows of a tensor have the same.
    levels = next(t for t in (input, target) if type(t) is Batched)._levels
    input, target = (wrap(_full(t, k, counts), levels) for t in (input, target))
    return _averaged(_pointwise(lambda *a, **n: func(*a, reduction="none", **n), k, input, target, **kwargs), k, reduction)


@_rule("cross_entropy nll_loss")
def _class_loss(func, k, input, target, weight=None, *args, ignore_index=-100, reduction="mean", label_smoothing=0.0, **kwargs):
    rank = _rank(input, k)
    if args or type(weight) is Batched or any(v is not None for v in kwargs.values()) or not rank:
        raise NoRule
    given = {"label_smoothing": label_smoothing} if func.__name__ == "cross_entropy" else {}
    counts = _counts((input, target), k)
    input, target = _full(input, k, counts), _full(target, k, counts)
    shape = counts if rank == 1 else (*counts, input.shape[k], *input.shape[k + 2:])
    # The rows go where a loss has its samples.
    start = k - 1 if rank == 1 else k
    loss = func(plain(input).flatten(0, start), plain(target).flatten(0, start), weight, ignore_index=ignore_index, reduction="none",
                **given)
    loss = loss.reshape(shape)
    if reduction != "mean" or target.is_floating_point():
        if reduction == "mean":
            # Each sample has several probabilities and one loss.
            return _averaged(loss, k, "sum") / max(_elements(loss, k), 1)
        return _averaged(loss, k, reduction)
    shown = target != ignore_index
    if weight is not None:
        counted = torch.where(shown, weight[target.clamp(0, len(weight) - 1)], 0)
    else:
        counted = shown.to(loss.dtype)
    return _averaged(loss, k, "sum") / _all_dims(counted, k).sum(-1)


def _elements(t, k):
    count = 1
    for size in t.shape[k:]:
        count *= size
    return count


def _scaled(out, k, weight, bias, rank, channels=None):
    """A normalized tensor times its weights plus its biases, which differ by row, in the last dimensions or in that of channels."""
    for t, times in ((weight, True), (bias, False)):
        if t is None:
            continue
        if channels is not None:
            t = t.reshape(*t.shape[:-1], t.shape[-1], *[1] * (rank - channels - 1)) if type(t) is not Batched else wrap(
                t.reshape(*t.shape, *[1] * (rank - channels - 1)), t._levels)
        t = _raised(t, k, rank)
        out = out * t if times else out + t
    return out


@_rule("layer_norm")
def _layer_norm(func, k, input, normalized_shape, weight=None, bias=None, eps=1e-5):
    rank = _rank(input, k)
    if type(input) is not Batched or rank < len(normalized_shape):
        raise NoRule
    if type(weight) is not Batched and type(bias) is not Batched:
        return F.layer_norm(input, normalized_shape, weight, bias, eps)
    return _scaled(F.layer_norm(input, normalized_shape, None, None, eps), k, weight, bias, rank)


@_rule("rms_norm")
def _rms_norm(func, k, input, normalized_shape, weight=None, eps=None):
    rank = _rank(input, k)
    if type(input) is not Batched or rank < len(normalized_shape):
        raise NoRule
    if type(weight) is not Batched:
        return F.rms_norm(input, normalized_shape, weight, eps)
    return _scaled(F.rms_norm(input, normalized_shape, None, eps), k, weight, None, rank)


@_rule("group_norm")
def _group_norm(func, k, input, num_groups, weight=None, bias=None, eps=1e-5):
    rank = _rank(input, k)
    if type(input) is not Batched or rank < 2:
        raise NoRule
    flat = plain(input).flatten(0, k)
    if type(weight) is not Batched and type(bias) is not Batched:
        return F.group_norm(flat, num_groups, weight, bias, eps).unflatten(0, input.shape[:k + 1])
    return _scaled(F.group_norm(flat, num_groups, None, None, eps).unflatten(0, input.shape[:k + 1]), k, weight, bias, rank, 1)


@_rule("batch_norm")
def _batch_norm(func, k, input, running_mean=None, running_var=None, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    rank = _rank(input, k)
    # `torch.batch_norm` has its arguments in another order.
    if func is not F.batch_norm or type(input) is not Batched or rank < 2 or Batched in (type(running_mean), type(running_var)):
        raise NoRule
    affine = type(weight) is Batched or type(bias) is Batched
    own = (None, None) if affine else (weight, bias)
    if training:
        if running_mean is not None:
            raise NoRule
        # Rows beside each other as channels: each has a mean of its own.
        moved = plain(input).movedim(k, 0)
        out = F.batch_norm(moved.flatten(1, k + 1), None, None, None, None, True, momentum, eps)
        out = out.unflatten(1, moved.shape[1:k + 2]).movedim(0, k)
        return _scaled(out, k, weight, bias, rank, 1)
    out = F.batch_norm(plain(input).flatten(0, k), running_mean, running_var, *own, False, momentum, eps).unflatten(0, input.shape[:k + 1])
    return _scaled(out, k, weight, bias, rank, 1) if affine else out


def _merged(call, k, input, rank):
    """What `call` gives for a tensor of `rank` dimensions, the rows among its samples. A row may have no dimension of samples."""
    own = _rank(input, k)
    if type(input) is not Batched or own not in (rank - 1, rank):
        raise NoRule
    last = k - 1 if own == rank - 1 else k
    out = call(plain(input).flatten(0, last))
    shape = input.shape[:last + 1]
    return type(out)(t.unflatten(0, shape) for t in out) if isinstance(out, tuple) else out.unflatten(0, shape)


@_rule("conv1d conv2d conv3d")
def _conv(func, k, input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    rank = int(func.__name__[4]) + 2
    if _rank(weight, k) != rank:
        raise NoRule
    if type(weight) is not Batched:
        own = None if type(bias) is Batched else bias
        out = _merged(lambda t: func(t, weight, own, stride, padding, dilation, groups), k, input, rank)
    else:
        counts = _counts((input, weight), k)
        weight = plain(_full(weight, k, counts)).flatten(0, k)
        own = _rank(input, k)
        if own not in (rank - 1, rank):
            raise NoRule
        if type(input) is Batched:
            t = plain(_full(input, k, counts))
            t = t.unsqueeze(k) if own == rank - 1 else t
            # All rows beside each other as groups of channels.
            t = t.movedim(k, 0).flatten(1, k + 1)
            out = func(t, weight, None, stride, padding, dilation, groups * _product_of(counts))
        elif groups == 1:
            t = input.unsqueeze(0) if own == rank - 1 else input
            out = func(t, weight, None, stride, padding, dilation, 1)
        else:
            raise NoRule
        out = out.unflatten(1, (*counts, out.shape[1] // max(1, _product_of(counts)))).movedim(0, k)
        out = out.squeeze(k) if own == rank - 1 else out
        if bias is None:
            return out
        if type(bias) is not Batched:
            return out + bias.reshape(-1, *[1] * (rank - 2))
    if type(bias) is Batched:
        extra = [1] * (rank - 2)
        t = bias.reshape(*bias.shape, *extra)
        out = out + (t.unsqueeze(k) if _rank(input, k) == rank else t)
    return out


@_rule("max_pool1d max_pool2d max_pool3d avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d "
       "adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d lp_pool1d lp_pool2d")
def _pool(func, k, input, *args, **kwargs):
    return _merged(lambda t: func(t, *args, **kwargs), k, input, int(func.__name__[-2]) + 2)


_windows = _along("self dimension=None size step")


@_rule("unfold")
def _unfold(func, k, input, *args, **kwargs):
    """`F.unfold` takes patches of images, the method slices of a dimension."""
    if func is F.unfold:
        return _merged(lambda t: F.unfold(t, *args, **kwargs), k, input, 4)
    return _windows(func, k, input, *args, **kwargs)


@_rule("fold")
def _fold(func, k, input, *args, **kwargs):
    return _merged(lambda t: F.fold(t, *args, **kwargs), k, input, 3)


@_rule("conv_transpose1d conv_transpose2d conv_transpose3d")
def _conv_transpose(func, k, input, weight, bias=None, *args, **kwargs):
    if type(weight) is Batched or type(bias) is Batched:
        raise NoRule
    return _merged(lambda t: func(t, weight, bias, *args, **kwargs), k, input, int(func.__name__[-2]) + 2)


@_rule("pixel_shuffle pixel_unshuffle")
def _shuffled(func, k, input, factor):
    return func(input, factor) if _rank(input, k) >= 3 else _none()


@_rule("pad")
def _pad(func, k, input, pad, mode="constant", value=None):
    if type(input) is not Batched or mode != "constant" or len(pad) > 2 * _rank(input, k):
        raise NoRule
    return F.pad(input, pad, mode, value)


@_rule("embedding")
def _embedding(func, k, input, weight, padding_idx=None, *args, **kwargs):
    if func is not F.embedding or args or kwargs:
        raise NoRule
    if type(weight) is not Batched:
        return F.embedding(input, weight, padding_idx)
    if padding_idx is not None or _rank(weight, k) != 2:
        raise NoRule
    if type(input) is not Batched:
        return weight.index_select(k, input.flatten()).unflatten(k, input.shape) if input.dim() else weight.select(k, int(input))
    return _looked_up(weight, input, k)


@_rule("one_hot")
def _one_hot(func, k, input, num_classes=-1):
    return F.one_hot(input, num_classes)


@_rule("scaled_dot_product_attention")
def _attention(func, k, query, key, value, attn_mask=None, *args, **kwargs):
    tensors = [query, key, value]
    rank = max(_rank(t, k) for t in tensors)
    if rank != min(_rank(t, k) for t in tensors) or args and args[0] or kwargs.get("dropout_p") or kwargs.get("enable_gqa"):
        raise NoRule
    counts = _counts((*tensors, attn_mask), k)
    if type(attn_mask) is Batched:
        attn_mask = _raised(attn_mask, k, rank)
    return func(*[_full(t, k, counts) for t in tensors], attn_mask, *args, **kwargs)


@_rule("normalize")
def _normalize(func, k, input, p=2.0, dim=1, eps=1e-12, **kwargs):
    if type(input) is not Batched or kwargs:
        raise NoRule
    return F.normalize(input, p, _shifted(dim, k, _rank(input, k)), eps)


@_rule("cosine_similarity")
def _cosine_similarity(func, k, x1, x2, dim=1, eps=1e-8):
    ranks = _rank(x1, k), _rank(x2, k)
    if ranks[0] != ranks[1]:
        raise NoRule
    counts = _counts((x1, x2), k)
    return func(_full(x1, k, counts), _full(x2, k, counts), _shifted(dim, k, ranks[0]), eps)
